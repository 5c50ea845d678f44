/** Executes the actions of keys on the session and returns the resulting messages. */
import type { JournalRow, SessionApi, TrafficRow } from '../../../core/session-api/session-api.ts'
import type { Message, PlaybackAction, SessionAction } from '../model/message.ts'
import { performBatch, releaseAll, stepShown, undoOrRedo } from './agenda.ts'
import { editInEditor } from './edit.ts'
import {
  addOrReplaceFault,
  changeSpeed,
  chooseNextFailure,
  forkAt,
  noteExchange,
  requestVerdicts,
  resendExchange,
  saveAsScenario,
  setClock,
  toggleClock,
} from './session.ts'
import type { ActionContext, DashboardPorts } from './ports.ts'
import { noticeMessage, refusalMessage, errorMessage } from './notice.ts'
import { clockOf } from '../../../core/engine/instant.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import type { MissedChanges, SeqRange } from '../../../core/session-api/attachment.ts'
import { err, ok, type Result, assertNever } from '../../../core/protocol/result.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { curlCommand } from '../../../core/traffic/curl-command.ts'
import type { CopySource } from '../model/prompts.ts'

const searchNames = { trouble: 'divergence', mark: 'bookmark', fault: 'failure' } as const

/**
 * Actions on a recording: seek, find next, bookmark, accept a difference, send alone, go on from there, undo an edit,
 * export, minimise.
 */
async function performPlayback(
  session: SessionApi,
  action: PlaybackAction,
  { ports: { exportRecording, minimise }, onMessage }: ActionContext,
): Promise<readonly Message[]> {
  const { playback } = session
  if (!playback) return [noticeMessage('there is no recording here', 'muted')]
  switch (action.kind) {
    case 'seek': {
      const place = await playback.seek(action.to)
      return place.ok ? [{ kind: 'sought', place: place.value }] : [errorMessage(place, 'warn')]
    }
    case 'next': {
      const { from, what, direction } = action
      const place = await playback.next(from, what, direction)
      if (place !== undefined) return [{ kind: 'placed', place }]
      return [
        noticeMessage(
          `there is no ${searchNames[what]} ${direction > 0 ? 'after' : 'before'} this`,
          'muted',
        ),
      ]
    }
    case 'bookmark': {
      const bookmarked = await playback.bookmark(action.place)
      if (!bookmarked.ok) return [errorMessage(bookmarked)]
      return [noticeMessage(bookmarked.value ? "bookmarked: ' goes there" : 'the bookmark is gone')]
    }
    case 'accept': {
      const file = await playback.accept(action.place, action.difference, action.compare)
      return [
        file.ok ? noticeMessage(`accepted from now on: ${file.value}`, 'ok') : errorMessage(file),
      ]
    }
    case 'turn-edit': {
      const turned = await playback.turnEdit(action.direction)
      if (!turned) return undoOrRedo(session, action.direction, action.past)
      const done = action.direction === 'undo' ? 'undone' : 'done again'
      return [
        { kind: 'placed', place: turned.place },
        noticeMessage(`the edit of #${turned.seq} is ${done}; what was sent stays`),
      ]
    }
    case 'send-alone': {
      const sent = await playback.sendAlone(action.place)
      return [sent.ok ? noticeMessage(`#${sent.value} goes out alone`) : errorMessage(sent, 'warn')]
    }
    case 'go-on': {
      const gone = await playback.goOnFrom(action.place)
      if (!gone.ok) return [errorMessage(gone, 'warn')]
      const { seq, leftOut } = gone.value
      return [noticeMessage(`#${seq} is next, ${leftOut} left out: n sends it, space plays on`)]
    }
    case 'export': {
      if (!exportRecording) return [noticeMessage('there is no place to export to here', 'muted')]
      const file = await exportRecording(action.file)
      return [file.ok ? noticeMessage(`written: ${file.value}`, 'ok') : errorMessage(file)]
    }
    case 'minimise': {
      if (!minimise)
        return [noticeMessage('minimising needs a target: open it with --to <url>', 'muted')]
      const lines = await minimise((text) => onMessage(noticeMessage(text, 'info')), action.place)
      if (!lines.ok) return [errorMessage(lines)]
      return [{ kind: 'shown', title: 'Minimised', lines: lines.value }]
    }
    default:
      return assertNever(action)
  }
}

