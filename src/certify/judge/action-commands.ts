/** A service action as commands for the service, where that is a session of ours. */
import type { Command } from '../../core/engine/command.ts'
import type { ServiceAction } from './procedure.ts'

/**
 * None where commands cannot do it: orders and a new beginning have calls of their own, the rest has to be done by
 * hand.
 */
export function commandsOfAction(action: ServiceAction): readonly Command[] {
  switch (action.kind) {
    case 'cancel-order':
      return [{ kind: 'order.apply', orderId: action.orderId, trigger: 'cancel' }]
    case 'deny-cancellation':
      return [{ kind: 'cancellation.answer', orderId: action.orderId, answer: 'deny' }]
    case 'emit-events':
      return action.eventTypes.map((eventType) => ({
        kind: 'event.emit',
        orderId: action.orderId,
        eventType,
      }))
    case 'other':
      return action.command ? [action.command] : []
    default:
      return []
  }
}
