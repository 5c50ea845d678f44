/**
 * Cancels the delivery explicitly before its order is cancelled (LOG-CON-04). The order's cancel waits for the outcome
 * and is then decided again; a refusal is reported separately, so that the order is not cancelled silently
 * (LOG-RUL-02).
 */
import type { Command } from '../command.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { ConsumerRole } from './commands.ts'
import { shipmentKey } from './shipment.ts'
import { cancelShipment } from './shipment-commands.ts'

export type DeliveryFirstOutcome =
  /** The order may be cancelled now. */
  | { readonly kind: 'go'; readonly facts: readonly Fact[] }
  /** The delivery's cancel is in flight; the command waits for it. */
  | { readonly kind: 'first'; readonly facts: readonly Fact[] }
  /** The platform refused to cancel. */
  | { readonly kind: 'refused' }

export function cancelDeliveryFirst(
  role: ConsumerRole,
  orderId: string,
  command: Command,
  context: DecisionContext,
): DeliveryFirstOutcome {
  const shipment = context.world.logistics.shipments.get(shipmentKey(role, orderId))
  if (!shipment || shipment.phase === 'over') return { kind: 'go', facts: [] }
  const isNotCreated = shipment.phase === 'waiting' || shipment.phase === 'asking'
  const cancelled = cancelShipment(shipment, isNotCreated ? undefined : command, context)
  if (!cancelled.ok) return { kind: 'refused' }
  return { kind: isNotCreated ? 'go' : 'first', facts: cancelled.value }
}
