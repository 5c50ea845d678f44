/**
 * A delivery as its consumer knows it: from replies and events, never from the platform's slice of the world. One for
 * each order and consumer role.
 */
import type { DeliveryPlaces } from '../../protocol/logistics/place.ts'
import type { Role } from '../../protocol/role.ts'
import type { Command } from '../command.ts'
import type { Instant } from '../instant.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'

export type ConsumerRole = Extract<Role, 'ordering-application' | 'software-service'>

/** What a consumer wants delivered. */
export interface ShipmentDemand extends DeliveryPlaces {
  readonly orderId: string
  readonly displayId?: string
}

/**
 * `waiting` for a platform that may be called, `asking` for availability, `creating` the delivery, `open` until the
 * status is final, then `over`.
 */
export type ShipmentPhase = 'waiting' | 'asking' | 'creating' | 'open' | 'over'

export type ShipmentEnd =
  | 'delivered'
  | 'cancelled'
  | 'failed'
  /** No platform is available. */
  | 'no platform'
  /** The order was cancelled before the delivery was created. */
  | 'withdrawn'

/** The calls that a consumer may make about an existing delivery. */
export const shipmentCalls = [
  'ready-for-pickup',
  'collected',
  'problem',
  'delivered',
  'cancel',
] as const
export type ShipmentCall = (typeof shipmentCalls)[number]

export interface ShipmentRecord {
  readonly role: ConsumerRole
  readonly orderId: string
  readonly demand: ShipmentDemand
  readonly phase: ShipmentPhase
  readonly since: Instant
  /** The platforms still to ask, by number; 0 is the default one. */
  readonly untried: readonly number[]
  /** The platform that is asked or that delivers. */
  readonly platform?: number
  readonly quote?: { readonly amount?: number; readonly currency?: string; readonly eta?: string }
  readonly deliveryId?: string
  readonly status?: DeliveryStatus
  readonly courier?: string
  readonly eta?: string
  readonly way: readonly { readonly status: DeliveryStatus; readonly at: Instant }[]
  /** The food is ready; `told` once it is reported to the platform, after creation. */
  readonly ready?: 'known' | 'told'
  /** State of the cancel: to be requested, in flight, accepted, or finally refused. */
  readonly cancel?: 'wanted' | 'asked' | 'accepted' | 'refused'
  /** Commands that wait for the outcome of the cancel. */
  readonly after: readonly Command[]
  /**
   * A cancel was refused, or the platform is silent: support must look into it, and nothing is retried (LOG-RUL-02).
   */
  readonly support?: true
  /** Too many reads showed no change: no longer read. */
  readonly stuck?: true
  readonly ended?: ShipmentEnd
  /** Incremented by every update; a read scheduled under an older value is dropped. */
  readonly round: number
  /** Consecutive reads without change. */
  readonly quiet: number
}

export const shipmentKey = (role: ConsumerRole, orderId: string): string => `${role}/${orderId}`

export const shipmentEndOfStatus: Readonly<Partial<Record<DeliveryStatus, ShipmentEnd>>> = {
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
}

/** Consecutive reads without change after which a delivery is no longer read. */
export const maxUnchangedReadings = 40
