/** A fact changes the world, in place and in O(1). This file only dispatches; each capability knows its own facts. */
import { unreachable } from '../protocol/result.ts'
import { applyAgenda } from './agenda-facts.ts'
import { applyAuth } from './auth/apply.ts'
import { applyCall } from './calls/apply.ts'
import type { Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import { applyOrder } from './orders/apply.ts'
import { applyEvent } from './orders/event-facts.ts'
import { applyTicket } from './orders/ticket-facts.ts'
import type { World } from './world.ts'

export function apply(world: World, fact: Fact, at: Instant): void {
  switch (fact.kind) {
    case 'session.opened':
      return
    case 'agenda.planned':
    case 'agenda.taken':
    case 'agenda.refused':
    case 'agenda.held':
    case 'agenda.released':
    case 'agenda.dropped':
    case 'agenda.delayed':
    case 'agenda.moved':
    case 'agenda.edited':
      return applyAgenda(world.agenda, fact)
    case 'order.created':
    case 'order.requested':
    case 'order.moved':
    case 'order.lapsed':
    case 'order.tracked':
    case 'cancellation.requested':
    case 'cancellation.answered':
    case 'item.cancel-requested':
    case 'item.cancelled':
      return applyOrder(world.ordering, fact, at)
    case 'event.emitted':
    case 'event.offered':
    case 'events.polled':
    case 'events.acknowledged':
    case 'event.pushed':
    case 'event.push-failed':
    case 'event.waiting':
    case 'event.given-up':
      return applyEvent(world.ordering, fact)
    case 'ticket.announced':
    case 'ticket.event-repeated':
    case 'ticket.event-forbidden':
    case 'ticket.polled':
    case 'ticket.read':
    case 'ticket.asked':
    case 'ticket.accepted':
    case 'ticket.refused':
    case 'ticket.stuck':
      return applyTicket(world.store, fact, at)
    case 'token.issued':
    case 'token.revoked':
      return applyAuth(world.tokens, fact)
    case 'call.placed':
    case 'call.concluded':
    case 'partner.accepted':
    case 'partner.rejected':
    case 'partner.merchants':
      return applyCall(world, fact)
    default:
      return unreachable(fact)
  }
}
