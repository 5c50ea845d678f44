/**
 * The slices of Logistics in the world: the Delivery Platform's deliveries, and its consumers' shipments. Neither side
 * reads the other's slice; they communicate by calls only.
 */
import type { DeliveryCourier, DeliveryRecord } from './delivery.ts'
import type { ShipmentRecord } from './shipment.ts'
import type { FurtherPlatform } from './platform.ts'

export interface LogisticsWorld {
  /** The current delivery of each order, by the order's id (LOG-TEN-02). */
  readonly deliveries: Map<string, DeliveryRecord>
  /** The orders of deliveries that are not final; their number is the platform's load. */
  readonly open: Set<string>
  /** Orders with a final delivery, oldest first: the order of eviction. */
  readonly over: Set<string>
  /** The order id by delivery id. */
  readonly orderOf: Map<string, string>
  /** The couriers, by id. */
  readonly fleet: Map<string, DeliveryCourier>
  /** How many open deliveries each courier has. */
  readonly loads: Map<string, number>
  /** By `role/orderId`. */
  readonly shipments: Map<string, ShipmentRecord>
  /** Finished shipments, oldest first: the order of eviction. */
  readonly shipmentsOver: Set<string>
  /** Shipments that wait for a platform that may be called. */
  readonly waiting: Set<string>
  /** Further platforms, by `role#number`. */
  readonly platforms: Map<string, FurtherPlatform>
  /** The ids of events that consumers stored, for deduplication, oldest first. */
  readonly seen: Set<string>
}

/** Maximum numbers of entries; the oldest finished one is evicted first. */
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
