/**
 * The reducer of the dashboard: model and message to next model. No clock, session or screen. Lists of the past are in
 * `logs.ts`, overlays in `overlays.ts`, snapshots in `snapshot.ts`.
 */
import { assertNever } from '../../protocol/result.ts'
import { moveIndex, topIndex } from '../model/lists.ts'
import type { Message, Motion } from '../model/message.ts'
import { chosenItem, focusOf, listHeight, type Model, type OrdersState } from '../model/model.ts'
import { chooseRow, chosenId, presentRows, presentTotal } from '../model/present.ts'
import { returnToNow, travelInTime } from '../model/travel.ts'
import {
  moveRecordingCursor,
  playbackOf,
  seekTo,
  stepThroughRecording,
} from '../model/recording.ts'
import { withErasedText, withTypedText } from './prompt.ts'
import { followLog, moveLog } from './logs.ts'
import { toggleMark, toggleRange, withoutMarks } from './marks.ts'
import {
  closePrompt,
  closeTopLayer,
  jumpToExchange,
  moveOverlay,
  openDetail,
  openOverlay,
  showPlace,
} from './overlays.ts'
import { cyclePanes, focusPane } from './panes.ts'
import { togglePin, chooseNextPin } from './pins.ts'
import { applySnapshot } from './snapshot.ts'
import { tabs } from '../model/tabs.ts'

export function updateModel(model: Model, message: Message): Model {
  switch (message.kind) {
    case 'pressed':
      return {
        ...model,
        notice: undefined,
        leaving: model.leaving && message.key === 'ctrl-c',
        stuck: model.stuck && (message.key === 'z' || message.key === 'Z'),
      }
    case 'resized':
      return { ...model, columns: message.columns, rows: message.rows }
    case 'seen':
      return applySnapshot(model, message.seen)
    case 'lost':
      return { ...model, lost: message.because }
    case 'told':
      return { ...model, notice: message.notice }
    case 'focused':
      return focusPane(model, message.pane)
    case 'cycled':
      return cyclePanes(model, message.by)
    case 'moved':
      return model.overlay
        ? moveOverlay(model, model.overlay, message.motion)
        : moveCursor(model, message.motion)
    case 'followed':
      return followLog(model, focusOf(model) === 'facts' ? 'facts' : 'traffic')
    case 'chosen':
      return { ...model, orderId: message.orderId }
    case 'picked':
      return { ...model, agenda: { ...model.agenda, chosen: message.id } }
    case 'tabbed':
      return switchTab(model, message.by)
    case 'narrowed':
      return { ...model, only: !model.only && model.orderId !== undefined, orders: ordersFromTop }
    case 'travelled':
      return travelInTime(model, message.by)
    case 'returned':
      return returnToNow(model)
    case 'opened':
      return openDetail(model)
    case 'helped':
      return openOverlay(model, { kind: 'help', top: 0 })
    case 'peeled':
      return closeTopLayer(model)
    case 'prompted':
      return { ...model, prompt: message.prompt }
    case 'answered':
      return closePrompt(model)
    case 'typed':
      return withTypedText(model, message.text)
    case 'erased':
      return withErasedText(model, message.all)
    case 'background':
      return { ...model, agenda: { ...model.agenda, background: !model.agenda.background } }
    case 'idled':
      return { ...model, filter: { ...model.filter, idle: !model.filter.idle } }
    case 'leaving':
      return { ...model, leaving: true }
    case 'stuck':
      return { ...model, stuck: true }
    case 'wound':
      return stepThroughRecording(model, message.by)
    case 'sought':
      return seekTo(model, message.place)
    case 'placed':
      return showPlace(model, message.place)
    case 'shown':
      return openOverlay(model, {
        kind: 'message',
        title: message.title,
        lines: message.lines,
        top: 0,
      })
    case 'marked':
      return moveAgenda(toggleMark(model), { kind: 'rows', by: 1 })
    case 'ranged':
      return toggleRange(model)
    case 'unmarked':
      return withoutMarks(model)
    case 'pinned':
      return togglePin(model)
    case 'pin-visited':
      return chooseNextPin(model)
    case 'listed':
      return openOverlay(model, message.overlay)
    case 'jumped':
      return jumpToExchange(model, message.seq)
    default:
      return assertNever(message)
  }
}

/** Switches panes 3 and 4 to the next entity kind and focuses the list, so that it is visible. */
function switchTab(model: Model, by: 1 | -1): Model {
  const index = (tabs.indexOf(model.tab) + by + tabs.length) % tabs.length
  return { ...focusPane(model, 'orders'), tab: tabs[index] ?? 'order', orders: ordersFromTop }
}

const ordersFromTop: OrdersState = { top: 0, to: undefined }

function moveCursor(model: Model, motion: Motion): Model {
  const pane = focusOf(model)
  switch (pane) {
    case 'traffic':
      return playbackOf(model) ? moveRecordingCursor(model, motion) : moveLog(model, pane, motion)
    case 'facts':
      return moveLog(model, pane, motion)
    case 'orders':
    case 'order':
      return moveOrders(model, motion)
    case 'agenda':
      return moveAgenda(model, motion)
    default:
      return assertNever(pane)
  }
}

/** The orders pane counts rows from the first order in total; the loaded rows start at an offset. */
function moveOrders(model: Model, motion: Motion): Model {
  const { seen } = model
  const rows = seen ? presentRows(model, seen) : []
  if (!seen || rows.length === 0) return model
  const offset = seen.query.ordersOffset
  const height = Math.max(1, listHeight(model, 'orders'))
  const total = Math.max(presentTotal(model, seen), offset + rows.length)
  if (motion.kind === 'first') return { ...model, orders: { top: 0, to: 'first' } }
  if (motion.kind === 'last')
    return { ...model, orders: { top: Math.max(0, total - height), to: 'last' } }
  const found = rows.findIndex(({ id }) => id === chosenId(model))
  const visible = Math.max(0, model.orders.top - offset)
  // If the chosen order was scrolled out of view, the cursor returns at the first visible row.
  const index = found < 0 ? visible : moveIndex(rows.length, height, found, motion)
  const top = topIndex(total, height, model.orders.top, offset + index)
  return chooseRow({ ...model, orders: { top, to: undefined } }, rows[index])
}

function moveAgenda(model: Model, motion: Motion): Model {
  const rows = model.seen?.agenda ?? []
  if (rows.length === 0) return model
  const height = listHeight(model, 'agenda')
  const current = rows.findIndex(({ id }) => id === chosenItem(model)?.id)
  const index = moveIndex(rows.length, height, current < 0 ? undefined : current, motion)
  const row = rows[index]
  if (!row) return model
  const top = topIndex(rows.length, height, model.agenda.top, index)
  return {
    ...model,
    agenda: { ...model.agenda, chosen: row.id, index, top },
    orderId: row.orderId ?? model.orderId,
  }
}
