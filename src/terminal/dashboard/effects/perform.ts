/** Executes the actions of keys on the session and returns the resulting messages. */
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import type { Message, PlaybackAction, SessionAction } from '../model/message.ts'
import { performBatch, releaseAll, stepShown, undoOrRedo } from './agenda.ts'
import { copyToClipboard } from './copy.ts'
import { editInEditor } from './edit.ts'
import { showMissed } from './missed.ts'
import { performPlayback } from './playback.ts'
import {
  addOrReplaceFault,
  changeSpeed,
  chooseNextFailure,
  forkAt,
  requestVerdicts,
  resendExchange,
  saveAsScenario,
  setClock,
  toggleClock,
} from './session.ts'
import type { ActionContext, DashboardPorts } from './ports.ts'
import { noticeMessage, refusalMessage } from './notice.ts'

/** Executes an action; quit and suspend belong to the terminal. */
export async function performAction(
  session: SessionApi,
  action: SessionAction | PlaybackAction,
  ports: DashboardPorts = {},
  /** Progress messages of long-running actions. */
  onMessage: (message: Message) => void = () => undefined,
): Promise<readonly Message[]> {
  try {
    return await perform(session, action, { ports, onMessage })
  } catch (error) {
    // A remote session may be gone; the screen must survive that.
    return [noticeMessage(error instanceof Error ? error.message : String(error), 'err')]
  }
}

async function perform(
  session: SessionApi,
  action: SessionAction | PlaybackAction,
  context: ActionContext,
): Promise<readonly Message[]> {
  const { ports } = context
  switch (action.kind) {
    case 'submit': {
      const result = await session.submit(action.command)
      return [result.ok ? noticeMessage(action.notice) : refusalMessage(result.error)]
    }
    case 'create': {
      const result = await session.createOrder(action.wish)
      if (!result.ok) return [refusalMessage(result.error)]
      return [
        { kind: 'chosen', orderId: result.value.orderId },
        noticeMessage('a new order was made'),
      ]
    }
    case 'step':
      return stepShown(session, action.shown)
    case 'batch':
      return performBatch(session, action)
    case 'release-all':
      return releaseAll(session)
    case 'turn':
      return undoOrRedo(session, action.direction, action.past)
    case 'edit':
      return editInEditor(session, action, ports)
    case 'fault':
      return addOrReplaceFault(session, action)
    case 'next-failure':
      return chooseNextFailure(session, action)
    case 'resend':
      return resendExchange(session, action.seq)
    case 'judge':
      return requestVerdicts(session)
    case 'fork':
      return forkAt(session, action.at)
    case 'save':
      return saveAsScenario(session, action, ports)
    case 'toggle':
      return toggleClock(session, action.resume)
    case 'speed':
      return changeSpeed(session, action.by)
    case 'show-missed':
      return showMissed(session, action.missed)
    case 'copy':
      return copyToClipboard(session, action, ports)
    case 'clock':
      return setClock(session, action)
    case 'advance':
      await session.advance(action.ms)
      return [noticeMessage(`${action.ms / 1000} s passed`)]
    default:
      return performPlayback(session, action, context)
  }
}
