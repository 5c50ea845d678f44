/**
 * Autonomous behaviour of a Logistics consumer: has every DELIVERY order delivered, asks for availability first, tracks
 * the delivery by push or pull, reports that the food is ready, and cancels the delivery before the order (LOG-CON-01
 * to 05). It reacts to its own orders or tickets and its own shipments.
 */
import type { DecisionContext } from '../../engine/decision.ts'
import type { Reactor } from '../../engine/engine.ts'
import type { Fact } from '../../engine/fact.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import { maxManifestAttempts, trackingModeOf } from '../../engine/logistics/platforms.ts'
import {
  creationRequestBody,
  operationOfShipmentCall,
  shipmentCallBody,
  shipmentCallIntent,
} from '../../engine/logistics/requests.ts'
import type { Settings } from '../../engine/settings.ts'
import type { ShipmentFact } from '../../engine/logistics/shipment-facts.ts'
import { type ShipmentRecord, shipmentKey } from '../../engine/logistics/shipment.ts'
import { stableAddressOf } from '../seed-data/stable-address.ts'
import { deliveryEvents, deliveryEventOfStatus } from '../../protocol/logistics/events.ts'
import type { ConsumerRole, ShipmentCall } from '../../engine/logistics/commands.ts'
import { isFinalDeliveryStatus } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'
import type { DeliveredGoods, DeliveryRequest } from '../../engine/logistics/delivery.ts'
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Order, OrderStatus } from '../../protocol/orders/order.ts'
import {
  type ConsumerBehaviour,
  consumerBehaviours,
  consumerTrials,
  maxPauseFactor,
} from './delivery-behaviour.ts'
import { cancelByCustomer } from './ordering-application.ts'
import { isTurn, loop, planCall, plan } from './planning.ts'
import type { BehaviourName } from './behaviour.ts'

export interface ConsumerHabits {
  readonly role: ConsumerRole
  readonly behaviour: BehaviourName
  /** It has its orders delivered on its own. */
  readonly demands: boolean
  /** The platforms available to it, by number; 0 is the default one. */
  readonly platforms: readonly number[]
  /** It sends informational order events about the courier. */
  readonly informs: boolean
  /** The platform is under test: see `consumerTrials`. */
  readonly tries: boolean
}

/** An order does not say what it weighs: half a kilogram for each item. */
const gramsPerItem = 500

/** Ways to pay at the door that the public standard knows; any other is OTHER. */
const offlineTypes = 'CREDIT DEBIT MEAL_VOUCHER FOOD_VOUCHER PIX CASH CREDIT_DEBIT'.split(' ')

/** What the public standard wants to know of the order that is delivered. */
function goodsOf({ items, total, payments }: Order): DeliveredGoods {
  const { currency } = total.orderAmount
  const offline = payments.methods.filter(({ type }) => type === 'PENDING')
  return {
    price: total.orderAmount,
    weight: Math.round(items.reduce((sum, { quantity }) => sum + quantity, 0) * gramsPerItem),
    payments:
      payments.pending > 0
        ? {
            method: 'OFFLINE',
            offlineMethod: offline.map(({ method, value }) => ({
              type: offlineTypes.includes(method) ? method : 'OTHER',
              amount: { value, currency },
            })),
          }
        : { method: 'ONLINE' },
  }
}

/** An order as a shipment demand: the store's address from the settings or by its id, the customer's from the order. */
function shipmentDemandOf(order: Order, { pickupAddresses, conduct }: Settings): DeliveryRequest {
  const { id, displayId, merchant, customer, fulfillment } = order
  const store = merchant.name ?? merchant.id
  const orderAddress = fulfillment.delivery?.address
  const pickup = {
    address: pickupAddresses?.get(merchant.id) ?? stableAddressOf(merchant.id),
    contact: { name: store },
  }
  // An address without coordinates gets generated ones, as the route needs them.
  const address = orderAddress?.coordinates
    ? orderAddress
    : { ...stableAddressOf(id), ...orderAddress }
  return {
    orderId: id,
    displayId,
    ...(conduct.logistics.publishedFields ? { goods: goodsOf(order) } : {}),
    merchant: { id: merchant.id, name: store, ...pickup },
    pickup,
    dropoff: {
      address,
      contact: customer
        ? { name: customer.name, phone: customer.phone.number }
        : { name: `Pedido ${displayId}` },
    },
  }
}

