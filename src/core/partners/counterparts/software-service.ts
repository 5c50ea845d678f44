/**
 * Autonomous behaviour of the Software Service: polls, acknowledges stored events, reads the order, and advances it
 * step by step, each time after GET shows the effect of the last step. It reacts to facts of its own slice only.
 */
import { acknowledgmentBodyOf } from '../../protocol/orders/acknowledgment.ts'
import { isManifestRead } from '../../engine/calls/manifest-answer.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import { isOrderEventType, orderEvents, type OrderEventType } from '../../protocol/orders/events.ts'
import type { ProgressionTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Chance } from '../../engine/chance.ts'
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { isPollOperation } from '../../engine/calls/call.ts'
import { hasPendingRequest, isRefusedForGood, mayCancelItems } from '../../engine/orders/tickets.ts'
import type { Settings } from '../../engine/settings.ts'
import type { OrderTicket } from '../../engine/world.ts'
import { drawDuration, loop, planCall, plan } from './planning.ts'
import type { DurationRange, StoreBehaviour } from './behaviour.ts'
import { v1Step } from './v1-habits.ts'

// The Software Service's reaction to an item out of stock: requests to cancel the whole order
// before confirmation; confirms and cancels the line where the customer prefers that and both sides
// support it (ORD-ITM-05, ORD-ITM-06, ORD-FLD-10).

/** The scheduled commands if an item of this order is missing; undefined if none is, or it is handled already. */
function missingItemPlans(
  ticket: OrderTicket,
  behaviour: StoreBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] | undefined {
  const { orderId, status, order, cancelling, denied } = ticket
  if (!order || cancelling || denied) return undefined
  // Drawn from a fork by order id, so every read of the order gives the same result.
  const chance = context.chance('software-service').fork(orderId)
  if (!chance.oneIn(behaviour.itemMissingOneIn)) return undefined
  const item = chance.pick(order.items)
  const cancellation = {
    reason: `acabou: ${item.name}`,
    code: 'UNAVAILABLE_ITEM',
    mode: 'AUTO',
  } as const
  const cancelsLine =
    order.unavailabilityPreference === 'REMOVE_ITEM' &&
    order.items.length > 1 &&
    mayCancelItems(context)
  if (status === 'CREATED' && !cancelsLine)
    return [
      plan(
        {
          kind: 'ticket.cancel',
          orderId,
          request: { ...cancellation, outOfStockItems: [item.id] },
        },
        drawDuration(behaviour.confirm, chance),
      ),
    ]
  const isActive = item.status === undefined || item.status === 'ACTIVE'
  if (status === 'CONFIRMED' && cancelsLine && isActive && !hasPendingRequest(ticket))
    return [plan({ kind: 'ticket.cancel-item', orderId, itemId: item.id, cancellation }, 0)]
  return undefined
}

const stream = 'software-service'

/** The next step of an order by status and profile. */
const nextTrigger: Partial<Record<OrderStatus, (profile: OrderType) => ProgressionTrigger>> = {
  CREATED: () => 'confirm',
  CONFIRMED: () => 'preparing',
  PREPARING: () => 'ready-for-pickup',
  READY: (profile) => (profile === 'DELIVERY' ? 'dispatch' : 'delivered'),
  IN_DELIVERY: () => 'delivered',
}

/** The duration range of each step. */
const durationOf: Readonly<
  Record<ProgressionTrigger, (behaviour: StoreBehaviour) => DurationRange>
> = {
  confirm: ({ confirm }) => confirm,
  preparing: ({ prepare }) => prepare,
  'ready-for-pickup': ({ ready }) => ready,
  dispatch: ({ dispatch }) => dispatch,
  delivered: ({ deliver }) => deliver,
}

/** The next poll. */
const poll = (afterMs: number, attempt = 1): PlannedCommand =>
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