const notKept = 'it is no longer kept'

type ExchangeSource = Extract<CopySource, { readonly kind: 'exchange' }>

async function exchangeOf(
  session: SessionApi,
  of: ExchangeSource['of'],
): Promise<Exchange | undefined> {
  if ('seq' in of) return (await session.look({ exchange: of.seq })).exchange
  return (await session.look({ playback: { pair: of.place } })).playback?.pair?.recorded
}

function partOf({ request, reply, ...rest }: Exchange, part: ExchangeSource['part']) {
  switch (part) {
    case 'url':
      return ok(request.url)
    case 'request':
      return request.body === undefined ? err('the request has no body') : ok(request.body)
    case 'reply':
      if (!reply) return err('there was no reply')
      return reply.body === undefined || reply.body === ''
        ? err('the reply has no body')
        : ok(reply.body)
    case 'curl':
      return ok(curlCommand({ ...rest, request }))
    default:
      return part satisfies never
  }
}

async function textOf(session: SessionApi, source: CopySource): Promise<Result<string, string>> {
  if (source.kind === 'text') return ok(source.text)
  if (source.kind === 'exchange') {
    const exchange = await exchangeOf(session, source.of)
    return exchange ? partOf(exchange, source.part) : err(notKept)
  }
  const { item } = await session.look({ item: source.id })
  return item ? ok(JSON.stringify(item.event?.fields ?? item.command, null, 2)) : err(notKept)
}

const sizeText = (text: string): string => {
  const lines = text.split('\n').length
  return lines > 1 ? `${text.length} characters in ${lines} lines` : `${text.length} characters`
}

async function copyToClipboard(
  session: SessionApi,
  { name, source }: { readonly name: string; readonly source: CopySource },
  { copyText }: DashboardPorts,
): Promise<readonly Message[]> {
  if (!copyText) return [noticeMessage('nothing is copied: this is no terminal', 'muted')]
  const text = await textOf(session, source)
  if (!text.ok) return [noticeMessage(`${name} is not copied: ${text.error}`, 'warn')]
  const copied = copyText(text.value)
  if (!copied.ok) return [noticeMessage(`${name} is not copied: ${copied.error}`, 'warn')]
  const asSent = source.kind === 'exchange' && source.part === 'curl' ? ', with its token' : ''
  return [noticeMessage(`copied: ${name}${asSent}, ${sizeText(text.value)}`, 'ok')]
}

/** Rows of each list that are shown, the newest. */
const maxRows = 500

const countOf = ({ after, to }: SeqRange): number => Math.max(0, to - after)

/** The last rows of a range. */
const windowOf = ({ after, to }: SeqRange) => ({
  before: to + 1,
  limit: Math.min(maxRows, countOf({ after, to })),
})

const factText = ({ kind, text, orderId = '' }: JournalRow): string =>
  `${kind}  ${text}  ${orderId}`.trimEnd()

const exchangeText = ({ seq, from, to, method, path, status, failure }: TrafficRow): string =>
  `#${seq}  ${shortRoleName[from]} > ${shortRoleName[to]}  ${method} ${path}  ${failure ?? status}`

async function showMissed(
  session: SessionApi,
  { facts, exchanges }: MissedChanges,
): Promise<readonly Message[]> {
  const { journal, traffic } = await session.look({
    journal: windowOf(facts),
    traffic: windowOf(exchanges),
  })
  const rows = [
    ...traffic
      .filter(({ seq }) => seq > exchanges.after)
      .map((row) => ({ at: Math.floor(row.endedAt), text: exchangeText(row) })),
    ...journal
      .filter(({ seq }) => seq > facts.after)
      .map((row) => ({ at: row.at, text: factText(row) })),
  ].toSorted((one, other) => one.at - other.at)
  const total = countOf(facts) + countOf(exchanges)
  const gone = total - rows.length
  const lines = rows.map(({ at, text }) => `${clockOf(at).slice(0, 12)}  ${text}`)
  return [
    {
      kind: 'shown',
      title: 'While disconnected',
      lines:
        gone > 0 ? [`${pluralise(gone, 'row')} before these, or no longer kept`, ...lines] : lines,
    },
  ]
}

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
      const result = await session.createOrder(action.order)
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
    case 'note':
      return noteExchange(session, action.seq, action.text)
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
