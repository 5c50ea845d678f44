/**
 * Commands of the Delivery Platform: quote, create and move deliveries along the lifecycle; calls are accepted now and
 * applied later (LOG-CON-03). It knows no orders and never changes an order's status (LOG-GEN-02, LOG-EVT-01).
 */
import { noTransitionText } from '../../protocol/lifecycle.ts'
import { compact } from '../../base/compact.ts'
import {
  deliveryEventName,
  deliveryEventOfStatus,
  deliveryEventOfStep,
  type DeliveryEventType,
} from '../../protocol/logistics/events.ts'
import {
  deliveryStep,
  deliveryTargets,
  type DeliveryTrigger,
  isFinalDeliveryStatus,
  legalDeliveryMoves,
} from '../../protocol/logistics/lifecycle.ts'
import { nonEmptyString, positionOf, readDeliveryPlaces } from '../../protocol/logistics/place.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import { type Decision, type DecisionContext, type Decisions, decisionsOn } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { DeliveryCommand } from './commands.ts'
import {
  createdDelivery,
  type DeliveryCourier,
  type DeliveryRecord,
  deliveryWithProblem,
  type Leg,
  movedDelivery,
  progressedDelivery,
  type Vehicle,
} from './delivery.ts'
import type { DeliveryFact } from './delivery-facts.ts'
import { quoteFor, rideMs } from './quote.ts'
import type { LogisticsWorld } from './world.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'
import { drawNearby, drawRoute, metresAlong } from './geometry.ts'
import type { Fact } from '../fact.ts'
import { newEventId } from '../emitted-event.ts'
import { courierPosition, deliveryEta, minorToDecimal, pickupEta } from './view.ts'

// Builds the delivery event for the consumer that created the delivery: sent by webhook in push
// mode, not at all in pull mode, where only GET is available (LOG-EVT-02). Every event carries the
// order's id (LOG-EVT-03).

/** Optional details of an event. */
interface DeliveryEventNote {
  readonly message?: string
  /** The reason why the platform rejected the delivery. */
  readonly rejection?: string
}

/** The public standard's vehicle types; it has none for walking. */
const vehicleTypes: Readonly<Record<Vehicle, string | undefined>> = {
  MOTORCYCLE: 'MOTORBIKE_BAG',
  BICYCLE: 'BICYCLE',
  CAR: 'CAR',
  WALKING: undefined,
}

function etaBody(record: DeliveryRecord, { now, settings }: DecisionContext): object {
  const options = { now, conduct: settings.conduct.logistics }
  const delivery = deliveryEta(record, options)
  const pickup = pickupEta(record, options)
  if (delivery === undefined || pickup === undefined) return {}
  const minutes = (until: number): number => Math.max(0, Math.ceil((until - now) / 60_000))
  const promised = (record.way[0]?.at ?? now) + record.quote.durationMs
  return {
    eta: {
      updateMethod: 'ONLINE',
      pickupEtaInMinutes: minutes(pickup),
      pickupEtaDatetime: isoOf(pickup),
      deliveryEtaInMinutes: minutes(delivery),
      deliveryEtaDatetime: isoOf(delivery),
      maxDeliveryTime: isoOf(Math.max(delivery, promised)),
    },
  }
}

function courierBody({ courier }: DeliveryRecord): object {
  if (!courier) return {}
  const { id, name, phone, vehicle } = courier
  const type = vehicleTypes[vehicle]
  return {
    deliveryPerson: { id, name, phone },
    ...(type === undefined ? {} : { vehicle: { type, container: 'NORMAL' } }),
  }
}

function problemsBody({ problems }: DeliveryRecord): object {
  if (problems.length === 0) return {}
  return {
    problem: problems.map(({ code, description, occurredAt, recoverable }) => ({
      reason: code,
      ...compact({ message: description }),
      datetime: occurredAt,
      canFinishDeliver: recoverable !== false,
      needMerchantAction: false,
    })),
  }
}

/** The public standard's event body, as far as its fields are known (fields.md, L11). */
function fullBody(
  record: DeliveryRecord,
  type: string,
  { message, rejection }: DeliveryEventNote,
  context: DecisionContext,
): object {
  const { merchant, dropoff, quote, orderId } = record
  const position = courierPosition(record, context.now)
  return {
    orderDisplayId: record.displayId ?? orderId.slice(-6),
    merchant: {
      ...compact({ id: merchant.id }),
      name:
        nonEmptyString(merchant.name) ??
        nonEmptyString(merchant.contact['name']) ??
        merchant.id ??
        '',
    },
    event: {
      type,
      datetime: isoOf(context.now),
      ...compact({ message }),
      ...(rejection === undefined ? {} : { rejectionInfo: { reason: rejection } }),
    },
    customerName: nonEmptyString(dropoff.contact['name']) ?? '',
    deliveryPrice: {
      price: { value: minorToDecimal(quote.fee), currency: quote.currency },
      pricingList: 'NORMAL',
      additionalPricePercentual: 0,
    },
    ...problemsBody(record),
    ...etaBody(record, context),
    ...courierBody(record),
    ...compact({ geoLocalization: position }),
  }
}

