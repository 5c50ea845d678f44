/**
 * How a consumer of Logistics works: it has every DELIVERY order delivered, asks for availability first, follows the
 * delivery by push or pull, tells that the food is ready, and cancels before the order (LOG-CON-01 to 05). It reacts to
 * its own orders or tickets, and to facts of its own shipments.
 */
import type { Context } from '../engine/decision.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import type { Planned } from '../engine/agenda/item.ts'
import { mostManifestTries, trackingModeOf } from '../engine/logistics/platforms.ts'
import type { ShipmentFact } from '../engine/logistics/fact.ts'
import { type ConsumerRole, type Shipment, shipmentKey } from '../engine/logistics/shipment.ts'
import { addressOf } from '../seed-data/places.ts'
import { deliveryEvents, eventOfStatus } from '../protocol/logistics/events.ts'
import type { Demand } from '../engine/logistics/shipment.ts'
import type { OrderEventType } from '../protocol/orders/events.ts'
import type { Order, OrderStatus } from '../protocol/orders/order.ts'
import {
  type ConsumerTemperament,
  consumerTemperaments,
  mostPatience,
} from './delivery-temperament.ts'
import { loop, plan } from './habit.ts'
import type { TemperamentName } from './temperament.ts'

export interface ConsumerHabits {
  readonly role: ConsumerRole
  readonly temperament: TemperamentName
  /** It has its orders delivered of its own accord. */
  readonly demands: boolean
  /** The platforms that it can turn to, by number; 0 is the usual one. */
  readonly platforms: readonly number[]
  /** It tells of couriers by the informational events of Orders. */
  readonly informs: boolean
}