/** Acknowledges all events, as many in one call as the partner takes. */
function acknowledgments(
  eventIds: readonly string[],
  { conduct: { acknowledgmentBody: body, acknowledgmentLimit: most } }: Settings,
): readonly PlannedCommand[] {
  const batches = Math.ceil(eventIds.length / most)
  return Array.from({ length: batches }, (_, index) =>
    acknowledge(acknowledgmentBodyOf(eventIds.slice(index * most, (index + 1) * most), body)),
  )
}

const acknowledge = (body: unknown): PlannedCommand =>
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

const reconcile = ({ orderId, round }: OrderTicket, afterMs: number): PlannedCommand =>
  plan({ kind: 'ticket.reconcile', orderId, round }, afterMs)

/** Whether an event triggers a read of the order: those that change it, not informational ones (ORD-EVR-01). */
const triggersRead = (eventType: OrderEventType): boolean =>
  orderEvents[eventType].projects !== undefined ||
  eventType === 'ITEM_CANCELLED' ||
  eventType === 'CANCELLATION_REQUEST_DENIED'

/** Whether to poll: both sides declare polling, or this side trusts the other to serve it (ORD-CHN-01). */
function shouldPoll(manifest: ParsedManifest, { channels }: Settings): boolean {
  const { orders } = manifest.capabilities
  if (!channels.polling) return false
  return orders ? (orders.originator?.supportsPolling ?? true) : !isManifestRead(manifest)
}

/** Calls that a store makes by mistake beside its next step. */
function trialsOf(
  { orderId, status, profile, order }: OrderTicket,
  { cancelsLineOneIn, dispatchesAnyOneIn, lacksTokenOneIn }: StoreBehaviour,
  chance: Chance,
  after: number,
): readonly PlannedCommand[] {
  const [line, ...more] = (order?.items ?? []).filter(
    ({ status: one = 'ACTIVE' }) => one === 'ACTIVE',
  )
  const cancellation = { reason: 'acabou', code: 'UNAVAILABLE_ITEM', mode: 'AUTO' } as const
  const parties = { from: 'software-service', to: 'ordering-application' } as const
  const read = { ...parties, operation: 'getOrder', params: { orderId } } as const
  const hasNoCourier = status === 'READY' && profile !== undefined && profile !== 'DELIVERY'
  return [
    ...(status === 'PREPARING' && line && more.length > 0 && chance.oneIn(cancelsLineOneIn)
      ? [plan({ kind: 'ticket.cancel-item', orderId, itemId: line.id, cancellation } as const, 0)]
      : []),
    ...(hasNoCourier && chance.oneIn(dispatchesAnyOneIn)
      ? [
          plan(
            { kind: 'ticket.advance', orderId, trigger: 'dispatch', force: true } as const,
            Math.floor(after / 2),
          ),
        ]
      : []),
    ...(chance.oneIn(lacksTokenOneIn)
      ? [planCall({ ...read, scopes: [], trial: 'it has no token' }, Math.floor(after / 2))]
      : []),
  ]
}

