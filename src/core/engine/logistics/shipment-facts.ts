/** Facts of shipments at a consumer. */
import { compact } from '../../base/compact.ts'
import type { DeliveryUpdate } from '../../protocol/logistics/read.ts'
import { shortRoleName } from '../../protocol/role.ts'
import { addBounded } from '../bounded.ts'
import type { Command } from '../command.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import type { World } from '../world.ts'
import type { ConsumerRole, ShipmentCall } from './commands.ts'
import type { DeliveryRequest } from './delivery.ts'
import { platformName } from './platform.ts'
import {
  newShipmentStatus,
  type ShipmentEnd,
  shipmentKey,
  type ShipmentRecord,
} from './shipment.ts'
import { logisticsBounds } from './world.ts'

export interface OfShipment {
  role: ConsumerRole
  orderId: string
}

const keyOf = ({ role, orderId }: OfShipment): string => shipmentKey(role, orderId)

/** Replaces the shipment by the next record, if it is known. */
function replace(
  { logistics: { shipments } }: World,
  fact: OfShipment,
  next: (shipment: ShipmentRecord) => ShipmentRecord,
): void {
  const key = keyOf(fact)
  const shipment = shipments.get(key)
  if (shipment) shipments.set(key, next(shipment))
}

const change = (world: World, fact: OfShipment, changes: Partial<ShipmentRecord>): void =>
  replace(world, fact, (shipment) => ({ ...shipment, ...changes }))

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

const price = (amount: number | undefined, currency = ''): string =>
  amount === undefined ? '' : ` for ${currency} ${amount.toFixed(2)}`

