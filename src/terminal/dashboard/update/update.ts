/**
 * The reducer of the dashboard: model and message to next model. No clock, session or screen. Lists of the past are in
 * `logs.ts`, cursors in `cursors.ts`, overlays in `overlays.ts`, snapshots in `snapshot.ts`.
 */
import { assertNever } from '../../../core/protocol/result.ts'
import { layout, type PaneId } from '../model/layout.ts'
import type { Message, Motion } from '../model/message.ts'
import { focusOf, type Model, type Tab, tabs } from '../model/model.ts'
import { holdCursor, stopFollowing } from '../model/order-list.ts'
import { returnToNow, showWorldAt, travelInTime } from '../model/travel.ts'
import {
  choosePlace,
  chooseVisiblePlace,
  chosenPlace,
  playbackOf,
  seekTo,
  stepThroughRecording,
} from '../model/recording.ts'
import { withErasedText, withFilter, withSearchText, withTypedText } from './prompt.ts'
import {
  moveAgenda,
  moveCursor,
  moveOrders,
  scrollToCursors,
  showNewOrder,
  toggleFollowing,
} from './cursors.ts'
import {
  chooseAdjacentPin,
  isSelecting,
  toggleMark,
  togglePin,
  toggleRange,
  withoutMarks,
} from './marks.ts'
import {
  addNotice,
  closeOverlay,
  closePromptLayer,
  cyclePanes,
  focusPane,
  noticesOverlay,
  openOverlay,
} from './layers.ts'
import { applySnapshot } from './snapshot.ts'
import { chooseRow, presentRows } from '../model/present.ts'
import { isListOverlay, listLinesOf, openListLines } from '../view/overlays/catalogue.ts'
import { chooseLogRow } from './logs.ts'
import { chosenExchangeSeq, detailTargetOf } from '../model/open-target.ts'
import type { Overlay } from '../model/overlay.ts'
import { overlayLength } from '../view/detail.ts'
import { moveListing } from '../view/overlays/listing.ts'
import { scroll } from '../model/lists.ts'
import { searchedPane, searchText, withSearch } from '../model/search.ts'

/** Opens, scrolls and closes overlays, and closes prompts. */
function moveOverlay(model: Model, overlay: Overlay, motion: Motion): Model {
  if (isListOverlay(overlay))
    return { ...model, overlay: moveListing(openListLines(model), overlay, motion, model) }
  const { body } = model.layout
  const height = Math.max(1, body.height - 1)
  const top = scroll(overlayLength(model), height, overlay.top, motion)
  return { ...model, overlay: { ...overlay, top } }
}

function openDetail(model: Model): Model {
  if (playbackOf(model) && focusOf(model) === 'traffic')
    return openOverlay(model, {
      kind: 'beside',
      place: chosenPlace(model),
      chosen: undefined,
      top: 0,
    })
  const of = detailTargetOf(model)
  return of ? openOverlay(model, { kind: 'detail', of, top: 0 }) : model
}

/** An open compare view follows: a burst of keys is faster than the snapshot. */
function showPlace(model: Model, place: number): Model {
  const { overlay } = model
  const nextOverlay: Overlay | undefined =
    overlay?.kind === 'beside' ? { ...overlay, place, chosen: undefined, top: 0 } : overlay
  return choosePlace({ ...focusPane(model, 'traffic'), overlay: nextOverlay }, place)
}

/** Chooses an exchange that the filter lets through; an open detail of an exchange shows it instead. */
function chooseExchange(model: Model, seq: number): Model {
  const { overlay } = model
  const since = model.traffic.follow
    ? (model.snapshot?.info.counts.exchanges ?? 0)
    : model.traffic.since
  const chosen: Model = {
    ...focusPane(model, 'traffic'),
    traffic: { follow: false, chosen: seq, top: undefined, since, toFirst: false },
  }
  return overlay?.kind === 'detail'
    ? { ...chosen, overlay: { kind: 'detail', of: { kind: 'exchange', seq }, top: 0 } }
    : chosen
}

/**
 * Chooses the exchange that was sent again, where the original still has the cursor; a list that follows shows it
 * anyway.
 */
function chooseResent(
  model: Model,
  { original, seq }: { readonly original: number; readonly seq: number },
): Model {
  const isOpen = model.overlay?.kind === 'detail'
  const isListed = !model.overlay && focusOf(model) === 'traffic' && !model.traffic.follow
  return (isOpen || isListed) && chosenExchangeSeq(model) === original
    ? chooseExchange(model, seq)
    : model
}

/** Chooses an exchange and clears everything that could hide it. */
function jumpToExchange(model: Model, seq: number): Model {
  const since = model.snapshot?.info.counts.exchanges ?? 0
  return {
    ...focusPane(model, 'traffic'),
    overlay: undefined,
    covered: [],
    only: false,
    filter: { draft: '', valid: '', problem: undefined, idle: true },
    traffic: { follow: false, chosen: seq, top: undefined, since, toFirst: false },
  }
}

/** Closes exactly one layer, the topmost; it never quits. */
function closeTopLayer(model: Model): Model {
  const { prompt } = model
  if (prompt?.kind === 'filter') return { ...withFilter(model, prompt.before), prompt: undefined }
  if (prompt?.kind === 'search')
    return { ...withSearchText(model, prompt.pane, prompt.before), prompt: undefined }
  if (prompt) return closePromptLayer(model)
  if ((model.overlay?.search ?? '') !== '') return withSearchText(model, 'overlay', '')
  if (model.overlay) return closeOverlay(model)
  const searched = searchedPane(model)
  if (searched && searchText(model, searched) !== '') return withSearch(model, searched, '')
  if (isSelecting(model)) return withoutMarks(model)
  if (model.filter.draft !== '') return withFilter(model, '')
  if (Object.values(model.search).some((text) => text !== '')) return { ...model, search: {} }
  if (model.only) return { ...model, only: false }
  return model.at === undefined && model.recording.at === undefined ? model : returnToNow(model)
}