/** The step that follows from the last read, with the profile's random deviations. */
function advance(
  ticket: OrderTicket,
  behaviour: StoreBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { orderId, status, profile } = ticket
  if (behaviour.isPassive || !status || !profile || ticket.cancelling) return []
  const trigger = speaksV1(context.settings.conduct)
    ? v1Step(ticket)
    : nextTrigger[status]?.(profile)
  if (!trigger || hasPendingRequest(ticket) || isRefusedForGood(ticket)) return []
  const chance = context.chance(stream)
  if (chance.oneIn(behaviour.forgetsStepOneIn)) return []
  const after = drawDuration(durationOf[trigger](behaviour), chance)
  const command = { kind: 'ticket.advance', orderId, trigger } as const
  return [
    plan(command, after),
    ...(chance.oneIn(behaviour.repeatsCallOneIn)
      ? [plan({ ...command, force: true }, after + 20)]
      : []),
    ...(chance.oneIn(behaviour.skipsAheadOneIn)
      ? [plan({ ...command, trigger: 'delivered', force: true }, after)]
      : []),
    ...trialsOf(ticket, behaviour, chance, after),
    ...(status === 'CONFIRMED' && chance.oneIn(behaviour.cancelsOneIn)
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

/** Schedules the next steps after a read, and another read in case no event arrives (ORD-EVR-06). */
function afterReading(
  fact: Extract<Fact, { kind: 'ticket.read' }>,
  behaviour: StoreBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const ticket = context.world.store.tickets.get(fact.orderId)
  if (!ticket || ticket.closed) return []
  const chance = context.chance(stream)
  // V1 cancels whole orders only.
  const missing = speaksV1(context.settings.conduct)
    ? undefined
    : missingItemPlans(ticket, behaviour, context)
  const steps = missing ?? advance(ticket, behaviour, context)
  const maxDelay = Math.max(0, ...steps.map(({ afterMs }) => afterMs))
  return [...steps, reconcile(ticket, maxDelay + drawDuration(behaviour.reconcile, chance))]
}

/** Backoff after a failed read. */
const backoffRead = (ticket: OrderTicket): PlannedCommand =>
  reconcile(ticket, Math.min(60_000, 1000 * 2 ** Math.min(ticket.quiet, 6)))

/** Reads every open order now. */
const readOpenOrders = ({ world }: DecisionContext): readonly PlannedCommand[] =>
  Array.from(world.store.tickets.values())
    .filter(({ closed }) => !closed)
    .map((ticket) => reconcile(ticket, 0))

export const softwareService =
  (behaviour: StoreBehaviour): Reactor =>
  (fact, context) => {
    const { world, settings, chance } = context
    const pause = (): number => drawDuration(behaviour.pollEvery, chance(stream))
    switch (fact.kind) {
      case 'partner.accepted': {
        if (fact.from !== 'software-service' || fact.partner !== 'ordering-application') return []
        return [
          ...(shouldPoll(fact.manifest, settings) ? [poll(0)] : []),
          // Orders known by webhook before the manifest was valid, and not read since.
          ...readOpenOrders(context),
        ]
      }
      case 'partner.restored':
        // The poll was only paused. Orders with events meanwhile were not read.
        return fact.from === 'software-service' && fact.partner === 'ordering-application'
          ? readOpenOrders(context)
          : []
      case 'ticket.polled': {
        // After a full batch with new events polls at once; a full batch of known events waits for the regular
        // interval.
        const full =
          fact.eventIds.length >= settings.conduct.pollBatch &&
          fact.eventIds.some((eventId) => !world.store.seen.has(eventId))
        const nextPoll = poll(full ? 0 : Math.max(pause(), fact.pauseMs ?? 0))
        const forgets = chance(stream).oneIn(behaviour.forgetsAckOneIn)
        return fact.eventIds.length === 0 || forgets
          ? [nextPoll]
          : [...acknowledgments(fact.eventIds, settings), nextPoll]
      }
      case 'call.concluded': {
        const { call, ok, retryAfterMs } = fact
        if (!isPollOperation(call.operation) || ok || retryAfterMs !== undefined) return []
        return [poll(pause() * Math.min(call.attempt, 10), call.attempt + 1)]
      }
      case 'ticket.announced': {
        const ticket = world.store.tickets.get(fact.orderId)
        if (!ticket || !isOrderEventType(fact.eventType)) return []
        // An order never read is read after any event, as CREATED may be lost (ORD-EVR-06).
        if (triggersRead(fact.eventType) || ticket.status === undefined)
          return [reconcile(ticket, 0)]
        return ticket.closed
          ? []
          : [reconcile(ticket, drawDuration(behaviour.reconcile, chance(stream)))]
      }
      case 'ticket.read':
        return afterReading(fact, behaviour, context)
      case 'ticket.refused': {
        const ticket = world.store.tickets.get(fact.orderId)
        return ticket && !ticket.closed ? [backoffRead(ticket)] : []
      }
      default:
        return []
    }
  }
