/**
 * The Software Service's habits: it polls, acknowledges what it has stored, reads the order, and takes its steps one by
 * one, each when GET shows that the last one took effect. It reacts to facts of its own slice only.
 */
import { orderEvents, isOrderEventType } from '../protocol/orders/events.ts'
import type { ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import type { Planned } from '../engine/item.ts'
import type { Ticket } from '../engine/world.ts'
import { draw, loop, plan } from './habit.ts'
import { missingItem } from './missing-item.ts'
import type { Range, StoreTemperament } from './temperament.ts'

const stream = 'software-service'

interface Next {
  readonly trigger: ProgressionTrigger
  readonly after: (temperament: StoreTemperament) => Range
}

/** What a store does about an order of this profile in this status, and which of its times that takes. */
const next: Partial<Record<OrderStatus, (profile: OrderType) => Next>> = {
  CREATED: () => ({ trigger: 'confirm', after: ({ confirm }) => confirm }),
  CONFIRMED: () => ({ trigger: 'preparing', after: ({ prepare }) => prepare }),
  PREPARING: () => ({ trigger: 'ready-for-pickup', after: ({ ready }) => ready }),
  READY: (profile) =>
    profile === 'DELIVERY'
      ? { trigger: 'dispatch', after: ({ dispatch }) => dispatch }
      : { trigger: 'delivered', after: ({ deliver }) => deliver },
  IN_DELIVERY: () => ({ trigger: 'delivered', after: ({ deliver }) => deliver }),
}

/** The next poll; `full` when the last one may have left something behind. */
const poll = (afterMs: number, attempt = 1): Planned =>
  loop(
    {
      kind: 'call.place',
      call: {
        from: 'software-service',
        to: 'ordering-application',
        operation: 'pollingEvents',
        attempt,
      },
    },
    afterMs,
  )

const acknowledge = (eventIds: readonly string[]): Planned =>
  plan(
    {
      kind: 'call.place',
      call: {
        from: 'software-service',
        to: 'ordering-application',
        operation: 'acknowledgeEvents',
        body: { eventIds },
        attempt: 1,
      },
    },
    0,
  )

const reconcile = ({ orderId, round }: Ticket, afterMs: number): Planned =>
  plan({ kind: 'ticket.reconcile', orderId, round }, afterMs)

/** Whether the news of an event make it read the order: all that change it, none that only inform (ORD-EVR-01). */
function isWorthReading(eventType: string): boolean {
  if (!isOrderEventType(eventType)) return false
  return (
    orderEvents[eventType].projects !== undefined ||
    eventType === 'ITEM_CANCELLED' ||
    eventType === 'CANCELLATION_REQUEST_DENIED'
  )
}

/** The step that follows from what was read, with whatever the temperament makes of it. */
function advance(
  ticket: Ticket,
  temperament: StoreTemperament,
  context: Context,
): readonly Planned[] {
  const { orderId, status, profile, asked, quiet } = ticket
  if (!status || !profile || ticket.cancelling) return []
  const step = next[status]?.(profile)
  // What was asked for may only be slow: it is asked again after two reads without news, not before (ORD-EVR-06).
  if (!step || (asked !== undefined && quiet < 2)) return []
  const chance = context.chance(stream)
  if (chance.oneIn(temperament.forgetsStepOneIn)) return []
  const after = draw(step.after(temperament), chance)
  const command = { kind: 'ticket.advance', orderId, trigger: step.trigger } as const
  return [
    plan(command, after),
    ...(chance.oneIn(temperament.repeatsCallOneIn)
      ? [plan({ ...command, force: true }, after + 20)]
      : []),
    ...(chance.oneIn(temperament.skipsAheadOneIn)
      ? [plan({ ...command, trigger: 'delivered', force: true }, after)]
      : []),
    ...(status === 'CONFIRMED' && chance.oneIn(temperament.cancelsOneIn)
      ? [
          plan(
            {
              kind: 'ticket.cancel',
              orderId,
              request: {
                reason: 'a cozinha não dá conta',
                code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
                mode: 'MANUAL',
              },
            },
            after,
          ),
        ]
      : []),
  ]
}

/** What it does after it has read an order. It reads again if nothing is heard of it (ORD-EVR-06). */
function afterReading(
  fact: Extract<Fact, { kind: 'ticket.read' }>,
  temperament: StoreTemperament,
  context: Context,
): readonly Planned[] {
  const ticket = context.world.store.tickets.get(fact.orderId)
  if (!ticket || ticket.closed) return []
  const chance = context.chance(stream)
  const missing = missingItem(ticket, temperament, context)
  const steps = missing ?? advance(ticket, temperament, context)
  const longest = Math.max(0, ...steps.map(({ afterMs }) => afterMs))
  return [...steps, reconcile(ticket, longest + draw(temperament.reconcile, chance))]
}

/** Reading failed: again after a pause that grows with every failure. */
const readAgain = (ticket: Ticket): Planned =>
  reconcile(ticket, Math.min(60_000, 1000 * 2 ** Math.min(ticket.quiet, 6)))

export const softwareService =
  (temperament: StoreTemperament): Reactor =>
  (fact, context) => {
    const { world, settings, chance } = context
    const pause = (): number => draw(temperament.pollEvery, chance(stream))
    switch (fact.kind) {
      case 'partner.accepted': {
        if (fact.from !== 'software-service' || fact.partner !== 'ordering-application') return []
        const polls = fact.manifest.capabilities['orders']?.originator?.supportsPolling ?? true
        return polls && settings.channels.polling ? [poll(0)] : []
      }
      case 'ticket.polled': {
        const full = fact.eventIds.length >= settings.conduct.pollBatch
        const again = poll(full ? 0 : Math.max(pause(), fact.pauseMs ?? 0))
        const forgets = chance(stream).oneIn(temperament.forgetsAckOneIn)
        return fact.eventIds.length === 0 || forgets ? [again] : [acknowledge(fact.eventIds), again]
      }
      case 'call.concluded': {
        const { call, ok, retryAfterMs } = fact
        if (call.operation !== 'pollingEvents' || ok || retryAfterMs !== undefined) return []
        return [poll(pause() * Math.min(call.attempt, 10), call.attempt + 1)]
      }
      case 'ticket.announced': {
        const ticket = world.store.tickets.get(fact.orderId)
        return ticket && isWorthReading(fact.eventType) ? [reconcile(ticket, 0)] : []
      }
      case 'ticket.read':
        return afterReading(fact, temperament, context)
      case 'ticket.refused': {
        const ticket = world.store.tickets.get(fact.orderId)
        return ticket && !ticket.closed ? [readAgain(ticket)] : []
      }
      default:
        return []
    }
  }
