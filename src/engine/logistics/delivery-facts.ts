/** Reducer for delivery facts at the Delivery Platform. */
import { isFinalDeliveryStatus } from '../../protocol/logistics/lifecycle.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import {
  createdDelivery,
  type DeliveryRecord,
  movedDelivery,
  progressedDelivery,
  readyDelivery,
  deliveryWithProblem,
} from './delivery.ts'
import type { DeliveryFact } from './fact.ts'
import { logisticsBounds, type LogisticsWorld } from './world.ts'

function change(
  { deliveries }: LogisticsWorld,
  orderId: string,
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

function applyCreated(
  world: LogisticsWorld,
  fact: Extract<DeliveryFact, { kind: 'delivery.created' }>,
  at: Instant,
): void {
  const { orderId } = fact
  const before = world.deliveries.get(orderId)
  if (before) world.orderOf.delete(before.id)
  // Deleted first, so that a delivery that replaces another is inserted as the newest.
  world.deliveries.delete(orderId)
  world.deliveries.set(orderId, createdDelivery(fact, at))
  world.orderOf.set(fact.id, orderId)
  world.over.delete(orderId)
  world.open.add(orderId)
}

function applyMoved(
  world: LogisticsWorld,
  fact: Extract<DeliveryFact, { kind: 'delivery.moved' }>,
  at: Instant,
): void {
  const { orderId, to } = fact
  const before = world.deliveries.get(orderId)
  if (!before) return
  const record = movedDelivery(before, fact, at)
  world.deliveries.set(orderId, record)
  adjustLoad(world, before, -1)
  adjustLoad(world, record, 1)
  if (isFinalDeliveryStatus(to)) return finish(world, orderId)
  // A forced command may reopen a final delivery.
  world.over.delete(orderId)
  world.open.add(orderId)
}

export function applyDelivery(world: LogisticsWorld, fact: DeliveryFact, at: Instant): void {
  switch (fact.kind) {
    case 'delivery.enlisted':
      for (const courier of fact.couriers)
        setBounded(world.fleet, courier.id, courier, logisticsBounds.couriers)
      return
    case 'delivery.created':
      return applyCreated(world, fact, at)
    case 'delivery.moved':
      return applyMoved(world, fact, at)
    case 'delivery.ready':
      return change(world, fact.orderId, (record) => readyDelivery(record, at))
    case 'delivery.progressed':
      return change(world, fact.orderId, (record) => progressedDelivery(record, fact.step))
    case 'delivery.problem':
      return change(world, fact.orderId, (record) => deliveryWithProblem(record, fact.problem))
    case 'delivery.quoted':
    case 'delivery.requested':
    case 'delivery.lapsed':
    case 'delivery.waited':
      return
    default:
      return assertNever(fact)
  }
}