/**
 * The fact of an event; none in pull mode, for a type without a name in the vocabulary, or when the consumer hosts no
 * webhook.
 */
function deliveryEventFacts(
  record: DeliveryRecord,
  type: DeliveryEventType,
  context: DecisionContext,
  note: DeliveryEventNote = {},
): readonly Fact[] {
  const { settings, now, chance } = context
  const { eventNames, eventPayload } = settings.conduct.logistics
  const { id, orderId, status, consumer, merchant } = record
  const eventType = deliveryEventName(type, eventNames)
  const isHosted = consumer === 'ordering-application' || consumer === 'software-service'
  if (settings.trackingMode !== 'push' || eventType === undefined || !isHosted) return []
  const eventId = newEventId(chance('logistics.events'))
  const plainBody = { eventId, eventType, orderId, deliveryId: id, status, occurredAt: isoOf(now) }
  return [
    {
      kind: 'event.announced',
      event: {
        eventId,
        eventType,
        from: 'delivery-platform',
        to: consumer,
        operation: 'receiveDeliveryEvent',
        entityId: orderId,
        orderId,
        ...compact({ merchantId: merchant.id }),
        body:
          eventPayload === 'plain'
            ? plainBody
            : { ...plainBody, ...fullBody(record, eventType, note, context) },
      },
    },
  ]
}

// Assigns the courier of a delivery and plans the ride that starts with a change of status.

/** Assumed distance in metres of a courier from a store without coordinates. */
const assumedApproachMetres = 1000

/** A random courier among those with the lowest load; undefined when the fleet is empty. */
function pickCourier(
  { fleet, loads }: LogisticsWorld,
  { chance }: DecisionContext,
): DeliveryCourier | undefined {
  let minLoad = Number.POSITIVE_INFINITY
  let candidates: DeliveryCourier[] = []
  for (const courier of fleet.values()) {
    const load = loads.get(courier.id) ?? 0
    if (load > minLoad) continue
    if (load < minLoad) candidates = []
    minLoad = load
    candidates.push(courier)
  }
  return candidates.length === 0 ? undefined : chance('logistics.couriers').pick(candidates)
}

function rideToStore(
  record: DeliveryRecord,
  courier: DeliveryCourier | undefined,
  context: DecisionContext,
): Leg {
  const store = positionOf(record.pickup)
  const chance = context.chance('logistics.routes')
  const points = store ? drawRoute(drawNearby(store, chance), store, chance) : []
  return planRide(points, assumedApproachMetres, courier, context)
}

function rideToCustomer(
  record: DeliveryRecord,
  courier: DeliveryCourier | undefined,
  context: DecisionContext,
): Leg {
  const [from, to] = [positionOf(record.pickup), positionOf(record.dropoff)]
  const chance = context.chance('logistics.routes')
  const points = from && to ? drawRoute(from, to, chance) : []
  return planRide(points, record.quote.metres, courier, context)
}

function planRide(
  points: Leg['points'],
  assumedMetres: number,
  courier: DeliveryCourier | undefined,
  { settings, now }: DecisionContext,
): Leg {
  const { kmPerHour, pace } = settings.conduct.logistics
  const metres = points.length > 0 ? metresAlong(points) : assumedMetres
  return {
    points,
    startedAt: now,
    durationMs: rideMs(metres, courier?.kmPerHour ?? kmPerHour, pace),
  }
}

/** What a change to this status adds to the delivery: courier and ride to the store, or the ride to the customer. */
function assignCourier(
  record: DeliveryRecord,
  to: DeliveryStatus,
  context: DecisionContext,
): { readonly courier?: DeliveryCourier; readonly leg?: Leg } {
  if (to === 'ASSIGNED') {
    const courier = pickCourier(context.world.logistics, context)
    return { ...compact({ courier }), leg: rideToStore(record, courier, context) }
  }
  return to === 'IN_TRANSIT' ? { leg: rideToCustomer(record, record.courier, context) } : {}
}

/**
 * The current delivery of an order, by order id; also by the delivery's own id where the session allows it
 * (LOG-TEN-02).
 */
