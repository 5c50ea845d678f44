/**
 * The reducer of the dashboard: model and message to next model. No clock, session or screen. Lists of the past are in
 * `logs.ts`, snapshots in `snapshot.ts`.
 */
import { assertNever } from '../../protocol/result.ts'
import { overlayLength } from '../view/detail.ts'
import { moveIndex, scroll, topIndex } from '../model/lists.ts'
import { paneIds, visiblePanes, type PaneId } from '../model/layout.ts'
import type { Message, Motion } from '../model/message.ts'
import {
  chosenItem,
  focusOf,
  layoutOf,
  listHeight,
  type Model,
  type OrdersState,
  type Overlay,
} from '../model/model.ts'
import { chooseRow, chosenId, presentRows, presentTotal } from '../model/present.ts'
import { isListOverlay } from '../view/overlays/catalogue.ts'
import { openListLines } from '../view/overlays/open.ts'
import { moveListing } from '../view/overlays/listing.ts'
import { detailTargetOf } from '../model/open-target.ts'
import { returnToNow, travelInTime } from '../model/travel.ts'
import {
  chosenPlace,
  choosePlace,
  moveRecordingCursor,
  playbackOf,
  seekTo,
  stepThroughRecording,
} from '../model/recording.ts'
import { withErasedText, withTypedText, withFilter } from './prompt.ts'
import { followLog, moveLog } from './logs.ts'
import { isSelecting, toggleMark, toggleRange, withoutMarks } from './marks.ts'
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
      return { ...model, overlay: { kind: 'help', top: 0 } }
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
      return {
        ...model,
        overlay: { kind: 'message', title: message.title, lines: message.lines, top: 0 },
      }
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
      return { ...model, overlay: message.overlay }
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

const focusPane = (model: Model, pane: PaneId): Model => ({
  ...model,
  recent: [pane, ...model.recent.filter((other) => other !== pane)],
})

/** Cycles through the panes by number, including those that share an area. */
function cyclePanes(model: Model, by: 1 | -1): Model {
  const screenLayout = layoutOf(model)
  const visible: readonly PaneId[] = [
    ...visiblePanes(screenLayout, model.recent).map(({ id }) => id),
    ...(screenLayout.shared?.panes ?? []),
  ]
  const all = paneIds.filter((id) => visible.includes(id))
  const index = all.indexOf(focusOf(model))
  const next = all[(index + by + all.length) % all.length]
  return next ? focusPane(model, next) : model
}

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

function moveOverlay(model: Model, overlay: Overlay, motion: Motion): Model {
  if (isListOverlay(overlay))
    return { ...model, overlay: moveListing(openListLines(model), overlay, motion, model) }
  const { body } = layoutOf(model)
  const height = Math.max(1, body.height - 1)
  const top = scroll(overlayLength(model), height, overlay.top, motion)
  return { ...model, overlay: { ...overlay, top } }
}

function openDetail(model: Model): Model {
  if (playbackOf(model) && focusOf(model) === 'traffic')
    return {
      ...model,
      overlay: { kind: 'beside', place: chosenPlace(model), chosen: undefined, top: 0 },
    }
  const of = detailTargetOf(model)
  return of ? { ...model, overlay: { kind: 'detail', of, top: 0 } } : model
}

/** An open compare view follows: a burst of keys is faster than the snapshot. */
function showPlace(model: Model, place: number): Model {
  const { overlay } = model
  const nextOverlay: Overlay | undefined =
    overlay?.kind === 'beside' ? { ...overlay, place, chosen: undefined, top: 0 } : overlay
  return choosePlace({ ...focusPane(model, 'traffic'), overlay: nextOverlay }, place)
}

/** The overlay below the details of one invariant is the list of all. */
const overlayBelow = (overlay: Overlay): Overlay | undefined =>
  overlay.kind === 'verdict'
    ? { kind: 'verdicts', chosen: `verdict ${overlay.id}`, top: 0 }
    : undefined

/** Chooses an exchange and clears everything that could hide it. */
function jumpToExchange(model: Model, seq: number): Model {
  const since = model.seen?.info.counts.exchanges ?? 0
  return {
    ...focusPane(model, 'traffic'),
    overlay: undefined,
    only: false,
    filter: { draft: '', valid: '', problem: undefined, idle: true },
    traffic: { follow: false, chosen: seq, top: undefined, since, toFirst: false },
  }
}

/** Closes exactly one layer, the topmost; it never quits. */
function closeTopLayer(model: Model): Model {
  const { prompt } = model
  if (prompt?.kind === 'filter') return { ...withFilter(model, prompt.before), prompt: undefined }
  if (prompt) return { ...model, prompt: undefined }
  if (model.overlay) return { ...model, overlay: overlayBelow(model.overlay) }
  if (isSelecting(model)) return withoutMarks(model)
  if (model.filter.draft !== '') return withFilter(model, '')
  if (model.only) return { ...model, only: false }
  return model.at === undefined && model.recording.at === undefined ? model : returnToNow(model)
}

/** Closes the prompt; an invalid filter is replaced by the last valid one. */
function closePrompt(model: Model): Model {
  const { filter, prompt } = model
  const closed: Model = { ...model, prompt: undefined }
  if (prompt?.kind !== 'filter' || filter.problem === undefined) return closed
  return {
    ...closed,
    filter: { ...filter, draft: filter.valid, problem: undefined },
    notice: { text: filter.problem, tone: 'warn' },
  }
}
