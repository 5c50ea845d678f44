/**
 * Whoever cancels an order that is being delivered cancels the delivery first, explicitly (LOG-CON-04). The cancel of the
 * order waits until it is known what became of the delivery's, and is then decided anew; a refusal is told apart, so
 * that nobody goes on in silence (LOG-RUL-02).
 */
import type { Command } from '../command.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type ConsumerRole, shipmentKey } from './shipment.ts'
import { cancel } from './shipment-commands.ts'

export type DeliveryFirst =
  /** Nothing stands in the way any more. */
  | { readonly kind: 'go'; readonly facts: readonly Fact[] }
  /** The delivery's cancel is under way, and the command waits for it. */
  | { readonly kind: 'first'; readonly facts: readonly Fact[] }
  /** The platform would not cancel. */
  | { readonly kind: 'refused' }

export function deliveryFirst(
  role: ConsumerRole,
  orderId: string,
  command: Command,
  context: Context,
): DeliveryFirst {
  const shipment = context.world.logistics.shipments.get(shipmentKey(role, orderId))
  if (!shipment || shipment.phase === 'over') return { kind: 'go', facts: [] }
  const early = shipment.phase === 'waiting' || shipment.phase === 'asking'
  const cancelled = cancel(shipment, early ? undefined : command, context)
  if (!cancelled.ok) return { kind: 'refused' }
  return { kind: early ? 'go' : 'first', facts: cancelled.value }
}
