/** The cursors of the panes: moved by keys, set to a new order, and kept visible. */
import { assertNever } from '../../../core/protocol/result.ts'
import { moveIndex, topIndex, viewShift } from '../model/lists.ts'
import type { PaneId } from '../model/layout.ts'
import type { Motion } from '../model/message.ts'
import { chosenItem, focusOf, followingLog, listHeight, type Model } from '../model/model.ts'
import { followNewest, followsNewest, scrollToChosen, stopFollowing } from '../model/order-list.ts'
import { chooseRow, chosenId, presentRows, presentTotal } from '../model/present.ts'
import { moveRecordingCursor, playbackOf } from '../model/recording.ts'
import { followLog, moveLog } from './logs.ts'

export function moveCursor(model: Model, motion: Motion, pane: PaneId = focusOf(model)): Model {
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
export function moveOrders(model: Model, motion: Motion): Model {
  const { snapshot } = model
  const rows = snapshot ? presentRows(model, snapshot) : []
  if (!snapshot || rows.length === 0) return model
  const offset = snapshot.query.ordersOffset
  const height = Math.max(1, listHeight(model, 'orders'))
  const total = Math.max(presentTotal(model, snapshot), offset + rows.length)
  if (motion.kind === 'first') return followNewest(model)
  const held = stopFollowing(model)
  if (motion.kind === 'last') {
    const top = Math.max(0, total - height)
    return { ...held, orders: { ...held.orders, top, toLast: true } }
  }
  const found = rows.findIndex(({ id }) => id === chosenId(model))
  const visible = Math.max(0, model.orders.top - offset)
  // If the chosen order was scrolled out of view, the cursor returns at the first visible row.
  const index = found < 0 ? visible : moveIndex(rows.length, height, found, motion)
  const top = topIndex(total, height, model.orders.top + viewShift(motion), offset + index)
  return chooseRow({ ...held, orders: { ...held.orders, top, toLast: false } }, rows[index])
}

export function moveAgenda(model: Model, motion: Motion): Model {
  const rows = model.snapshot?.agenda ?? []
  if (rows.length === 0) return model
  const height = listHeight(model, 'agenda')
  const current = rows.findIndex(({ id }) => id === chosenItem(model)?.id)
  const index = moveIndex(rows.length, height, current < 0 ? undefined : current, motion)
  const row = rows[index]
  if (!row) return model
  const top = topIndex(rows.length, height, model.agenda.top + viewShift(motion), index)
  return {
    ...model,
    agenda: { ...model.agenda, chosen: row.id, index, top, awaited: undefined },
    orderId: row.orderId ?? model.orderId,
  }
}

/** Keeps the cursor visible in the lists that store their scroll position by index. */
export function scrollToCursors(model: Model): Model {
  const { snapshot, agenda } = model
  if (!snapshot) return model
  const index = snapshot.agenda.findIndex(({ id }) => id === chosenItem(model)?.id)
  const height = listHeight(model, 'agenda')
  const top =
    index < 0 || height <= 0
      ? agenda.top
      : topIndex(snapshot.agenda.length, height, agenda.top, index)
  return scrollToChosen(top === agenda.top ? model : { ...model, agenda: { ...agenda, top } })
}

/** A new order has the cursor in every pane; what happens to it comes at the end of the past. */
export const showNewOrder = (model: Model, orderId: string): Model =>
  stopFollowing(
    {
      ...model,
      orderId,
      tab: 'order',
      facts: followingLog,
      traffic: followingLog,
      agenda: { ...model.agenda, awaited: orderId },
    },
    'order',
  )

/** Toggles following in the focused pane; in the traffic where the pane cannot follow. */
export function toggleFollowing(model: Model): Model {
  const pane = focusOf(model)
  if (pane !== 'orders' && pane !== 'order')
    return followLog(model, pane === 'facts' ? 'facts' : 'traffic')
  return followsNewest(model) ? stopFollowing(model) : followNewest(model)
}
