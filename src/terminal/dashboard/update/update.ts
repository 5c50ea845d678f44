/**
 * The reducer of the dashboard: model and message to next model. No clock, session or screen. Lists of the past are in
 * `logs.ts`, cursors in `cursors.ts`, overlays in `overlays.ts`, snapshots in `snapshot.ts`.
 */
import { assertNever } from '../../../core/protocol/result.ts'
import { layout } from '../model/layout.ts'
import type { Message } from '../model/message.ts'
import { type Model, type Tab, tabs } from '../model/model.ts'
import { holdCursor } from '../model/order-list.ts'
import { returnToNow, showWorldAt, travelInTime } from '../model/travel.ts'
import { seekTo, stepThroughRecording } from '../model/recording.ts'
import { withErasedText, withFilter, withTypedText } from './prompt.ts'
import {
  moveAgenda,
  moveCursor,
  scrollToCursors,
  showNewOrder,
  toggleFollowing,
} from './cursors.ts'
import { clickRow } from './clicks.ts'
import { chooseAdjacentPin, toggleMark, togglePin, toggleRange, withoutMarks } from './marks.ts'
import { openAdjacent } from './adjacent.ts'
import {
  chooseExchange,
  chooseResent,
  closePrompt,
  closeTopLayer,
  jumpToExchange,
  moveOverlay,
  openDetail,
  showPlace,
} from './overlays.ts'
import {
  addNotice,
  closeOverlay,
  cyclePanes,
  focusPane,
  noticesOverlay,
  openOverlay,
} from './layers.ts'
import { applySnapshot } from './snapshot.ts'

export function updateModel(model: Model, message: Message): Model {
  const next = reduce(model, message)
  if (next === model || withoutLists.has(message.kind)) return next
  return scrollToCursors(message.kind === 'seen' ? next : holdCursor(model, next))
}

/** Messages that change no list and no cursor: what was visible still is. */
const withoutLists: ReadonlySet<Message['kind']> = new Set([
  'pressed',
  'notice',
  'leaving',
  'stuck',
  'saved',
])

function reduce(model: Model, message: Message): Model {
  switch (message.kind) {
    case 'pressed':
      return {
        ...model,
        notice: undefined,
        pressed: { key: message.key, isRepeated: model.pressed.key === message.key },
        leaving: model.leaving && message.key === 'ctrl-c',
        stuck: model.stuck && (message.key === 'z' || message.key === 'Z'),
      }
    case 'resized':
      return { ...model, layout: layout(message.columns, message.rows, model.recent) }
    case 'seen':
      return applySnapshot(model, message.seen)
    case 'lost':
      return { ...model, lost: message.because }
    case 'notice':
      return addNotice(model, message.notice)
    case 'focused':
      return focusPane(model, message.pane)
    case 'cycled':
      return cyclePanes(model, message.by)
    case 'moved':
      return model.overlay
        ? moveOverlay(model, model.overlay, message.motion)
        : moveCursor(model, message.motion, message.pane)
    case 'clicked':
      return clickRow(model, message.area, message.row)
    case 'followed':
      return toggleFollowing(model)
    case 'chosen':
      return showNewOrder(model, message.orderId)
    case 'picked':
      return { ...model, agenda: { ...model.agenda, chosen: message.id, awaited: undefined } }
    case 'filtered':
      return withFilter(focusPane(model, 'traffic'), message.text)
    case 'fact-shown':
      return showWorldAt(model, message.seq)
    case 'notices-shown':
      return openOverlay(model, noticesOverlay(model))
    case 'tab-chosen':
      return chooseTab(model, message.tab)
    case 'tabbed':
      return switchTab(model, message.by)
    case 'narrowed':
      return { ...model, only: !model.only && model.orderId !== undefined }
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
    case 'closed':
      return closeOverlay(model)
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
    case 'everything':
      return { ...model, everything: !model.everything }
    case 'idled':
      return { ...model, filter: { ...model.filter, idle: !model.filter.idle } }
    case 'leaving':
      return { ...model, leaving: true }
    case 'saved':
      return { ...model, saved: model.seen?.info.counts.actions ?? 0 }
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
      return chooseAdjacentPin(model, message.by)
    case 'listed':
      return openOverlay(model, message.overlay)
    case 'adjacent':
      return openAdjacent(model, message.by)
    case 'exchange-chosen':
      return chooseExchange(model, message.seq)
    case 'resent':
      return chooseResent(model, message)
    case 'jumped':
      return jumpToExchange(model, message.seq)
    default:
      return assertNever(message)
  }
}

/** Switches panes 3 and 4 to the next entity kind. */
function switchTab(model: Model, by: 1 | -1): Model {
  const index = (tabs.indexOf(model.tab) + by + tabs.length) % tabs.length
  return chooseTab(model, tabs[index] ?? 'order')
}

/** Focuses the list as well, so that it is visible. */
const chooseTab = (model: Model, tab: Tab): Model => ({
  ...focusPane(model, 'orders'),
  tab,
  orders: { ...model.orders, top: 0, toLast: false },
  search: { ...model.search, orders: '' },
})
