/** Decides commands of the Software Service: it receives events, takes the next step of an order, reads it again. */
import { compact } from '../../base/compact.ts'
import { isForbiddenForProfile, isOrderEventType } from '../../protocol/orders/events.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { orderLifecycleIn } from '../../protocol/orders/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import type { CallIntent } from '../calls/call.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { CommandOf } from '../command.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { cancelDeliveryFirst } from '../logistics/cancel-delivery-first.ts'
import { refuse } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import type { OrderTicket, World } from '../world.ts'
import type { TicketCommand } from './ticket-commands.ts'
import {
  type TicketRequest,
  mayCancelItems,
  hasPendingRequest,
  mayCallOrderingApplication,
  isRefusedForGood,
  isStuck,
  ticketOperations,
} from './tickets.ts'
import type { EventChannel } from '../emitted-event.ts'

interface ReceivedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
}

/**
 * The fact of a received event: forbidden for the order's profile (also when repeated), a duplicate, or new
 * (ORD-EVR-03, 07).
 */
export function eventReceivedFact(event: ReceivedEvent, channel: EventChannel, world: World): Fact {
  const { eventId, eventType, orderId } = event
  const { store } = world
  const details = { orderId, eventId, eventType, channel }
  const profile = store.tickets.get(orderId)?.profile
  if (profile && isOrderEventType(eventType) && isForbiddenForProfile(eventType, profile))
    return { kind: 'ticket.event-forbidden', ...details }
  if (store.seen.has(eventId)) return { kind: 'ticket.event-repeated', eventId, channel }
  return { kind: 'ticket.announced', ...details }
}

/** Places one call about an order and records the pending request. */
function placeRequest(
  orderId: string,
  asked: TicketRequest,
  context: DecisionContext,
  more: Pick<CallIntent, 'body' | 'params'> = {},
): Decision {
  if (!context.world.store.tickets.has(orderId))
    return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
  if (!mayCallOrderingApplication(context))
    return refuse('CONFLICT', 'the Ordering Application is not called before its manifest is valid')
  const call: CallIntent = {
    from: 'software-service',
    to: 'ordering-application',
    operation: ticketOperations[asked],
    params: { orderId, ...more.params },
    ...compact({ body: more.body }),
    attempt: 1,
  }
  return ok([{ kind: 'ticket.asked', orderId, trigger: asked }, callPlacedFact(call, context)])
}

/** Whether the step is the lifecycle's next one in the known status, and not requested already. */
const mayAdvance = (
  ticket: OrderTicket,
  { trigger }: CommandOf<'ticket.advance'>,
  { conduct }: Settings,
): boolean =>
  !ticket.closed &&
  !ticket.cancelling &&
  !ticket.halted &&
  !hasPendingRequest(ticket) &&
  ticket.status !== undefined &&
  ticket.profile !== undefined &&
  orderLifecycleIn(conduct).step(ticket.status, trigger, ticket.profile).kind === 'moves'

export const ticketDecisions: Decisions<TicketCommand> = {
  'ticket.notify'({ event }, { world, settings }) {
    const fact = eventReceivedFact(event, 'webhook', world)
    return fact.kind === 'ticket.event-forbidden'
      ? refuse(
          'EVENT_NOT_ALLOWED',
          `${event.eventType} is forbidden for the profile of order ${event.orderId}`,
        )
      : ok([...v1HeardFacts(event, settings), fact])
  },
  'ticket.advance'(command, context) {
    const { orderId, trigger, force } = command
    const ticket = context.world.store.tickets.get(orderId)
    if (ticket && !force && !mayAdvance(ticket, command, context.settings)) return ok([])
    const body = trigger === 'confirm' ? { estimatedPreparationTimeMinutes: 20 } : undefined
    return placeRequest(orderId, trigger, context, body ? { body } : {})
  },
  /** Reads the order again, unless news came since this was planned (ORD-EVR-06). */
  'ticket.reconcile'({ orderId, round }, context) {
    const ticket = context.world.store.tickets.get(orderId)
    if (!ticket) return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
    // Nothing is read before the manifest is valid; then every open order is.
    if (ticket.round !== round || !mayCallOrderingApplication(context)) return ok([])
    if (ticket.closed && isRefusedForGood(ticket)) return ok([])
    if (isStuck(ticket))
      return ok([
        {
          kind: 'ticket.stuck',
          orderId,
          ...compact({ status: ticket.status }),
        },
      ])
    return ok([
      callPlacedFact(
        {
          from: 'software-service',
          to: 'ordering-application',
          operation: 'getOrder',
          params: { orderId },
          attempt: 1,
        },
        context,
      ),
    ])
  },
  /** Requests cancellation of the whole order, unless that is pending or no longer needed. */
  'ticket.cancel'(command, context) {
    const { orderId, request } = command
    const ticket = context.world.store.tickets.get(orderId)
    if (ticket && (ticket.cancelling || ticket.halted || ticket.closed)) return ok([])
    const delivery = cancelDeliveryFirst('software-service', orderId, command, context)
    if (delivery.kind === 'first') return ok(delivery.facts)
    if (delivery.kind === 'refused')
      return refuse(
        'CONFLICT',
        `the order ${orderId} is not cancelled: its delivery was refused its cancel, and support has to look into it`,
      )
    const asked = placeRequest(orderId, 'cancel', context, { body: request })
    return asked.ok ? ok([...delivery.facts, ...asked.value]) : asked
  },
  /** Cancels an order line where both sides declare the operation, or the counterpart is trusted without a manifest. */
  'ticket.cancel-item'(command, context) {
    const { orderId, itemId, cancellation } = command
    const { conduct } = context.settings
    if (speaksV1(conduct)) return refuse('CONFLICT', 'V1 cancels whole orders only')
    if (!mayCancelItems(context))
      return refuse('CONFLICT', 'partialItemCancellation is not declared by both sides')
    return placeRequest(orderId, 'cancel-item', context, { body: cancellation, params: { itemId } })
  },
}

/** The fact of a received V1 event, stored in addition to the ordinary ones; none in V2. */
export const v1HeardFacts = (
  { eventId, orderId, eventType }: ReceivedEvent,
  { conduct }: Settings,
): readonly Fact[] =>
  speaksV1(conduct) ? [{ kind: 'legacy.heard', eventId, orderId, eventType }] : []
