/** Reducer for shipment facts at a consumer. */
import { compact } from '../../compact.ts'
import type { DeliveryUpdate } from '../../protocol/logistics/read.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import type { ShipmentFact } from './fact.ts'
import { newShipmentStatus } from './shipment-updates.ts'
import { type ShipmentRecord, shipmentKey } from './shipment.ts'
import { logisticsBounds, type LogisticsWorld } from './world.ts'

type Of<Kind extends ShipmentFact['kind']> = Extract<ShipmentFact, { kind: Kind }>

export function applyShipment(world: LogisticsWorld, fact: ShipmentFact, at: Instant): void {
  const key = shipmentKey(fact.role, fact.orderId)
  if (fact.kind === 'shipment.heard')
    addBounded(world.seen, `${fact.role}/${fact.eventId}`, logisticsBounds.seenEvents)
  if (fact.kind === 'shipment.demanded') {
    world.shipmentsOver.delete(key)
    world.shipments.delete(key)
    world.shipments.set(key, newShipment(fact, at))
    return
  }
  const shipment = world.shipments.get(key)
  if (!shipment) return
  if (fact.kind === 'shipment.waits') world.waiting.add(key)
  if (fact.kind === 'shipment.asked' || fact.kind === 'shipment.ended') world.waiting.delete(key)
  world.shipments.set(key, reduceShipment(shipment, fact, at))
  if (fact.kind === 'shipment.ended') finish(world, key)
}

/** Marks a shipment as finished, and evicts the oldest finished one beyond the limit. */
function finish(world: LogisticsWorld, key: string): void {
  const evicted = addBounded(world.shipmentsOver, key, logisticsBounds.shipmentsOver)
  if (evicted !== undefined) world.shipments.delete(evicted)
}

const newShipment = (
  { role, orderId, demand, platforms }: Of<'shipment.demanded'>,
  at: Instant,
): ShipmentRecord => ({
  role,
  orderId,
  demand,
  phase: 'waiting',
  since: at,
  untried: platforms,
  way: [],
  after: [],
  round: 0,
  quiet: 0,
})

function reduceShipment(
  shipment: ShipmentRecord,
  fact: Exclude<ShipmentFact, Of<'shipment.demanded'>>,
  at: Instant,
): ShipmentRecord {
  switch (fact.kind) {
    case 'shipment.asked': {
      const { platform, untried } = fact
      return { ...shipment, phase: 'asking', platform, untried, since: at }
    }
    case 'shipment.quoted': {
      const { amount, currency, eta } = fact
      const quote = compact({ amount, currency, eta })
      return { ...shipment, quote }
    }
    case 'shipment.declined': {
      const { platform: _platform, quote: _quote, ...rest } = shipment
      return { ...rest, phase: 'waiting', since: at }
    }
    case 'shipment.ordered':
      return { ...shipment, phase: 'creating', since: at }
    case 'shipment.created': {
      const { deliveryId } = fact
      if (shipment.phase !== 'creating') return shipment
      return {
        ...withUpdate(shipment, deliveryId === undefined ? {} : { deliveryId }, at),
        phase: 'open',
      }
    }
    case 'shipment.food-ready':
      return { ...shipment, ready: 'known' }
    case 'shipment.called':
      if (fact.call === 'cancel') return { ...shipment, cancel: 'asked' }
      return fact.call === 'ready-for-pickup' ? { ...shipment, ready: 'told' } : shipment
    case 'shipment.accepted': {
      const { stuck: _stuck, ...rest } = shipment
      const followed = fact.revived ? { ...rest, quiet: 0 } : shipment
      return fact.call === 'cancel' ? { ...followed, cancel: 'accepted' } : followed
    }
    case 'shipment.refused':
      return afterRefusal(shipment, fact)
    case 'shipment.cancel-wanted': {
      const { after } = fact
      const deferred = after ? [...shipment.after, after] : shipment.after
      return { ...shipment, cancel: shipment.cancel ?? 'wanted', after: deferred }
    }
    case 'shipment.heard':
      return withUpdate(shipment, fact.news, at)
    case 'shipment.read': {
      const quiet = newShipmentStatus(shipment, fact.news) ? 0 : shipment.quiet + 1
      return { ...withUpdate(shipment, fact.news, at), quiet }
    }
    case 'shipment.ended':
      return { ...shipment, phase: 'over', since: at, ended: fact.ended, after: [] }
    case 'shipment.stuck':
      return {
        ...shipment,
        stuck: true,
        support: true,
        after: [],
        ...(shipment.cancel ? { cancel: 'refused' } : {}),
      }
    case 'shipment.waits':
    case 'shipment.doubted':
    case 'shipment.followed':
    case 'shipment.heard-again':
      return shipment
    default:
      return assertNever(fact)
  }
}

/** A refused cancel needs support; a refused read counts as a read without change. */
function afterRefusal(shipment: ShipmentRecord, { call }: Of<'shipment.refused'>): ShipmentRecord {
  if (call === 'cancel') return { ...shipment, cancel: 'refused', support: true, after: [] }
  return call === 'read'
    ? { ...shipment, round: shipment.round + 1, quiet: shipment.quiet + 1 }
    : shipment
}

/** The shipment updated by an event or a read. */
function withUpdate(shipment: ShipmentRecord, update: DeliveryUpdate, at: Instant): ShipmentRecord {
  const status = newShipmentStatus(shipment, update)
  const { deliveryId, courier, eta } = update
  const knownId = shipment.deliveryId ?? deliveryId
  const { stuck: _stuck, ...rest } = shipment
  return {
    ...rest,
    round: shipment.round + 1,
    quiet: 0,
    ...compact({ deliveryId: knownId, courier, eta }),
    ...(status ? { status, since: at, way: [...shipment.way, { status, at }] } : {}),
  }
}