/** The order statuses in which events of a courier on the way to the store, or to the customer, make sense. */
const towardsStore: readonly OrderStatus[] = ['CONFIRMED', 'PREPARING', 'READY']
const towardsCustomer: readonly OrderStatus[] = ['READY', 'IN_DELIVERY']

const informativeStatuses: Readonly<Partial<Record<OrderEventType, readonly OrderStatus[]>>> = {
  PICKUP_ONGOING: towardsStore,
  RIDER_ARRIVED_AT_STORE: towardsStore,
  DELIVERY_ONGOING: towardsCustomer,
  ARRIVED_AT_CUSTOMER: towardsCustomer,
}

/**
 * The informational order event for a courier update: never a status (LOG-EVT-01), never the same one twice in a row.
 */
function courierEvent(
  orderId: string,
  eventType: OrderEventType | undefined,
  { world }: DecisionContext,
) {
  const record = world.ordering.orders.get(orderId)
  if (!record || eventType === undefined || record.lastEvent === eventType) return []
  return informativeStatuses[eventType]?.includes(record.status)
    ? [plan({ kind: 'event.emit', orderId, eventType }, 0)]
    : []
}

/** Schedules the next read: after the poll interval in pull mode, after a long silence in push mode. */
function nextRead(
  shipment: ShipmentRecord,
  { pollEvery, silence }: ConsumerBehaviour,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { role, orderId, phase, platform = 0, round, quiet, stuck } = shipment
  if (phase !== 'open' || stuck) return []
  const pull = trackingModeOf(role, platform, context) === 'pull'
  const pause = (pull ? pollEvery : silence) * Math.min(quiet + 1, maxPauseFactor)
  return [plan({ kind: 'shipment.read', role, orderId, round }, pause)]
}

type TriedAt = 'CREATED' | 'FOOD_READY' | 'ARRIVED_AT_CUSTOMER' | DeliveryStatus

/** When the calls of a trial come, in ms after its moment: between two reads, so that the status is known. */
const trialTimes = { read: 200, call: 1200, next: 2400, readAgain: 3600, readLast: 14_000 } as const