export function findDelivery(
  id: string,
  { deliveries, orderOf }: LogisticsWorld,
  byDeliveryId: boolean,
): Result<DeliveryRecord, Refusal> {
  const other = byDeliveryId ? orderOf.get(id) : undefined
  const record = deliveries.get(id) ?? (other === undefined ? undefined : deliveries.get(other))
  return record
    ? ok(record)
    : err({ code: 'DELIVERY_NOT_FOUND', message: `there is no delivery of the order ${id}` })
}

const onDelivery = decisionsOn(
  ({ orderId }: { readonly orderId: string }, { world, settings }: DecisionContext) =>
    findDelivery(orderId, world.logistics, settings.conduct.logistics.lookupByDeliveryId),
)

/** Whether the existing delivery prevents a new one for its order (LOG-UND-04). */
const preventsNew = (status: DeliveryStatus, renews: boolean): boolean =>
  !isFinalDeliveryStatus(status) || status === 'DELIVERED' || !renews

/** What no call asks for: the platform itself does it. */
const ownTriggers: ReadonlySet<DeliveryTrigger> = new Set(['assign', 'fail'])

/**
 * The result of a trigger that moves nothing: accepted without effect (LOG-RUL-05), or refused, as it has no row
 * (LOG-RUL-06) or the delivery has passed its target.
 */
function withoutEffect(
  { orderId, status }: DeliveryRecord,
  trigger: DeliveryTrigger,
  step: 'applied' | 'passed' | 'refused',
  { settings }: DecisionContext,
): Decision {
  const { passedTarget, invalidTransition } = settings.conduct
  const isPassed = step === 'passed'
  if (step === 'applied' || (isPassed && passedTarget === 202)) return ok([])
  const possible = legalDeliveryMoves(status, settings.conduct.logistics)
    .map((row) => row.trigger)
    .filter((each) => !ownTriggers.has(each))
  const why = isPassed ? 'it is past it' : noTransitionText([...new Set(possible)])
  return refuse(
    'INVALID_TRANSITION',
    `${trigger} is not possible for the delivery of the order ${orderId} in ${status}: ${why}`,
    isPassed ? passedTarget : invalidTransition.logistics,
  )
}

const isOtherDelivery = ({ id }: DeliveryRecord, deliveryId: string | undefined): boolean =>
  deliveryId !== undefined && deliveryId !== id

/** The status that each courier step belongs to. */
const statusOfStep = {
  'at-store': 'ASSIGNED',
  'half-way': 'IN_TRANSIT',
  'at-customer': 'IN_TRANSIT',
}

/** Problems are only ever added, so their number is bounded. */
const maxProblems = 1000

/** Applies a trigger. One that the lifecycle no longer allows lapses: the 202 promised no effect. */
const applyTrigger = onDelivery((record, command: CommandOf<'delivery.apply'>, context) => {
  const { trigger, because, force, rejects } = command
  const { orderId, id: deliveryId, status: from } = record
  const step = deliveryStep(from, trigger, context.settings.conduct.logistics)
  if (isOtherDelivery(record, command.deliveryId) || (step.kind !== 'moves' && !force))
    return ok([{ kind: 'delivery.lapsed', orderId, trigger, status: from }])
  const to = step.kind === 'moves' ? step.row.to : deliveryTargets[trigger]
  const movement = {
    trigger,
    to,
    ...assignCourier(record, to, context),
    ...compact({ because }),
  }
  const fact: DeliveryFact = {
    kind: 'delivery.moved',
    orderId,
    deliveryId,
    from,
    ...movement,
    ...(step.kind === 'moves' ? {} : { forced: true as const }),
  }
  const note = {
    ...compact({ message: because }),
    ...(rejects ? { rejection: because ?? 'OTHER' } : {}),
  }
  const type = rejects && to === 'CANCELLED' ? 'REJECTED' : deliveryEventOfStatus[to]
  return ok([
    fact,
    ...deliveryEventFacts(movedDelivery(record, movement, context.now), type, context, note),
  ])
})

