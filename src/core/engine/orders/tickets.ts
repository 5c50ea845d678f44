/**
 * Queries on the Software Service's tickets, and the operation of each request. The Software Service learns from events
 * and from GET only, never from the other side's state.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { v2OperationOf } from '../../protocol/v1/operation-names.ts'
import { isManifestRead } from '../calls/manifest-answer.ts'
import type { Settings } from '../settings.ts'
import { partnerOf, type OrderTicket, type World } from '../world.ts'

interface Context {
  readonly settings: Settings
  readonly world: World
}

export type TicketRequest = ProgressionTrigger | 'cancel' | 'cancel-item'

export const ticketOperations: Readonly<Record<TicketRequest, OperationId>> = {
  confirm: 'confirmOrder',
  preparing: 'setOrderPreparing',
  'ready-for-pickup': 'setOrderReadyForPickup',
  dispatch: 'dispatchOrder',
  delivered: 'setOrderDelivered',
  cancel: 'requestCancellation',
  'cancel-item': 'cancelOrderItem',
}

export const ticketRequestOf = (operation: OperationId): TicketRequest | undefined =>
  (Object.keys(ticketOperations) as TicketRequest[]).find(
    (asked) => ticketOperations[asked] === v2OperationOf(operation),
  )

/** Statuses in which the Software Service has nothing left to do. */
export const isTicketStatusFinal = (status: OrderStatus | undefined): boolean =>
  status === 'DELIVERED' || status === 'CANCELLED' || status === 'CONCLUDED'

/** A pending request may just be slow: it is not repeated before two reads without news (ORD-EVR-06). */
export const hasPendingRequest = ({ asked, quiet }: OrderTicket): boolean =>
  asked !== undefined && quiet < 2

/** Whether the Ordering Application's manifest is valid: before that no business calls go there (DIS-GEN-02). */
export const mayCallOrderingApplication = ({ world }: Pick<Context, 'world'>): boolean =>
  partnerOf(world, 'software-service', 'ordering-application')?.state === 'accepted'

/** Whether both sides declare the cancellation of single lines, or the other has no manifest (ORD-ITM-06). */
export function mayCancelItems({ settings, world }: Context): boolean {
  const partner = partnerOf(world, 'software-service', 'ordering-application')?.manifest
  return (
    !settings.conduct.withheldOperations.includes('partialItemCancellation') &&
    partner !== undefined &&
    (!isManifestRead(partner) ||
      (partner.capabilities['orders']?.operations.includes('partialItemCancellation') ?? false))
  )
}

/** Maximum consecutive reads without news, or calls refused in one status; then the order counts as stuck. */
const maxTriesWithoutNews = 10

export const isRefusedForGood = ({ refusals = 0 }: OrderTicket): boolean =>
  refusals >= maxTriesWithoutNews

export const isStuck = (ticket: OrderTicket): boolean =>
  ticket.quiet >= maxTriesWithoutNews || isRefusedForGood(ticket)
