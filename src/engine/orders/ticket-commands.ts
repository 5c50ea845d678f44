/** The Software Service's own steps: it hears of events, takes the next step of an order, reads it again. */
import { isForbidden, isOrderEventType } from '../../protocol/orders/events.ts'
import { step } from '../../protocol/orders/lifecycle.ts'
import { ok, unreachable } from '../../protocol/result.ts'
import type { CallIntent } from '../calls/call.ts'
import { placed } from '../calls/place.ts'
import type { TicketCommand } from '../command.ts'
import type { Context, Decision } from '../decision.ts'
import type { Channel, Fact } from '../fact.ts'
import { refuse } from '../refusal.ts'
import type { Ticket, World } from '../world.ts'
import { type Asked, mostQuietReads, operationOf } from './tickets.ts'

type Of<Kind extends TicketCommand['kind']> = Extract<TicketCommand, { kind: Kind }>

export function decideTicket(command: TicketCommand, context: Context): Decision {
  switch (command.kind) {
    case 'ticket.notify':
      return notify(command, context.world)
    case 'ticket.advance':
      return advance(command, context)
    case 'ticket.reconcile':
      return reconcile(command, context)
    case 'ticket.cancel':
      return ask(command.orderId, 'cancel', context, { body: command.request })
    case 'ticket.cancel-item': {
      const { orderId, itemId, cancellation } = command
      return ask(orderId, 'cancel-item', context, { body: cancellation, params: { itemId } })
    }
    default:
      return unreachable(command)
  }
}

interface Heard {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
}

/** The fact of an event that came: new, known already, or forbidden for what the order is known to be (ORD-EVR-03, 07). */
export function heard(event: Heard, channel: Channel, world: World): Fact {
  const { eventId, eventType, orderId } = event
  const { store } = world
  if (store.seen.has(eventId)) return { kind: 'ticket.event-repeated', eventId, channel }
  const profile = store.tickets.get(orderId)?.profile
  const forbidden = profile && isOrderEventType(eventType) && isForbidden(eventType, profile)
  return {
    kind: forbidden ? 'ticket.event-forbidden' : 'ticket.announced',
    orderId,
    eventId,
    eventType,
    channel,
  }
}

function notify({ event }: Of<'ticket.notify'>, world: World): Decision {
  const fact = heard(event, 'webhook', world)
  return fact.kind === 'ticket.event-forbidden'
    ? refuse(
        'EVENT_NOT_ALLOWED',
        `${event.eventType} is forbidden for the profile of order ${event.orderId}`,
      )
    : ok([fact])
}

/** One call about an order, and the fact that it is asked for. */
function ask(
  orderId: string,
  asked: Asked,
  context: Context,
  more: Pick<CallIntent, 'body' | 'params'> = {},
): Decision {
  if (!context.world.store.tickets.has(orderId))
    return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
  const call: CallIntent = {
    from: 'software-service',
    to: 'ordering-application',
    operation: operationOf[asked],
    params: { orderId, ...more.params },
    ...(more.body === undefined ? {} : { body: more.body }),
    attempt: 1,
  }
  return ok([{ kind: 'ticket.asked', orderId, trigger: asked }, placed(call, context)])
}

/** Whether the step is the lifecycle's next one for what we believe the order to be. */
const mayAdvance = (ticket: Ticket, { trigger }: Of<'ticket.advance'>): boolean =>
  !ticket.closed &&
  !ticket.cancelling &&
  ticket.status !== undefined &&
  ticket.profile !== undefined &&
  step(ticket.status, trigger, ticket.profile).kind === 'moves'

function advance(command: Of<'ticket.advance'>, context: Context): Decision {
  const { orderId, trigger, force } = command
  const ticket = context.world.store.tickets.get(orderId)
  if (ticket && !force && !mayAdvance(ticket, command)) return ok([])
  const body = trigger === 'confirm' ? { estimatedPreparationTimeMinutes: 20 } : undefined
  return ask(orderId, trigger, context, body ? { body } : {})
}

/** Reads the order again, unless news came since this was planned (ORD-EVR-06). */
function reconcile({ orderId, round }: Of<'ticket.reconcile'>, context: Context): Decision {
  const ticket = context.world.store.tickets.get(orderId)
  if (!ticket) return refuse('NOT_FOUND', `the Software Service knows no order ${orderId}`)
  if (ticket.round !== round) return ok([])
  if (ticket.quiet >= mostQuietReads)
    return ok([
      {
        kind: 'ticket.stuck',
        orderId,
        ...(ticket.status === undefined ? {} : { status: ticket.status }),
      },
    ])
  return ok([
    placed(
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
}