/** Closes the prompt; an invalid filter is replaced by the last valid one. */
function closePrompt(model: Model): Model {
  const { filter, prompt } = model
  const closed: Model = closePromptLayer(model)
  if (prompt?.kind !== 'filter' || filter.problem === undefined) return closed
  return {
    ...closed,
    filter: { ...filter, draft: filter.valid, problem: undefined },
    notice: { text: filter.problem, tone: 'warn' },
  }
}

/**
 * Opens the next or the previous row in the open overlay: the row of the pane below it, of the list, of the recording.
 */
type Step = 1 | -1

const atEnd = (model: Model, by: Step): Model => ({
  ...model,
  notice: { text: by > 0 ? 'this is the last one' : 'this is the first one', tone: 'muted' },
})

function adjacentDetail(model: Model, by: Step): Model {
  const moved = moveCursor(model, { kind: 'rows', by })
  const of = detailTargetOf(moved)
  const isSame = JSON.stringify(of) === JSON.stringify(detailTargetOf(model))
  if (!of || isSame) return atEnd(model, by)
  return { ...moved, overlay: { kind: 'detail', of, top: 0 } }
}

function adjacentStory(model: Model, by: Step): Model {
  const moved = moveOrders(model, { kind: 'rows', by })
  const { orderId } = moved
  if (orderId === undefined || orderId === model.orderId) return atEnd(model, by)
  return { ...moved, overlay: { kind: 'story', about: orderId, chosen: undefined, top: 0 } }
}

function adjacentVerdict(model: Model, id: string, by: Step): Model {
  const ids = listLinesOf(model, { kind: 'verdicts', chosen: undefined, top: 0 }).flatMap(
    ({ target }) => (target?.kind === 'verdict' ? [target.id] : []),
  )
  const next = ids[ids.indexOf(id) + by]
  if (next === undefined) return atEnd(model, by)
  // The list below has its cursor on the rule that is open.
  const covered = model.covered.map((each): Overlay =>
    each.kind === 'verdicts' ? { ...each, chosen: `verdict ${next}` } : each,
  )
  return {
    ...model,
    covered,
    overlay: { kind: 'verdict', id: next, chosen: undefined, top: 0 },
  }
}

function openAdjacent(model: Model, by: Step): Model {
  const { overlay } = model
  switch (overlay?.kind) {
    case 'detail':
      return adjacentDetail(model, by)
    case 'story':
      return adjacentStory(model, by)
    case 'verdict':
      return adjacentVerdict(model, overlay.id, by)
    case 'beside': {
      const place = overlay.place + by
      const exists = place >= 0 && place < (playbackOf(model)?.total ?? 0)
      return exists ? showPlace(model, place) : atEnd(model, by)
    }
    default:
      return model
  }
}

/** What a click on a row does: its pane gets the focus, and the row is chosen where it is. */
type RowClick = string | number

function clickRow(model: Model, area: PaneId | 'overlay', clicked: RowClick | undefined): Model {
  if (area !== 'overlay')
    return clicked === undefined
      ? focusPane(model, area)
      : chooseInPane(focusPane(model, area), area, clicked)
  const { overlay } = model
  return overlay && isListOverlay(overlay) && typeof clicked === 'string'
    ? { ...model, overlay: { ...overlay, chosen: clicked } }
    : model
}

function chooseInPane(model: Model, pane: PaneId, clicked: RowClick): Model {
  switch (pane) {
    case 'traffic':
      return playbackOf(model)
        ? chooseVisiblePlace(model, Number(clicked))
        : chooseLogRow(model, pane, Number(clicked))
    case 'facts':
      return chooseLogRow(model, pane, Number(clicked))
    case 'agenda':
      return chooseItem(model, Number(clicked))
    case 'orders': {
      const rows = model.snapshot ? presentRows(model, model.snapshot) : []
      const row = rows.find(({ id }) => id === clicked) ?? { id: String(clicked) }
      // A marked order is shown above the list, which need not have it loaded.
      const orderId = model.tab === 'order' ? row.id : row.orderId
      return chooseRow(stopFollowing(model), { ...row, orderId })
    }
    // Its rows are one order.
    case 'order':
      return model
    default:
      return assertNever(pane)
  }
}

function chooseItem(model: Model, id: number): Model {
  const index = model.snapshot?.agenda.findIndex((row) => row.id === id) ?? -1
  const row = model.snapshot?.agenda[index]
  if (!row) return model
  return {
    ...model,
    agenda: { ...model.agenda, chosen: id, index, awaited: undefined },
    orderId: row.orderId ?? model.orderId,
  }
}

export function updateModel(model: Model, message: Message): Model {
  const next = reduce(model, message)
  if (next === model || withoutLists.has(message.kind)) return next
  return scrollToCursors(message.kind === 'snapshot' ? next : holdCursor(model, next))
}

/** Messages that change no list and no cursor: what was visible still is. */
const withoutLists: ReadonlySet<Message['kind']> = new Set([
  'pressed',
  'notice',
  'notice-expired',
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
    case 'snapshot':
      return applySnapshot(model, message.snapshot)
    case 'lost':
      return { ...model, lost: message.because }
    case 'notice':
      return addNotice(model, message.notice)
    case 'notice-expired':
      return model.notice === message.notice ? { ...model, notice: undefined } : model
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
      return {
        ...model,
        saved: model.snapshot?.info.counts.actions ?? 0,
        prompt: message.quits ? { kind: 'quit' } : model.prompt,
      }
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