/** The calls by which a platform is tried at a moment of a delivery. */
function trialsAt(
  moment: TriedAt | undefined,
  shipment: ShipmentRecord,
  context: DecisionContext,
): readonly PlannedCommand[] {
  const { role, orderId, nth, ready, status, platform = 0 } = shipment
  const { read, call, next, readAgain, readLast } = trialTimes
  const chance = context.chance(`${role}.trials`)
  const tries = (trial: keyof typeof consumerTrials): boolean =>
    isTurn(nth, consumerTrials[trial], trial, chance)
  const ofShipment = { role, orderId }
  const cancelAt = chance.fork(orderId).pick(['CREATED', 'ASSIGNED', 'IN_TRANSIT'] as const)
  const cancels = tries('cancels') && role === 'ordering-application' && moment === cancelAt
  const { logistics } = context.settings.conduct
  const calls = (
    name: ShipmentCall,
    afterMs: number,
    more: { readonly trial?: string; readonly body?: object } = {},
  ): PlannedCommand => {
    const { body = shipmentCallBody(name, logistics, context.now), ...trial } = more
    const operation = operationOfShipmentCall[name]
    return planCall(
      { ...shipmentCallIntent(shipment, platform, operation, body), ...trial },
      afterMs,
    )
  }
  const reads = (afterMs: number): PlannedCommand =>
    planCall(shipmentCallIntent(shipment, platform, 'getDelivery'), afterMs)
  const between = (...planned: readonly PlannedCommand[]): readonly PlannedCommand[] =>
    planned.length === 0 ? [] : [reads(read), ...planned, reads(readAgain)]
  const isReported = status === 'ASSIGNED' && ready === 'told'
  const collects =
    (moment === 'ASSIGNED' || moment === 'FOOD_READY') && isReported && tries('reportsCollected')
  switch (moment) {
    case 'ASSIGNED':
      if (!cancels && tries('deliversTooEarly'))
        return between(
          calls('delivered', call, { trial: 'a delivery that was not collected is delivered' }),
        )
      break
    case 'IN_TRANSIT':
      if (!cancels && tries('reportsProblems'))
        return [
          ...between(calls('problem', call, { body: { problemCode: 'TRAFFIC' } })),
          calls('problem', readAgain + 500, { body: { problemCode: 'OTHER' } }),
          reads(readLast),
          reads(readLast + 1500),
        ]
      if (!cancels && tries('reads')) return between(calls('collected', call))
      break
    case 'DELIVERED':
      return tries('callsAfterEnd')
        ? between(
            calls('delivered', call),
            calls('cancel', next, { trial: 'a delivery that is DELIVERED is cancelled' }),
          )
        : []
    case 'CANCELLED':
      return tries('callsAfterEnd')
        ? between(
            calls('cancel', call),
            calls('collected', next, { trial: 'a delivery that is CANCELLED is collected' }),
          )
        : []
    case 'ARRIVED_AT_CUSTOMER':
      if (tries('reportsDelivered')) return [calls('delivered', read)]
      break
    default:
  }
  // Before there is a courier, which takes no time.
  if (cancels && moment === 'CREATED')
    return [cancelByCustomer(orderId, 300, context), reads(readAgain)]
  const narrow = {
    trial: 'its token has the scope logistics.read alone',
    scopes: ['logistics.read'],
  } as const
  const planned = [
    ...(moment === 'CREATED' && tries('mistakesScope')
      ? [
          planCall(
            {
              ...shipmentCallIntent(
                shipment,
                platform,
                'createDelivery',
                creationRequestBody(shipment.demand, logistics),
              ),
              ...narrow,
            },
            read,
          ),
        ]
      : []),
    ...(moment === 'CREATED' && tries('repeatsCreation')
      ? [plan({ kind: 'shipment.create', ...ofShipment, again: true } as const, call)]
      : []),
    ...(cancels ? [cancelByCustomer(orderId, call, context)] : []),
    ...(collects ? [calls('collected', call)] : []),
  ]
  return planned.length === 0 && moment && tries('reads') ? [reads(call)] : between(...planned)
}

/** Backoff in ms between manifest requests to a further platform. */
const manifestPauses = [1000, 2000, 5000, 10_000, 15_000] as const

const platformManifest = (role: ConsumerRole, platform: number, attempt: number) =>
  ({
    kind: 'call.place',
    call: { from: role, to: 'delivery-platform', platform, operation: 'getManifest', attempt },
  }) as const

class DeliveryConsumer {
  readonly #habits: ConsumerHabits
  readonly #behaviour: ConsumerBehaviour

  constructor(habits: ConsumerHabits) {
    this.#habits = habits
    this.#behaviour = consumerBehaviours[habits.behaviour]
  }

