/** Applies facts about orders at the Ordering Application. */
import { compact } from '../../compact.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import type { OrderFact } from '../fact.ts'
import type { Instant } from '../instant.ts'
import { type OrderingWorld, type OrderRecord, worldBounds } from '../world.ts'

function change(world: OrderingWorld, orderId: string, changes: Partial<OrderRecord>): void {
  const record = world.orders.get(orderId)
  if (record) world.orders.set(orderId, { ...record, ...changes })
}

/** Marks an order as finished, and evicts the oldest finished one with its events when there are too many. */
function retire(world: OrderingWorld, orderId: string): void {
  const forgotten = addBounded(world.over, orderId, worldBounds.ordersOver)
  if (forgotten === undefined) return
  for (const eventId of world.orders.get(forgotten)?.eventIds ?? []) {
    world.events.delete(eventId)
    world.mailbox.delete(eventId)
    world.waiting.delete(eventId)
  }
  world.orders.delete(forgotten)
}

export function applyOrder(world: OrderingWorld, fact: OrderFact, at: Instant): void {
  switch (fact.kind) {
    case 'order.created':
      world.arrivals = fact.arrival ?? world.arrivals
      world.orders.set(fact.order.id, {
        order: fact.order,
        status: 'CREATED',
        since: at,
        way: [{ status: 'CREATED', at }],
        eventIds: [],
      })
      return
    case 'order.moved': {
      const record = world.orders.get(fact.orderId)
      if (!record) return
      world.orders.set(fact.orderId, {
        ...record,
        status: fact.to,
        since: at,
        // A spread leaves spare capacity that is never used: over many orders that adds up.
        way: record.way.concat({ status: fact.to, at, trigger: fact.trigger }),
      })
      if (fact.to === 'CONCLUDED') retire(world, fact.orderId)
      return
    }
    case 'cancellation.requested':
      return change(world, fact.orderId, { cancellation: 'asked' })
    case 'cancellation.answered':
      return change(world, fact.orderId, { cancellation: fact.answer })
    case 'item.cancelled': {
      const record = world.orders.get(fact.orderId)
      if (!record) return
      const { items, total, payments } = fact
      const order = { ...record.order, items: [...items], total, payments }
      world.orders.set(fact.orderId, { ...record, order })
      return
    }
    case 'order.amended': {
      const record = world.orders.get(fact.orderId)
      if (!record) return
      const { preparationStartDateTime, observations } = fact.details
      const order = {
        ...record.order,
        ...compact({ observations }),
        ...(preparationStartDateTime === undefined
          ? {}
          : { timing: { ...record.order.timing, preparationStartDateTime } }),
      }
      world.orders.set(fact.orderId, { ...record, order })
      return
    }
    case 'order.requested':
    case 'order.lapsed':
    case 'order.tracked':
    case 'item.cancel-requested':
      return
    default:
      return assertNever(fact)
  }
}
