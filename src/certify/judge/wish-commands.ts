/** A wish as commands for the service, where that is a session of ours. */
import type { Command } from '../../core/engine/command.ts'
import type { Wish } from './procedure.ts'

/** None where commands cannot do it: orders and a new beginning have calls of their own, the rest has to be done by hand. */
export function commandsOfWish(wish: Wish): readonly Command[] {
  switch (wish.kind) {
    case 'cancel-order':
      return [{ kind: 'order.apply', orderId: wish.orderId, trigger: 'cancel' }]
    case 'deny-cancellation':
      return [{ kind: 'cancellation.answer', orderId: wish.orderId, answer: 'deny' }]
    case 'emit-events':
      return wish.eventTypes.map((eventType) => ({
        kind: 'event.emit',
        orderId: wish.orderId,
        eventType,
      }))
    case 'other':
      return wish.command ? [wish.command] : []
    default:
      return []
  }
}