  react(fact: Fact, context: DecisionContext): readonly PlannedCommand[] {
    switch (fact.kind) {
      case 'session.opened':
        return this.#habits.platforms
          .filter((platform) => platform > 0)
          .map((platform) => plan(platformManifest(this.#habits.role, platform, 1), 0))
      case 'shipment.platform-rejected': {
        if (fact.role !== this.#habits.role) return []
        const pause = manifestPauses[fact.attempt - 1]
        return pause === undefined || fact.attempt >= maxManifestAttempts
          ? this.#retryWaiting(context)
          : [loop(platformManifest(this.#habits.role, fact.platform, fact.attempt + 1), pause)]
      }
      case 'shipment.platform-accepted':
        return fact.role === this.#habits.role ? this.#retryWaiting(context) : []
      case 'partner.accepted':
      case 'partner.changed':
      case 'partner.restored':
        return fact.from === this.#habits.role && fact.partner === 'delivery-platform'
          ? this.#retryWaiting(context)
          : []
      default:
        if (fact.kind.startsWith('shipment.') && 'role' in fact && fact.role === this.#habits.role)
          return this.#onShipmentFact(fact, context)
        return this.#onOrderFact(fact, context)
    }
  }

  #shipmentOf(orderId: string, { world }: DecisionContext): ShipmentRecord | undefined {
    return world.logistics.shipments.get(shipmentKey(this.#habits.role, orderId))
  }

  /** Reacts to a new status of an order or ticket. */
  #onOrderStatus(
    orderId: string,
    status: OrderStatus,
    order: Order | undefined,
    context: DecisionContext,
  ): readonly PlannedCommand[] {
    const shipment = this.#shipmentOf(orderId, context)
    const ofShipment = { role: this.#habits.role, orderId }
    if (status === 'CONFIRMED') {
      const wanted = this.#habits.demands && this.#habits.platforms.length > 0 && !shipment
      return wanted && order?.fulfillment.orderType === 'DELIVERY'
        ? [
            plan(
              {
                kind: 'shipment.demand',
                ...ofShipment,
                demand: shipmentDemandOf(order, context.settings),
                platforms: this.#habits.platforms,
              },
              0,
            ),
          ]
        : []
    }
    if (!shipment || shipment.phase === 'over') return []
    // The consumer may see the order only in IN_DELIVERY; the food is ready then too.
    if ((status === 'READY' || status === 'IN_DELIVERY') && shipment.ready === undefined) {
      const forgets = context
        .chance(`${this.#habits.role}.shipments`)
        .oneIn(this.#behaviour.forgetsReadyOneIn)
      return forgets ? [] : [plan({ kind: 'shipment.food-ready', ...ofShipment }, 0)]
    }
    // The order was cancelled by an operator, not through the platform: its delivery is cancelled too.
    return status === 'CANCELLED' && shipment.cancel === undefined
      ? [plan({ kind: 'shipment.cancel', ...ofShipment }, 0)]
      : []
  }

  /** The order may have changed before the shipment was demanded: catches up with its status. */
  #catchUp(
    ofShipment: { readonly role: ConsumerRole; readonly orderId: string },
    { world }: DecisionContext,
  ): readonly PlannedCommand[] {
    const { orderId } = ofShipment
    const status =
      this.#habits.role === 'ordering-application'
        ? world.ordering.orders.get(orderId)?.status
        : world.store.tickets.get(orderId)?.status
    if (status === 'READY' || status === 'IN_DELIVERY')
      return [plan({ kind: 'shipment.food-ready', ...ofShipment }, 0)]
    const isOver = status === 'CANCELLED' || status === 'DELIVERED' || status === 'CONCLUDED'
    return isOver ? [plan({ kind: 'shipment.cancel', ...ofShipment }, 0)] : []
  }

  /** Reacts to the facts of its own shipments. */
  #onShipmentFact(fact: ShipmentFact, context: DecisionContext): readonly PlannedCommand[] {
    const { orderId } = fact
    const ofShipment = { role: this.#habits.role, orderId }
    const shipment = this.#shipmentOf(orderId, context)
    if (!shipment) return []
    switch (fact.kind) {
      case 'shipment.demanded':
        return [
          ...this.#catchUp(ofShipment, context),
          plan({ kind: 'shipment.ask', ...ofShipment }, 0),
        ]
      case 'shipment.declined':
        return [plan({ kind: 'shipment.ask', ...ofShipment }, 0)]
      case 'shipment.quoted': {
        const repeats = context
          .chance(`${this.#habits.role}.shipments`)
          .oneIn(this.#behaviour.repeatsCallOneIn)
        const create = plan({ kind: 'shipment.create', ...ofShipment }, 0)
        return repeats
          ? [create, plan({ kind: 'shipment.create', ...ofShipment, again: true }, 50)]
          : [create]
      }
      case 'shipment.created':
        return [
          ...(shipment.cancel ? [plan({ kind: 'shipment.cancel', ...ofShipment }, 0)] : []),
          ...(shipment.ready === 'known'
            ? [plan({ kind: 'shipment.food-ready', ...ofShipment }, 0)]
            : []),
          ...nextRead(shipment, this.#behaviour, context),
          ...this.#trials('CREATED', shipment, context),
        ]
      case 'shipment.heard': {
        const { informs } = fact.news
        return [
          ...(this.#habits.informs ? courierEvent(orderId, informs, context) : []),
          ...(informs === 'ARRIVED_AT_CUSTOMER'
            ? this.#trials(informs, shipment, context)
            : this.#trialsOfMove(shipment, context)),
        ]
      }
      case 'shipment.read': {
        const { status } = fact.news
        const eventRow =
          status && shipment.quiet === 0 ? deliveryEvents[deliveryEventOfStatus[status]] : undefined
        return [
          ...(this.#habits.informs ? courierEvent(orderId, eventRow?.informs, context) : []),
          ...nextRead(shipment, this.#behaviour, context),
          ...this.#trialsOfMove(shipment, context),
        ]
      }
      case 'shipment.followed':
        return nextRead(shipment, this.#behaviour, context)
      case 'shipment.accepted':
        return [
          ...(fact.revived ? nextRead(shipment, this.#behaviour, context) : []),
          ...(fact.call === 'ready-for-pickup'
            ? this.#trials('FOOD_READY', shipment, context)
            : []),
        ]
      case 'shipment.refused':
        return fact.call === 'read'
          ? nextRead(shipment, this.#behaviour, context)
          : (fact.after ?? []).map((command) => plan(command, 0))
      case 'shipment.ended':
      case 'shipment.stuck':
        return [
          ...fact.after.map((command) => plan(command, 0)),
          ...(this.#habits.tries && fact.kind === 'shipment.ended'
            ? trialsAt(shipment.status, shipment, context)
            : []),
        ]
      default:
        return []
    }
  }

  #trials(
    moment: TriedAt | undefined,
    shipment: ShipmentRecord,
    context: DecisionContext,
  ): readonly PlannedCommand[] {
    return this.#habits.tries && shipment.phase === 'open'
      ? trialsAt(moment, shipment, context)
      : []
  }

  /** The trials of a status that is new with this fact: a report is answered by events of the same status. */
  #trialsOfMove(shipment: ShipmentRecord, context: DecisionContext): readonly PlannedCommand[] {
    const { status, since } = shipment
    const isNew = status !== undefined && since === context.now && !isFinalDeliveryStatus(status)
    return isNew ? this.#trials(status, shipment, context) : []
  }

  /** Retries the waiting shipments after a platform was accepted or finally rejected. */
  #retryWaiting({ world }: DecisionContext): readonly PlannedCommand[] {
    return Array.from(world.logistics.waiting).flatMap((key) => {
      const shipment = world.logistics.shipments.get(key)
      return shipment?.role === this.#habits.role
        ? [plan({ kind: 'shipment.ask', role: this.#habits.role, orderId: shipment.orderId }, 0)]
        : []
    })
  }

  #onOrderFact(fact: Fact, context: DecisionContext): readonly PlannedCommand[] {
    if (this.#habits.role === 'ordering-application' && fact.kind === 'order.moved') {
      const order = context.world.ordering.orders.get(fact.orderId)?.order
      return this.#onOrderStatus(fact.orderId, fact.to, order, context)
    }
    if (this.#habits.role === 'software-service' && fact.kind === 'ticket.read')
      return this.#onOrderStatus(fact.orderId, fact.status, fact.order, context)
    return []
  }
}

export function deliveryConsumer(habits: ConsumerHabits): Reactor {
  const consumer = new DeliveryConsumer(habits)
  return (fact, context) => consumer.react(fact, context)
}
