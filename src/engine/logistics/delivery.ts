/**
 * A delivery as the Delivery Platform knows it: an immutable record, and what each of its facts makes of it. Deciding
 * and applying both use these functions, so an event can tell what will be so once its fact is applied.
 */
import type { ProblemEntry } from '../../protocol/logistics/bodies.ts'
import { isFinal, type MovingTrigger } from '../../protocol/logistics/lifecycle.ts'
import type { Places, Position } from '../../protocol/logistics/place.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'
import type { CourierStep, DeliveryStatus } from '../../protocol/logistics/status.ts'

export const vehicles = ['MOTORCYCLE', 'BICYCLE', 'CAR', 'WALKING'] as const
export type Vehicle = (typeof vehicles)[number]

export interface Courier {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly vehicle: Vehicle
  readonly kmPerHour: number
}

/** A ride: its points in order, when it began and how long it takes. Where the courier is follows from the instant. */
export interface Leg {
  readonly points: readonly Position[]
  readonly startedAt: Instant
  readonly durationMs: number
}

/** What a delivery costs and how long it takes, by its way and by how much there is to do. */
export interface Quote {
  readonly quoteId: string
  readonly available: boolean
  readonly metres: number
  /** In minor units. */
  readonly fee: number
  readonly currency: string
  readonly durationMs: number
  readonly because?: string
}

/** What somebody asks to be delivered. */
export interface DeliveryWish extends Places {
  readonly orderId: string
  readonly displayId?: string
}

export interface DeliveryRecord extends DeliveryWish {
  readonly id: string
  /** Who created it, and hears of it. */
  readonly consumer: Role
  readonly quote: Quote
  readonly status: DeliveryStatus
  readonly since: Instant
  readonly way: readonly {
    readonly status: DeliveryStatus
    readonly at: Instant
    readonly trigger?: MovingTrigger
  }[]
  readonly courier?: Courier
  readonly leg?: Leg
  readonly step?: CourierStep
  readonly readyAt?: Instant
  /** Why its status is what it is, where somebody gave a reason. */
  readonly because?: string
  readonly problems: readonly ProblemEntry[]
}

export interface Creation {
  readonly id: string
  readonly wish: DeliveryWish
  readonly consumer: Role
  readonly quote: Quote
}

export const created = ({ id, wish, consumer, quote }: Creation, at: Instant): DeliveryRecord => ({
  ...wish,
  id,
  consumer,
  quote,
  status: 'PENDING',
  since: at,
  way: [{ status: 'PENDING', at }],
  problems: [],
})

export interface Movement {
  readonly trigger: MovingTrigger
  readonly to: DeliveryStatus
  readonly courier?: Courier
  readonly leg?: Leg
  readonly because?: string
}

export function moved(record: DeliveryRecord, movement: Movement, at: Instant): DeliveryRecord {
  const { trigger, to, courier, leg, because } = movement
  // Every ride has steps of its own, and a delivery that is over has no ride at all.
  const { leg: _leg, step: _step, because: _because, ...rest } = record
  return {
    ...rest,
    status: to,
    since: at,
    way: [...record.way, { status: to, at, trigger }],
    ...(courier ? { courier } : {}),
    ...(leg && !isFinal(to) ? { leg } : {}),
    ...(because === undefined ? {} : { because }),
  }
}

export const readied = (record: DeliveryRecord, at: Instant): DeliveryRecord => ({
  ...record,
  readyAt: at,
})

export const progressed = (record: DeliveryRecord, step: CourierStep): DeliveryRecord => ({
  ...record,
  step,
})

/** Each report adds an entry; the earlier ones stay as they are (LOG-RUL-04). */
export const reported = (record: DeliveryRecord, problem: ProblemEntry): DeliveryRecord => ({
  ...record,
  problems: [...record.problems, problem],
})

/** When it reached a status; undefined when it has not. */
export const reachedAt = ({ way }: DeliveryRecord, status: DeliveryStatus): Instant | undefined =>
  way.find((each) => each.status === status)?.at
