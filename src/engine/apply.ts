/**
 * The reducer: applies one fact to the world, in place and in O(1). Dispatches only; each capability applies its own
 * facts.
 */
import { assertNever } from '../protocol/result.ts'
import { applyEventEdit, applyAgenda } from './agenda/facts.ts'
import { applyAuth } from './auth/apply.ts'
import { applyCall } from './calls/apply.ts'
import { applySettingChanges } from './configured/setting-change.ts'
import { type Fact, isRowFact, rowOfFact } from './fact.ts'
import { applyFault, assignOrderSlot } from './faults/apply.ts'
import type { Instant } from './instant.ts'
import { applyLogistics } from './logistics/apply.ts'
import { applyLoyalty } from './loyalty/apply.ts'
import { isOfCapability } from './capability-kind.ts'
import { applyOrder } from './orders/apply.ts'
import { applyEvent } from './orders/event-facts.ts'
import { applyTicket } from './orders/ticket-facts.ts'
import { applyPlayback } from './playback/apply.ts'
import type { World } from './world.ts'

export function apply(world: World, fact: Fact, at: Instant): void {
  if (isRowFact(fact)) return rowOfFact(fact).apply?.(world, fact, at)
  switch (fact.kind) {
    case 'session.opened':
      return
    case 'session.configured':
      return applySettingChanges(world.configured, fact.changes)
    case 'agenda.planned':
    case 'agenda.taken':
    case 'agenda.refused':
    case 'agenda.held':
    case 'agenda.released':
    case 'agenda.dropped':
    case 'agenda.delayed':
    case 'agenda.moved':
    case 'agenda.edited':
    case 'agenda.undone':
    case 'agenda.redone':
      return applyAgenda(world, fact)
    case 'order.created':
      assignOrderSlot(world.faults, fact.order.id)
      return applyOrder(world.ordering, fact, at)
    case 'order.requested':
    case 'order.moved':
    case 'order.lapsed':
    case 'order.tracked':
    case 'order.amended':
    case 'cancellation.requested':
    case 'cancellation.answered':
    case 'item.cancel-requested':
    case 'item.cancelled':
      return applyOrder(world.ordering, fact, at)
    case 'event.emitted':
    case 'event.announced':
    case 'event.offered':
    case 'events.polled':
    case 'events.acknowledged':
    case 'event.pushed':
    case 'event.push-failed':
    case 'event.waiting':
    case 'event.given-up':
      return applyEvent(world, fact)
    case 'event.altered':
      return applyEventEdit(world, fact, () => applyEvent(world, fact))
    case 'ticket.announced':
      assignOrderSlot(world.faults, fact.orderId)
      return applyTicket(world.store, fact, at)
    case 'ticket.event-repeated':
    case 'ticket.event-forbidden':
    case 'ticket.polled':
    case 'ticket.read':
    case 'ticket.asked':
    case 'ticket.accepted':
    case 'ticket.refused':
    case 'ticket.stuck':
      return applyTicket(world.store, fact, at)
    case 'consent.granted':
    case 'consent.denied':
    case 'token.issued':
    case 'token.revoked':
      return applyAuth(world, fact)
    case 'call.placed':
    case 'call.concluded':
    case 'call.postponed':
    case 'partner.accepted':
    case 'partner.unchanged':
    case 'partner.changed':
    case 'partner.restored':
    case 'partner.rejected':
    case 'partner.merchants':
      return applyCall(world, fact)
    default:
      if (isOfCapability(fact, 'delivery', 'shipment'))
        return applyLogistics(world.logistics, fact, at)
      if (isOfCapability(fact, 'loyalty', 'reward')) return applyLoyalty(world.loyalty, fact, at)
      if (isOfCapability(fact, 'fault')) return applyFault(world.faults, fact, at)
      // A pause is no part of the world: its end is read from the fact by the code that began it.
      if (isOfCapability(fact, 'pause')) return
      if (isOfCapability(fact, 'playback')) return applyPlayback(world, fact, at)
      return assertNever(fact)
  }
}
