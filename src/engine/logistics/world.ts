/**
 * The slices of Logistics: the deliveries that the Delivery Platform runs, and what its consumers know of theirs. The
 * two are strangers: nothing here leads from the one to the other but calls over the wire.
 */
import type { Courier, DeliveryRecord } from './delivery.ts'
import type { Platform } from './platforms.ts'
import type { Shipment } from './shipment.ts'

export interface LogisticsWorld {
  /** The current delivery of each order, by the order's id (LOG-TEN-02). */
  readonly deliveries: Map<string, DeliveryRecord>
  /** The orders of deliveries that are not over: how many there are is the platform's load. */
  readonly open: Set<string>
  /** Orders whose delivery is over, oldest first: the first to be forgotten. */
  readonly over: Set<string>
  /** The order of a delivery, by the delivery's own id. */
  readonly orderOf: Map<string, string>
  /** The couriers, by id. */
  readonly fleet: Map<string, Courier>
  /** How many open deliveries each courier has. */
  readonly loads: Map<string, number>
  /** By `role/orderId`. */
  readonly shipments: Map<string, Shipment>
  /** Shipments that are over, oldest first. */
  readonly shipmentsOver: Set<string>
  /** Shipments that wait for a platform which may be called. */
  readonly waiting: Set<string>
  /** The platforms beside the usual one, by `role#number`. */
  readonly platforms: Map<string, Platform>
  /** The ids of events that consumers have taken, oldest first. */
  readonly seen: Set<string>
}

/** What is kept at most; what is over and oldest is forgotten first. */
export const logisticsBounds = {
  deliveriesOver: 50_000,
  shipmentsOver: 50_000,
  couriers: 200,
  seenEvents: 50_000,
} as const

export const createLogisticsWorld = (): LogisticsWorld => ({
  deliveries: new Map(),
  open: new Set(),
  over: new Set(),
  orderOf: new Map(),
  fleet: new Map(),
  loads: new Map(),
  shipments: new Map(),
  shipmentsOver: new Set(),
  waiting: new Set(),
  platforms: new Map(),
  seen: new Set(),
})
