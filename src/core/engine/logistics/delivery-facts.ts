/** Facts of deliveries at the Delivery Platform. */
import type { ProblemEntry } from '../../protocol/logistics/bodies.ts'
import { formatDuration } from '../../protocol/duration.ts'
import {
  type DeliveryTrigger,
  isFinalDeliveryStatus,
  type MovingTrigger,
} from '../../protocol/logistics/lifecycle.ts'
import type { CourierStep, DeliveryStatus } from '../../protocol/logistics/status.ts'
import { shortRoleName } from '../../protocol/role.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import { reasonSuffix } from '../short-text.ts'
import type { World } from '../world.ts'
import {
  createdDelivery,
  type DeliveryCourier,
  type DeliveryMovement,
  type DeliveryRecord,
  deliveryWithProblem,
  movedDelivery,
  type NewDelivery,
  progressedDelivery,
  type Quote,
  readyDelivery,
} from './delivery.ts'
import { logisticsBounds, type LogisticsWorld } from './world.ts'

export interface OfDelivery {
  orderId: string
  deliveryId: string
}

function change(
  { logistics: { deliveries } }: World,
  { orderId }: OfDelivery,
  next: (record: DeliveryRecord) => DeliveryRecord,
): void {
  const record = deliveries.get(orderId)
  if (record) deliveries.set(orderId, next(record))
}

/** Changes the load of the delivery's courier; final deliveries do not count. */
function adjustLoad(
  { loads }: LogisticsWorld,
  { courier, status }: DeliveryRecord,
  by: 1 | -1,
): void {
  if (courier && !isFinalDeliveryStatus(status))
    loads.set(courier.id, (loads.get(courier.id) ?? 0) + by)
}

/** Marks a delivery as finished, and evicts the oldest finished one beyond the limit. */
function finish(world: LogisticsWorld, orderId: string): void {
  world.open.delete(orderId)
  const evicted = addBounded(world.over, orderId, logisticsBounds.deliveriesOver)
  if (evicted === undefined) return
  const record = world.deliveries.get(evicted)
  if (record) world.orderOf.delete(record.id)
  world.deliveries.delete(evicted)
}

export const deliveryFacts = {
  /** Couriers joined the fleet. */
  'delivery.enlisted': factRow<{ couriers: readonly DeliveryCourier[] }>({
    text: ({ couriers }) => `${couriers.length} couriers go on duty`,
    apply({ logistics: { fleet } }, { couriers }) {
      for (const courier of couriers)
        setBounded(fleet, courier.id, courier, logisticsBounds.couriers)
    },
  }),
  /** A quote was made. */
  'delivery.quoted': factRow<{ quote: Quote; orderId?: string }>({
    text: ({ quote: { available, metres, fee, currency, durationMs, because } }) =>
      available
        ? `DP delivers ${(metres / 1000).toFixed(1)} km for ${currency} ${(fee / 100).toFixed(2)} in ${formatDuration(durationMs)}`
        : `DP does not deliver${reasonSuffix(because)}`,
  }),
  /** A delivery was created. */
  'delivery.created': factRow<{ orderId: string } & NewDelivery>({
    text: ({ consumer }) => `delivery created for ${shortRoleName[consumer]}`,
    apply({ logistics }, fact, at) {
      const { orderId, id } = fact
      const before = logistics.deliveries.get(orderId)
      if (before) logistics.orderOf.delete(before.id)
      // Deleted first, so that a delivery that replaces another is inserted as the newest.
      logistics.deliveries.delete(orderId)
      logistics.deliveries.set(orderId, createdDelivery(fact, at))
      logistics.orderOf.set(id, orderId)
      logistics.over.delete(orderId)
      logistics.open.add(orderId)
    },
  }),
  /** A call was accepted, to be applied later. */
  'delivery.requested': factRow<OfDelivery & { trigger: MovingTrigger; because?: string }>({
    text: ({ trigger }) => `delivery: ${trigger} accepted for later`,
  }),
  /** A delivery changed its status. */
  'delivery.moved': factRow<
    OfDelivery &
      DeliveryMovement & {
        from: DeliveryStatus
        /** Forced by an operator, against the lifecycle. */
        forced?: true
      }
  >({
    text: ({ from, to, courier, because, forced }) =>
      `delivery ${from} > ${to}${courier ? ` with ${courier.name}` : ''}${reasonSuffix(because)}${forced ? ' (forced)' : ''}`,
    apply({ logistics }, fact, at) {
      const { orderId, to } = fact
      const before = logistics.deliveries.get(orderId)
      if (!before) return
      const record = movedDelivery(before, fact, at)
      logistics.deliveries.set(orderId, record)
      adjustLoad(logistics, before, -1)
      adjustLoad(logistics, record, 1)
      if (isFinalDeliveryStatus(to)) return finish(logistics, orderId)
      // A forced command may reopen a final delivery.
      logistics.over.delete(orderId)
      logistics.open.add(orderId)
    },
  }),
  /** A scheduled or accepted command had no effect, as the delivery had changed since. */
  'delivery.lapsed': factRow<{
    orderId: string
    trigger: DeliveryTrigger | CourierStep
    status: DeliveryStatus
  }>({
    text: ({ trigger, status }) => `delivery: ${trigger} had no effect in ${status}`,
  }),
  /** The food was reported ready; the status stays. */
  'delivery.ready': factRow<OfDelivery>({
    text: () => 'DP knows that the food is ready',
    apply: (world, fact, at) => change(world, fact, (record) => readyDelivery(record, at)),
  }),
  /** The courier reached a step; the status stays. */
  'delivery.progressed': factRow<OfDelivery & { step: CourierStep }>({
    text: ({ step }) => `courier ${step}`,
    apply: (world, fact) => change(world, fact, (record) => progressedDelivery(record, fact.step)),
  }),
  /** The courier waits for the food; `left` counts the remaining checks. */
  'delivery.waited': factRow<OfDelivery & { left: number }>({
    text: () => 'the courier waits for the food',
  }),
  /** An incident was reported and added to the problems. */
  'delivery.problem': factRow<OfDelivery & { problem: ProblemEntry }>({
    text: ({ problem: { code, recoverable } }) =>
      `incident on the way: ${code}${recoverable === false ? ', beyond recovery' : ''}`,
    apply: (world, fact) =>
      change(world, fact, (record) => deliveryWithProblem(record, fact.problem)),
  }),
}

export type DeliveryFact = FactIn<typeof deliveryFacts>