export const shipmentFacts = {
  /** A consumer wants an order delivered. */
  'shipment.demanded': factRow<
    OfShipment & { demand: DeliveryRequest; platforms: readonly number[] }
  >({
    text: ({ role }) => `${shortRoleName[role]} wants it delivered`,
    apply({ logistics: { shipments, shipmentsOver } }, fact, at) {
      const { role, orderId, demand, platforms } = fact
      const key = keyOf(fact)
      shipmentsOver.delete(key)
      shipments.delete(key)
      shipments.set(key, {
        role,
        orderId,
        nth: shipments.size,
        demand,
        phase: 'waiting',
        since: at,
        untried: platforms,
        way: [],
        after: [],
        round: 0,
        quiet: 0,
      })
    },
  }),
  /** No platform may be called yet. */
  'shipment.waits': factRow<OfShipment>({
    text: ({ role }) => `${shortRoleName[role]} waits for a platform that may be called`,
    apply({ logistics: { shipments, waiting } }, fact) {
      if (shipments.has(keyOf(fact))) waiting.add(keyOf(fact))
    },
  }),
  /** A platform was asked for availability. */
  'shipment.asked': factRow<OfShipment & { platform: number; untried: readonly number[] }>({
    text: ({ role, platform }) =>
      `${shortRoleName[role]} asks ${platformName(platform)} whether it delivers`,
    apply(world, fact, at) {
      const { platform, untried } = fact
      world.logistics.waiting.delete(keyOf(fact))
      change(world, fact, { phase: 'asking', platform, untried, since: at })
    },
  }),
  /** The platform is available, at this price. */
  'shipment.quoted': factRow<
    OfShipment & { platform: number; amount?: number; currency?: string; eta?: string }
  >({
    text: ({ platform, amount, currency }) =>
      `${platformName(platform)} would deliver${price(amount, currency)}`,
    apply(world, fact) {
      const { amount, currency, eta } = fact
      change(world, fact, { quote: compact({ amount, currency, eta }) })
    },
  }),
  /** The platform is not available or rejected the creation: the next one is asked. */
  'shipment.declined': factRow<OfShipment & { platform: number; because: string }>({
    text: ({ platform, because }) => `${platformName(platform)} does not deliver: ${because}`,
    apply: (world, fact, at) =>
      replace(
        world,
        fact,
        ({ platform: _platform, quote: _quote, doubted: _doubted, ...rest }) => ({
          ...rest,
          phase: 'waiting',
          since: at,
        }),
      ),
  }),
  /** The creation call is in flight. */
  'shipment.ordered': factRow<OfShipment & { platform: number }>({
    text: ({ role, platform }) =>
      `${shortRoleName[role]} creates the delivery at ${platformName(platform)}`,
    apply: (world, fact, at) => change(world, fact, { phase: 'creating', since: at }),
  }),
  /** It is unknown whether the creation arrived: the delivery is read to find out. */
  'shipment.doubted': factRow<OfShipment>({
    text: ({ role }) => `${shortRoleName[role]} does not know whether the delivery was created`,
    apply: (world, fact) => change(world, fact, { doubted: true }),
  }),
  /** The platform accepted the creation: a receipt, without a status yet (LOG-CON-03). */
  'shipment.created': factRow<OfShipment & { deliveryId?: string }>({
    text: ({ role }) => `${shortRoleName[role]} got 202 for the delivery`,
    apply(world, fact, at) {
      const { deliveryId } = fact
      replace(world, fact, (shipment) =>
        shipment.phase === 'creating'
          ? { ...withUpdate(shipment, compact({ deliveryId }), at), phase: 'open' }
          : shipment,
      )
    },
  }),
  /** The food is ready, to be reported to the platform. */
  'shipment.food-ready': factRow<OfShipment>({
    text: ({ role }) => `${shortRoleName[role]} will tell that the food is ready`,
    apply: (world, fact) => change(world, fact, { ready: 'known' }),
  }),
  /** A call about the delivery is in flight. */
  'shipment.called': factRow<OfShipment & { call: ShipmentCall }>({
    text: ({ role, call }) => `${shortRoleName[role]} calls DP: ${call}`,
    apply(world, fact) {
      const { call } = fact
      if (call === 'cancel') change(world, fact, { cancel: 'asked' })
      if (call === 'ready-for-pickup') change(world, fact, { ready: 'told' })
    },
  }),
  /** The platform accepted the call; its effect comes later. */
  'shipment.accepted': factRow<
    OfShipment & {
      call: ShipmentCall
      /** The shipment was stuck; it is read again from now on. */
      revived?: true
    }
  >({
    text: ({ role, call }) => `${shortRoleName[role]} got 202 for ${call}`,
    apply: (world, fact) =>
      replace(world, fact, (shipment) => {
        const { stuck: _stuck, ...rest } = shipment
        const followed = fact.revived ? { ...rest, quiet: 0 } : shipment
        return fact.call === 'cancel' ? { ...followed, cancel: 'accepted' } : followed
      }),
  }),
  /** The platform refused the call; a refused cancel needs support (LOG-RUL-02). */
  'shipment.refused': factRow<
    OfShipment & {
      call: ShipmentCall | 'read'
      because: string
      /** The commands that waited for the call and may proceed. */
      after?: readonly Command[]
    }
  >({
    text: ({ role, call, because }) =>
      `${shortRoleName[role]} was refused ${call}: ${because}${call === 'cancel' ? '; support has to look into it' : ''}`,
    apply(world, fact) {
      const { call } = fact
      if (call === 'cancel') change(world, fact, { cancel: 'refused', support: true, after: [] })
      // A refused read counts as a read without change.
      if (call === 'read')
        replace(world, fact, (shipment) => ({
          ...shipment,
          round: shipment.round + 1,
          quiet: shipment.quiet + 1,
        }))
    },
  }),
  /** The delivery is to be cancelled; `after` waits for the outcome. */
  'shipment.cancel-wanted': factRow<OfShipment & { after?: Command }>({
    text: ({ role, after }) =>
      `${shortRoleName[role]} cancels the delivery${after ? ' before the order' : ''}`,
    apply(world, fact) {
      const { after } = fact
      replace(world, fact, (shipment) => ({
        ...shipment,
        cancel: shipment.cancel ?? 'wanted',
        after: after ? [...shipment.after, after] : shipment.after,
      }))
    },
  }),
  /** A new event of the platform arrived. */
  'shipment.heard': factRow<
    OfShipment & { eventId: string; eventType: string; news: DeliveryUpdate }
  >({
    text: ({ role, eventType }) =>
      `${shortRoleName[role]} received ${eventType || 'an event'} of the delivery`,
    apply(world, fact, at) {
      const { role, eventId, news } = fact
      addBounded(world.logistics.seen, `${role}/${eventId}`, logisticsBounds.seenEvents)
      replace(world, fact, (shipment) => withUpdate(shipment, news, at))
    },
  }),
  /** A duplicate event arrived. */
  'shipment.heard-again': factRow<OfShipment & { eventId: string }>({
    text: ({ role }) => `${shortRoleName[role]} received an event of the delivery again`,
  }),
  /** A scheduled read was dropped, as the shipment had changed since or the platform may not be called. */
  'shipment.followed': factRow<OfShipment>({
    text: ({ role }) => `${shortRoleName[role]} is up to date on the delivery`,
  }),
  /** The delivery was read. */
  'shipment.read': factRow<OfShipment & { news: DeliveryUpdate }>({
    text: ({ role, news }) =>
      `${shortRoleName[role]} read the delivery: ${news.status ?? 'no status'}`,
    apply(world, fact, at) {
      const { news } = fact
      replace(world, fact, (shipment) => {
        const quiet = newShipmentStatus(shipment, news) ? 0 : shipment.quiet + 1
        return { ...withUpdate(shipment, news, at), quiet }
      })
    },
  }),
  /** The shipment is over. */
  'shipment.ended': factRow<OfShipment & { ended: ShipmentEnd; after: readonly Command[] }>({
    text: ({ role, ended }) => `${shortRoleName[role]}’s delivery is over: ${ended}`,
    apply(world, fact, at) {
      const { shipments, shipmentsOver, waiting } = world.logistics
      const key = keyOf(fact)
      if (!shipments.has(key)) return
      waiting.delete(key)
      change(world, fact, { phase: 'over', since: at, ended: fact.ended, after: [] })
      // The oldest finished one is evicted beyond the limit.
      const evicted = addBounded(shipmentsOver, key, logisticsBounds.shipmentsOver)
      if (evicted !== undefined) shipments.delete(evicted)
    },
  }),
  /** Too many reads showed no change: the shipment is no longer read. */
  'shipment.stuck': factRow<OfShipment & { after: readonly Command[] }>({
    text: ({ role }) => `${shortRoleName[role]} gives up waiting for the delivery`,
    apply: (world, fact) =>
      replace(world, fact, (shipment) => ({
        ...shipment,
        stuck: true,
        support: true,
        after: [],
        ...(shipment.cancel ? { cancel: 'refused' } : {}),
      })),
  }),
}

export type ShipmentFact = FactIn<typeof shipmentFacts>
