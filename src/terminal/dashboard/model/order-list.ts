/**
 * The list of pane 3: it follows the newest row until the operator chooses another, and its cursor is always visible. Each tab
 * follows on its own.
 */
import { topIndex } from './lists.ts'
import { focusOf, listHeight, type Model, type ReceivedSnapshot, type Tab } from './model.ts'
import { chooseRow, chosenId, presentRows, presentTotal } from './present.ts'

export const followsNewest = ({ tab, orders }: Model): boolean => orders.stopped[tab] === undefined

/** Number of rows that arrived since following stopped. */
export function newRowCount({ tab, orders, snapshot }: Model): number {
  const since = orders.stopped[tab]
  return snapshot && typeof since === 'number'
    ? Math.max(0, presentTotal({ tab }, snapshot) - since)
    : 0
}

/** Stops following: the cursor stays on its row. */
export function stopFollowing(model: Model, tab: Tab = model.tab): Model {
  const { orders } = model
  if (orders.stopped[tab] !== undefined) return model
  return { ...model, orders: { ...orders, stopped: { ...orders.stopped, [tab]: 'unseen' } } }
}

/** Follows the newest row again, and chooses it as soon as it is loaded. */
export function followNewest(model: Model): Model {
  const { [model.tab]: _stopped, ...stopped } = model.orders.stopped
  const next: Model = { ...model, orders: { top: 0, toLast: false, stopped } }
  return model.snapshot?.query.ordersOffset === 0
    ? chooseRow(next, presentRows(model, model.snapshot)[0])
    : next
}

/** Whether the operator is occupied with the chosen row, so that another one must not take its place. */
function isChosenInUse(model: Model): boolean {
  const { prompt, overlay, only, at, agenda } = model
  const pane = focusOf(model)
  return (
    pane === 'order' ||
    (pane === 'agenda' && agenda.chosen !== undefined) ||
    ((pane === 'facts' || pane === 'traffic') && !model[pane].follow) ||
    only ||
    at !== undefined ||
    prompt?.kind === 'move' ||
    prompt?.kind === 'force' ||
    overlay?.kind === 'story' ||
    (overlay?.kind === 'detail' && (overlay.of.kind === 'order' || overlay.of.kind === 'entity'))
  )
}

/** The last row may still be loading when another one is opened, which stays the chosen one. */
const withoutJump = (model: Model): Model =>
  model.orders.toLast && model.overlay
    ? { ...model, orders: { ...model.orders, toLast: false } }
    : model

/** After a key: a cursor that was set, or whose row is in use, no longer follows. */
export function holdCursor(before: Model, model: Model): Model {
  // In a recording the order follows the exchange, unless it was chosen in its own pane.
  if (model.snapshot?.playback) return model
  const held = isChosenInUse(model) ? withoutJump(stopFollowing(model)) : model
  const isOrderSet = before.orderId !== undefined && held.orderId !== before.orderId
  return isOrderSet && before.orders.stopped.order === undefined
    ? stopFollowing(held, 'order')
    : held
}

/** Place of the chosen row in the full list; undefined while it is not known. */
function placeOfChosen(model: Model, snapshot: ReceivedSnapshot): number | undefined {
  const id = chosenId(model)
  const index = presentRows(model, snapshot).findIndex((row) => row.id === id)
  if (index >= 0) return snapshot.query.ordersOffset + index
  if (id === undefined || snapshot.query.chosen !== id) return undefined
  return model.tab === 'order' ? (snapshot.playback ?? snapshot).orderPlace : snapshot.entityPlace
}

/** The order of a recording is chosen by the exchange that is looked at. */
const choosesNewest = (model: Model, { playback }: ReceivedSnapshot): boolean =>
  followsNewest(model) && !(playback && model.tab === 'order')

/** Scrolls so that the cursor is visible. */
export function scrollToChosen(model: Model): Model {
  const { snapshot, orders } = model
  const height = listHeight(model, 'orders')
  // The row that was requested is not loaded yet.
  if (!snapshot || height <= 0 || model.only || orders.toLast || choosesNewest(model, snapshot))
    return model
  const place = placeOfChosen(model, snapshot)
  const total = Math.max(presentTotal(model, snapshot), (place ?? -1) + 1)
  const top = topIndex(total, height, orders.top, place)
  return top === orders.top ? model : { ...model, orders: { ...orders, top } }
}

/** Moves the cursor to the newest row while it follows, or to the last row when that was requested. */
export function settleOrderList(model: Model, snapshot: ReceivedSnapshot): Model {
  const { orders, tab } = model
  const { ordersOffset: offset } = snapshot.query
  const rows = presentRows(model, snapshot)
  if (orders.toLast && offset + rows.length >= presentTotal(model, snapshot))
    return chooseRow({ ...model, orders: { ...orders, toLast: false } }, rows.at(-1))
  if (choosesNewest(model, snapshot)) {
    const atTop: Model = orders.top === 0 ? model : { ...model, orders: { ...orders, top: 0 } }
    return offset === 0 ? chooseRow(atTop, rows[0]) : atTop
  }
  if (orders.stopped[tab] !== 'unseen' || placeOfChosen(model, snapshot) === undefined) return model
  const since = presentTotal(model, snapshot)
  return { ...model, orders: { ...orders, stopped: { ...orders.stopped, [tab]: since } } }
}
