/**
 * The Software Service's habits: it polls, acknowledges what it has stored, reads the order, and takes its steps one by
 * one, each when GET shows that the last one took effect. It reacts to facts of its own slice only.
 */
import { acknowledgmentOf } from '../protocol/orders/acknowledgment.ts'
import { speaksV1, trusts } from '../protocol/dialects/settings.ts'
import type { ReadManifest } from '../protocol/discovery/read.ts'
import { isOrderEventType, orderEvents, type OrderEventType } from '../protocol/orders/events.ts'
import type { ProgressionTrigger } from '../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import type { Planned } from '../engine/agenda/item.ts'
import { isPoll } from '../engine/calls/call.ts'
import { isWaiting } from '../engine/orders/tickets.ts'
import type { Settings } from '../engine/settings.ts'
import type { Ticket } from '../engine/world.ts'
import { draw, loop, plan } from './habit.ts'
import { missingItem } from './missing-item.ts'
import type { Range, StoreTemperament } from './temperament.ts'
import { v1Step } from './v1-habits.ts'

const stream = 'software-service'

/** What a store does about an order of this profile in this status. */
const next: Partial<Record<OrderStatus, (profile: OrderType) => ProgressionTrigger>> = {
  CREATED: () => 'confirm',
  CONFIRMED: () => 'preparing',
  PREPARING: () => 'ready-for-pickup',
  READY: (profile) => (profile === 'DELIVERY' ? 'dispatch' : 'delivered'),
  IN_DELIVERY: () => 'delivered',
}

/** Which of its times each step takes. */
const takes: Readonly<Record<ProgressionTrigger, (temperament: StoreTemperament) => Range>> = {
  confirm: ({ confirm }) => confirm,
  preparing: ({ prepare }) => prepare,
  'ready-for-pickup': ({ ready }) => ready,
  dispatch: ({ dispatch }) => dispatch,
  delivered: ({ deliver }) => deliver,
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

const acknowledge = (body: unknown): Planned =>
  plan(
    {
      kind: 'call.place',
      call: {
        from: 'software-service',
        to: 'ordering-application',
        operation: 'acknowledgeEvents',
        body,
        attempt: 1,
      },
    },
    0,
  )

const reconcile = ({ orderId, round }: Ticket, afterMs: number): Planned =>
  plan({ kind: 'ticket.reconcile', orderId, round }, afterMs)

/** Whether the news of an event make it read the order: all that change it, none that only inform (ORD-EVR-01). */
const isWorthReading = (eventType: OrderEventType): boolean =>
  orderEvents[eventType].projects !== undefined ||
  eventType === 'ITEM_CANCELLED' ||
  eventType === 'CANCELLATION_REQUEST_DENIED'

/** Both sides declare polling, or this side trusts the other to serve it (ORD-CHN-01). */
function polls({ capabilities }: ReadManifest, { channels, conduct }: Settings): boolean {
  const orders = capabilities['orders']
  if (!channels.polling) return false
  return orders ? (orders.originator?.supportsPolling ?? true) : trusts(conduct)
}

/** The step that follows from what was read, with whatever the temperament makes of it. */
function advance(
  ticket: Ticket,
  temperament: StoreTemperament,
  context: Context,
): readonly Planned[] {
  const { orderId, status, profile } = ticket
  if (!status || !profile || ticket.cancelling) return []
  const trigger = speaksV1(context.settings.conduct) ? v1Step(ticket) : next[status]?.(profile)
  if (!trigger || isWaiting(ticket)) return []
  const chance = context.chance(stream)
  if (chance.oneIn(temperament.forgetsStepOneIn)) return []
  const after = draw(takes[trigger](temperament), chance)
  const command = { kind: 'ticket.advance', orderId, trigger } as const
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
  // V1 cancels whole orders only.
  const missing = speaksV1(context.settings.conduct)
    ? undefined
    : missingItem(ticket, temperament, context)
  const steps = missing ?? advance(ticket, temperament, context)
  const longest = Math.max(0, ...steps.map(({ afterMs }) => afterMs))
  return [...steps, reconcile(ticket, longest + draw(temperament.reconcile, chance))]
}

/** Reading failed: again after a pause that grows with every failure. */
const readAgain = (ticket: Ticket): Planned =>
  reconcile(ticket, Math.min(60_000, 1000 * 2 ** Math.min(ticket.quiet, 6)))

/** Every order that is not over is read now. */
const readsAll = ({ world }: Context): readonly Planned[] =>
  Array.from(world.store.tickets.values())
    .filter(({ closed }) => !closed)
    .map((ticket) => reconcile(ticket, 0))

export const softwareService =
  (temperament: StoreTemperament): Reactor =>
  (fact, context) => {
    const { world, settings, chance } = context
    const pause = (): number => draw(temperament.pollEvery, chance(stream))
    switch (fact.kind) {
      case 'partner.accepted': {
        if (fact.from !== 'software-service' || fact.partner !== 'ordering-application') return []
        return [
          ...(polls(fact.manifest, settings) ? [poll(0)] : []),
          // Heard of by webhook before the manifest was valid, and not read since.
          ...readsAll(context),
        ]
      }
      case 'partner.restored':
        // Its poll has only waited. What it heard of meanwhile was not read.
        return fact.from === 'software-service' && fact.partner === 'ordering-application'
          ? readsAll(context)
          : []
      case 'ticket.polled': {
        // A full answer leaves something behind; one without anything new is asked for again at the usual pace only.
        const full =
          fact.eventIds.length >= settings.conduct.pollBatch &&
          fact.eventIds.some((eventId) => !world.store.seen.has(eventId))
        const again = poll(full ? 0 : Math.max(pause(), fact.pauseMs ?? 0))
        const forgets = chance(stream).oneIn(temperament.forgetsAckOneIn)
        return fact.eventIds.length === 0 || forgets
          ? [again]
          : [
              acknowledge(acknowledgmentOf(fact.eventIds, settings.conduct.acknowledgmentBody)),
              again,
            ]
      }
      case 'call.concluded': {
        const { call, ok, retryAfterMs } = fact
        if (!isPoll(call.operation) || ok || retryAfterMs !== undefined) return []
        return [poll(pause() * Math.min(call.attempt, 10), call.attempt + 1)]
      }
      case 'ticket.announced': {
        const ticket = world.store.tickets.get(fact.orderId)
        if (!ticket || !isOrderEventType(fact.eventType)) return []
        // An order that it never read is read whatever was heard: CREATED may be lost (ORD-EVR-06).
        if (isWorthReading(fact.eventType) || ticket.status === undefined)
          return [reconcile(ticket, 0)]
        return ticket.closed ? [] : [reconcile(ticket, draw(temperament.reconcile, chance(stream)))]
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
