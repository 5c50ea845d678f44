/**
 * A delivery at the Delivery Platform: an immutable record, and a pure function for each of its facts. Deciders and
 * reducers share these functions, so that an event can show the state after its fact.
 */
import { compact } from '../../base/compact.ts'
import type { ProblemEntry } from '../../protocol/logistics/bodies.ts'
import { isFinalDeliveryStatus, type MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryPlaces, GeoPosition } from '../../protocol/logistics/place.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'
import type { CourierStep, DeliveryStatus } from '../../protocol/logistics/status.ts'

export const vehicles = ['MOTORCYCLE', 'BICYCLE', 'CAR', 'WALKING'] as const
export type Vehicle = (typeof vehicles)[number]

export interface DeliveryCourier {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly vehicle: Vehicle
  readonly kmPerHour: number
}

/** A ride: route, start and duration in ms. The courier's position is computed from the current time. */
export interface Leg {
  readonly points: readonly GeoPosition[]
  readonly startedAt: Instant
  readonly durationMs: number
}

/** Price and duration of a delivery, by distance and load. */
export interface Quote {
  readonly quoteId: string
  readonly available: boolean
  readonly metres: number
  /** In minor units of the currency (cents). */
  readonly fee: number
  readonly currency: string
  readonly durationMs: number
  readonly because?: string
}

/** A request to deliver an order. */
export interface DeliveryRequest extends DeliveryPlaces {
  readonly orderId: string
  readonly displayId?: string
  /** What the public standard wants to know of the order besides. */
  readonly goods?: DeliveredGoods
}

export interface DeliveredGoods {
  readonly price: { readonly value: number; readonly currency: string }
  /** In grams. */
  readonly weight: number
  readonly payments: Readonly<Record<string, unknown>>
}

export interface DeliveryRecord extends DeliveryRequest {
  readonly id: string
  /** The role that created it and receives its events. */
  readonly consumer: Role
  readonly quote: Quote
  readonly status: DeliveryStatus
  readonly since: Instant
  readonly way: readonly {
    readonly status: DeliveryStatus
    readonly at: Instant
    readonly trigger?: MovingTrigger
  }[]
  readonly courier?: DeliveryCourier
  readonly leg?: Leg
  readonly step?: CourierStep
  readonly readyAt?: Instant
  /** The reason for its status, where there is one. */
  readonly because?: string
  readonly problems: readonly ProblemEntry[]
}

export interface NewDelivery {
  readonly id: string
  readonly wish: DeliveryRequest
  readonly consumer: Role
  readonly quote: Quote
}

export const createdDelivery = (
  { id, wish, consumer, quote }: NewDelivery,
  at: Instant,
): DeliveryRecord => ({
  ...wish,
  id,
  consumer,
  quote,
  status: 'PENDING',
  since: at,
  way: [{ status: 'PENDING', at }],
  problems: [],
})

export interface DeliveryMovement {
  readonly trigger: MovingTrigger
  readonly to: DeliveryStatus
  readonly courier?: DeliveryCourier
  readonly leg?: Leg
  readonly because?: string
}

export function movedDelivery(
  record: DeliveryRecord,
  movement: DeliveryMovement,
  at: Instant,
): DeliveryRecord {
  const { trigger, to, courier, leg, because } = movement
  // Steps belong to one ride, and a final delivery has no ride.
  const { leg: _leg, step: _step, because: _because, ...rest } = record
  return {
    ...rest,
    status: to,
    since: at,
    way: [...record.way, { status: to, at, trigger }],
    ...compact({ courier }),
    ...(leg && !isFinalDeliveryStatus(to) ? { leg } : {}),
    ...compact({ because }),
  }
}

export const readyDelivery = (record: DeliveryRecord, at: Instant): DeliveryRecord => ({
  ...record,
  readyAt: at,
})

export const progressedDelivery = (record: DeliveryRecord, step: CourierStep): DeliveryRecord => ({
  ...record,
  step,
})

/** Adds a problem entry; earlier entries stay unchanged (LOG-RUL-04). */
export const deliveryWithProblem = (
  record: DeliveryRecord,
  problem: ProblemEntry,
): DeliveryRecord => ({
  ...record,
  problems: [...record.problems, problem],
})

/** When it reached a status; undefined if it has not. */
export const statusReachedAt = (
  { way }: DeliveryRecord,
  status: DeliveryStatus,
): Instant | undefined => way.find((each) => each.status === status)?.at
