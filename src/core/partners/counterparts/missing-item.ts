/**
 * The Software Service's reaction to an item out of stock: requests to cancel the whole order before confirmation;
 * confirms and cancels the line where the customer prefers that and both sides support it (ORD-ITM-05, ORD-ITM-06,
 * ORD-FLD-10).
 */
import type { DecisionContext } from '../../engine/decision.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { mayCancelItems, hasPendingRequest } from '../../engine/orders/tickets.ts'
import type { OrderTicket } from '../../engine/world.ts'
import { drawDuration, plan } from './planning.ts'
import type { StoreTemperament } from './temperament.ts'

/** The scheduled commands if an item of this order is missing; undefined if none is, or it is handled already. */
export function missingItemPlans(
  ticket: OrderTicket,
  temperament: StoreTemperament,
  context: DecisionContext,
): readonly PlannedCommand[] | undefined {
  const { orderId, status, order, cancelling, denied } = ticket
  if (!order || cancelling || denied) return undefined
  // Drawn from a fork by order id, so every read of the order gives the same result.
  const chance = context.chance('software-service').fork(orderId)
  if (!chance.oneIn(temperament.itemMissingOneIn)) return undefined
  const item = chance.pick(order.items)
  const cancellation = {
    reason: `acabou: ${item.name}`,
    code: 'UNAVAILABLE_ITEM',
    mode: 'AUTO',
  } as const
  const cancelsLine =
    order.unavailabilityPreference === 'REMOVE_ITEM' &&
    order.items.length > 1 &&
    mayCancelItems(context)
  if (status === 'CREATED' && !cancelsLine)
    return [
      plan(
        {
          kind: 'ticket.cancel',
          orderId,
          request: { ...cancellation, outOfStockItems: [item.id] },
        },
        drawDuration(temperament.confirm, chance),
      ),
    ]
  const isActive = item.status === undefined || item.status === 'ACTIVE'
  if (status === 'CONFIRMED' && cancelsLine && isActive && !hasPendingRequest(ticket))
    return [plan({ kind: 'ticket.cancel-item', orderId, itemId: item.id, cancellation }, 0)]
  return undefined
}