/** What a consumer knows of an order, as a demand: the store by its id, the customer by the order's address. */
export function demandOf({ id, displayId, merchant, customer, fulfillment }: Order): Demand {
  const store = merchant.name ?? merchant.id
  const given = fulfillment.delivery?.address
  const pickup = { address: addressOf(merchant.id), contact: { name: store } }
  // An address without a place on the globe is as good as none to somebody who has to ride there.
  const address = given?.coordinates ? given : { ...addressOf(id), ...given }
  return {
    orderId: id,
    displayId,
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

/** The statuses of an order in which news of a courier on the way to the store, or to the customer, make sense. */
const towardsStore: readonly OrderStatus[] = ['CONFIRMED', 'PREPARING', 'READY']
const towardsCustomer: readonly OrderStatus[] = ['READY', 'IN_DELIVERY']

const informative: Readonly<Partial<Record<OrderEventType, readonly OrderStatus[]>>> = {
  PICKUP_ONGOING: towardsStore,
  RIDER_ARRIVED_AT_STORE: towardsStore,
  DELIVERY_ONGOING: towardsCustomer,
  ARRIVED_AT_CUSTOMER: towardsCustomer,
}

/** The informational event that news of the courier are worth: never a status (LOG-EVT-01), and never twice in a row. */
function informs(orderId: string, eventType: OrderEventType | undefined, { world }: Context) {
  const record = world.ordering.orders.get(orderId)
  if (!record || eventType === undefined || record.lastEvent === eventType) return []
  return informative[eventType]?.includes(record.status)
    ? [plan({ kind: 'event.emit', orderId, eventType }, 0)]
    : []
}

/** The next reading: soon where GET is all there is, and only after a long silence where events come. */
function follow(
  shipment: Shipment,
  { pollEvery, silence }: ConsumerTemperament,
  context: Context,
): readonly Planned[] {
  const { role, orderId, phase, platform = 0, round, quiet, stuck } = shipment
  if (phase !== 'open' || stuck) return []
  const pull = trackingModeOf(role, platform, context) === 'pull'
  const pause = (pull ? pollEvery : silence) * Math.min(quiet + 1, mostPatience)
  return [plan({ kind: 'shipment.read', role, orderId, round }, pause)]
}

/** The pauses before a further platform is asked for its manifest again. */
const manifestPauses = [1000, 2000, 5000, 10_000, 15_000] as const

const platformManifest = (role: ConsumerRole, platform: number, attempt: number) =>
  ({
    kind: 'call.place',
    call: { from: role, to: 'delivery-platform', platform, operation: 'getManifest', attempt },
  }) as const

export const deliveryConsumer = (habits: ConsumerHabits): Reactor => {
  const { role, demands, platforms } = habits
  const temperament = consumerTemperaments[habits.temperament]
  const shipmentOf = (orderId: string, { world }: Context): Shipment | undefined =>
    world.logistics.shipments.get(shipmentKey(role, orderId))

  /** What an order's or a ticket's new status means to its delivery. */
  function ordered(
    orderId: string,
    status: OrderStatus,
    order: Order | undefined,
    context: Context,
  ): readonly Planned[] {
    const shipment = shipmentOf(orderId, context)
    const ofShipment = { role, orderId }
    if (status === 'CONFIRMED') {
      const wanted = demands && platforms.length > 0 && !shipment
      return wanted && order?.fulfillment.orderType === 'DELIVERY'
        ? [plan({ kind: 'shipment.demand', ...ofShipment, demand: demandOf(order), platforms }, 0)]
        : []
    }
    if (!shipment || shipment.phase === 'over') return []
    // Whoever reads an order late finds it on its way already: its food is ready all the same.
    if ((status === 'READY' || status === 'IN_DELIVERY') && shipment.ready === undefined) {
      const forgets = context.chance(`${role}.shipments`).oneIn(temperament.forgetsReadyOneIn)
      return forgets ? [] : [plan({ kind: 'shipment.food-ready', ...ofShipment }, 0)]
    }
    // Cancelled without asking the platform first, by somebody's hand: the courier need not come all the same.
    return status === 'CANCELLED' && shipment.cancel === undefined
      ? [plan({ kind: 'shipment.cancel', ...ofShipment }, 0)]
      : []
  }

  /** The order has not waited for the demand: what it became meanwhile is made up for. */
  function catchesUp(
    ofShipment: { readonly role: ConsumerRole; readonly orderId: string },
    { world }: Context,
  ): readonly Planned[] {
    const { orderId } = ofShipment
    const status =
      role === 'ordering-application'
        ? world.ordering.orders.get(orderId)?.status
        : world.store.tickets.get(orderId)?.status
    if (status === 'READY' || status === 'IN_DELIVERY')
      return [plan({ kind: 'shipment.food-ready', ...ofShipment }, 0)]
    const isOver = status === 'CANCELLED' || status === 'DELIVERED' || status === 'CONCLUDED'
    return isOver ? [plan({ kind: 'shipment.cancel', ...ofShipment }, 0)] : []
  }

  /** What it does about its own shipments. */
  function shipped(fact: ShipmentFact, context: Context): readonly Planned[] {
    const { orderId } = fact
    const ofShipment = { role, orderId }
    const shipment = shipmentOf(orderId, context)
    if (!shipment) return []
    switch (fact.kind) {
      case 'shipment.demanded':
        return [...catchesUp(ofShipment, context), plan({ kind: 'shipment.ask', ...ofShipment }, 0)]
      case 'shipment.declined':
        return [plan({ kind: 'shipment.ask', ...ofShipment }, 0)]
      case 'shipment.quoted': {
        const repeats = context.chance(`${role}.shipments`).oneIn(temperament.repeatsCallOneIn)
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
          ...follow(shipment, temperament, context),
        ]
      case 'shipment.heard':
        return habits.informs ? informs(orderId, fact.news.informs, context) : []
      case 'shipment.read': {
        const { status } = fact.news
        const told =
          status && shipment.quiet === 0 ? deliveryEvents[eventOfStatus[status]] : undefined
        return [
          ...(habits.informs ? informs(orderId, told?.informs, context) : []),
          ...follow(shipment, temperament, context),
        ]
      }
      case 'shipment.followed':
        return follow(shipment, temperament, context)
      case 'shipment.accepted':
        return fact.revived ? follow(shipment, temperament, context) : []
      case 'shipment.refused':
        return fact.call === 'read'
          ? follow(shipment, temperament, context)
          : (fact.after ?? []).map((command) => plan(command, 0))
      case 'shipment.ended':
      case 'shipment.stuck':
        return fact.after.map((command) => plan(command, 0))
      default:
        return []
    }
  }

  /** A platform can be turned to that could not before, or never will be: whoever waits for one asks again. */
  function asksAgain({ world }: Context): readonly Planned[] {
    return Array.from(world.logistics.waiting).flatMap((key) => {
      const shipment = world.logistics.shipments.get(key)
      return shipment?.role === role
        ? [plan({ kind: 'shipment.ask', role, orderId: shipment.orderId }, 0)]
        : []
    })
  }

  function orderFact(fact: Fact, context: Context): readonly Planned[] {
    if (role === 'ordering-application' && fact.kind === 'order.moved') {
      const order = context.world.ordering.orders.get(fact.orderId)?.order
      return ordered(fact.orderId, fact.to, order, context)
    }
    if (role === 'software-service' && fact.kind === 'ticket.read')
      return ordered(fact.orderId, fact.status, fact.order, context)
    return []
  }

  return (fact, context) => {
    switch (fact.kind) {
      case 'session.opened':
        return platforms
          .filter((platform) => platform > 0)
          .map((platform) => plan(platformManifest(role, platform, 1), 0))
      case 'shipment.platform-rejected': {
        if (fact.role !== role) return []
        const pause = manifestPauses[fact.attempt - 1]
        return pause === undefined || fact.attempt >= mostManifestTries
          ? asksAgain(context)
          : [loop(platformManifest(role, fact.platform, fact.attempt + 1), pause)]
      }
      case 'shipment.platform-accepted':
        return fact.role === role ? asksAgain(context) : []
      case 'partner.accepted':
      case 'partner.changed':
      case 'partner.restored':
        return fact.from === role && fact.partner === 'delivery-platform' ? asksAgain(context) : []
      default:
        if (fact.kind.startsWith('shipment.') && 'role' in fact && fact.role === role)
          return shipped(fact, context)
        return orderFact(fact, context)
    }
  }
}
