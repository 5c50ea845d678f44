/**
 * What the Software Service does when an item has run out: before confirmation it asks to cancel the whole order; where
 * the customer prefers it and both sides can, it confirms and cancels the line (ORD-ITM-05, ORD-ITM-06, ORD-FLD-10).
 */
import type { Context } from '../engine/decision.ts'
import type { Planned } from '../engine/agenda/item.ts'
import { cancelsItems, isWaiting } from '../engine/orders/tickets.ts'
import type { Ticket } from '../engine/world.ts'
import { draw, plan } from './habit.ts'
import type { StoreTemperament } from './temperament.ts'

/** Its plans when an item of this order is missing; undefined when none is, or it is dealt with. */
export function missingItem(
  ticket: Ticket,
  temperament: StoreTemperament,
  context: Context,
): readonly Planned[] | undefined {
  const { orderId, status, order, cancelling, denied } = ticket
  if (!order || cancelling || denied) return undefined
  // Drawn from the order's own fork, so every look at the order gives the same answer.
  const chance = context.chance('software-service').fork(orderId)
  if (!chance.oneIn(temperament.itemMissingOneIn)) return undefined
  const item = chance.pick(order.items)
  const said = { reason: `acabou: ${item.name}`, code: 'UNAVAILABLE_ITEM', mode: 'AUTO' } as const
  const removes =
    order.unavailabilityPreference === 'REMOVE_ITEM' &&
    order.items.length > 1 &&
    cancelsItems(context)
  if (status === 'CREATED' && !removes)
    return [
      plan(
        { kind: 'ticket.cancel', orderId, request: { ...said, outOfStockItems: [item.id] } },
        draw(temperament.confirm, chance),
      ),
    ]
  const there = item.status === undefined || item.status === 'ACTIVE'
  if (status === 'CONFIRMED' && removes && there && !isWaiting(ticket))
    return [plan({ kind: 'ticket.cancel-item', orderId, itemId: item.id, cancellation: said }, 0)]
  return undefined
}