export const platformDecisions: Decisions<DeliveryCommand> = {
  'delivery.enlist': ({ couriers }) => ok([{ kind: 'delivery.enlisted', couriers }]),

  'delivery.quote'({ request }, { world, settings, chance }) {
    const places = readDeliveryPlaces(request)
    const priced = quoteFor(places, world.logistics.open.size, settings.conduct.logistics)
    const { orderId } = request
    if (!priced.available && settings.conduct.logistics.unavailable === 'refuse')
      return refuse('DELIVERY_AREA_NOT_COVERED', `nothing is available: ${priced.because}`)
    return ok([
      {
        kind: 'delivery.quoted',
        quote: { quoteId: chance('logistics.quotes').uuid(), ...priced },
        ...(typeof orderId === 'string' ? { orderId } : {}),
      },
    ])
  },

  'delivery.create'({ wish, consumer }, context) {
    const { world, settings, chance, now } = context
    const { logistics } = world
    const { conduct } = settings
    const { orderId } = wish
    const before = logistics.deliveries.get(orderId)
    if (before && preventsNew(before.status, conduct.logistics.renewAfterEnd)) return ok([])
    const priced = quoteFor(wish, logistics.open.size, conduct.logistics)
    if (!priced.available && conduct.logistics.uncovered === 'refuse')
      return refuse(
        'DELIVERY_AREA_NOT_COVERED',
        `the order ${orderId} cannot be delivered: ${priced.because}`,
      )
    const creation = {
      id: chance('logistics.deliveries').uuid(),
      wish,
      consumer,
      quote: { quoteId: chance('logistics.quotes').uuid(), ...priced },
    }
    return ok([
      { kind: 'delivery.created', orderId, ...creation },
      ...deliveryEventFacts(createdDelivery(creation, now), 'PENDING', context),
    ])
  },

  'delivery.request': onDelivery((record, { trigger, because }, context) => {
    const { orderId, id: deliveryId, status } = record
    const step = deliveryStep(status, trigger, context.settings.conduct.logistics)
    return step.kind === 'moves'
      ? ok([{ kind: 'delivery.requested', orderId, deliveryId, trigger, ...compact({ because }) }])
      : withoutEffect(record, trigger, step.kind, context)
  }),

  'delivery.apply': applyTrigger,

  'delivery.ready': onDelivery((record, { force }, context) => {
    const { orderId, id: deliveryId, status, readyAt } = record
    const step = deliveryStep(status, 'ready-for-pickup', context.settings.conduct.logistics)
    if (step.kind !== 'moves' && !force)
      return withoutEffect(record, 'ready-for-pickup', step.kind, context)
    // Reported before: no change.
    return ok(readyAt === undefined ? [{ kind: 'delivery.ready', orderId, deliveryId }] : [])
  }),

  'delivery.progress': onDelivery((record, command, context) => {
    const { step, force } = command
    const { orderId, id: deliveryId, status } = record
    const fits = statusOfStep[step] === status && record.step !== step
    const late = step === 'half-way' && record.step === 'at-customer'
    if (isOtherDelivery(record, command.deliveryId) || ((!fits || late) && !force))
      return ok([{ kind: 'delivery.lapsed', orderId, trigger: step, status }])
    return ok([
      { kind: 'delivery.progressed', orderId, deliveryId, step },
      ...deliveryEventFacts(progressedDelivery(record, step), deliveryEventOfStep[step], context),
    ])
  }),

  /**
   * Once the food is reported ready, or the courier has left, there is nothing to wait for; after the last check the
   * order is collected as it is.
   */
  'delivery.wait'({ orderId, deliveryId, left }, context) {
    const record = context.world.logistics.deliveries.get(orderId)
    const isWaiting =
      record?.id === deliveryId && record.status === 'ASSIGNED' && record.readyAt === undefined
    if (!isWaiting) return ok([])
    return left > 0
      ? ok([{ kind: 'delivery.waited', orderId, deliveryId, left }])
      : applyTrigger({ kind: 'delivery.apply', orderId, deliveryId, trigger: 'collected' }, context)
  },

  /** Adds a problem entry. The status stays; whether the delivery fails is decided later (LOG-RUL-03). */
  'delivery.report': onDelivery((record, command, context) => {
    const { problem, force } = command
    const { now, settings } = context
    const conduct = settings.conduct.logistics
    const { orderId, id: deliveryId, status } = record
    const step = deliveryStep(status, 'problem', conduct)
    if (isOtherDelivery(record, command.deliveryId))
      return ok([{ kind: 'delivery.lapsed', orderId, trigger: 'problem', status }])
    if (step.kind !== 'moves' && !force) return withoutEffect(record, 'problem', step.kind, context)
    if (record.problems.length >= maxProblems)
      return refuse(
        'UNPROCESSABLE',
        `the delivery of the order ${orderId} has ${maxProblems} problems already, and keeps them all`,
      )
    const { code, description, recoverable = true } = problem
    const entry = {
      code,
      ...compact({ description }),
      occurredAt: isoOf(now),
      recoverable: !conduct.unrecoverableProblems.includes(code) && recoverable,
    }
    const type = status === 'IN_TRANSIT' ? 'DELIVERY_ONGOING' : deliveryEventOfStatus[status]
    return ok([
      { kind: 'delivery.problem', orderId, deliveryId, problem: entry },
      ...deliveryEventFacts(deliveryWithProblem(record, entry), type, context, { message: code }),
    ])
  }),
}
