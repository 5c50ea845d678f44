/**
 * A delivery as a consumer knows it: from what it asked for, heard and read, never from the platform's own memory. One
 * for each order and each role that had it delivered.
 */
import type { Places } from '../../protocol/logistics/place.ts'
import type { Role } from '../../protocol/role.ts'
import type { Command } from '../command.ts'
import type { Instant } from '../instant.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'

export type ConsumerRole = Extract<Role, 'ordering-application' | 'software-service'>

/** What a consumer wants to have delivered. */
export interface Demand extends Places {
  readonly orderId: string
  readonly displayId?: string
}

/**
 * `waiting` for a platform that may be called, `asking` for availability, `creating` the delivery, `open` until it is
 * final, and then `over`.
 */
export type ShipmentPhase = 'waiting' | 'asking' | 'creating' | 'open' | 'over'

export type ShipmentEnd =
  | 'delivered'
  | 'cancelled'
  | 'failed'
  /** No platform delivers it. */
  | 'no platform'
  /** The order was cancelled before there was a delivery. */
  | 'withdrawn'

/** The calls that a consumer may make about a delivery that there is. */
export const shipmentCalls = [
  'ready-for-pickup',
  'collected',
  'problem',
  'delivered',
  'cancel',
] as const
export type ShipmentCall = (typeof shipmentCalls)[number]

export interface Shipment {
  readonly role: ConsumerRole
  readonly orderId: string
  readonly demand: Demand
  readonly phase: ShipmentPhase
  readonly since: Instant
  /** The platforms that are still to be asked, by their number; 0 is the usual one. */
  readonly untried: readonly number[]
  /** The one that is asked, or that delivers. */
  readonly platform?: number
  readonly quote?: { readonly amount?: number; readonly currency?: string; readonly eta?: string }
  readonly deliveryId?: string
  readonly status?: DeliveryStatus
  readonly courier?: string
  readonly eta?: string
  readonly way: readonly { readonly status: DeliveryStatus; readonly at: Instant }[]
  /** The food is ready; the platform is told as soon as there is a delivery. */
  readonly ready?: 'known' | 'told'
  /** It is to be cancelled: known here, asked for, accepted, or refused for good. */
  readonly cancel?: 'wanted' | 'asked' | 'accepted' | 'refused'
  /** What waits until it is known whether the delivery can be cancelled. */
  readonly after: readonly Command[]
  /** A cancel was refused, or nobody answers: it is for people to look into, and nothing is repeated (LOG-RUL-02). */
  readonly support?: true
  /** Nothing was heard for too long: it is no longer asked for. */
  readonly stuck?: true
  readonly ended?: ShipmentEnd
  /** Goes up with every news; a reading that was planned before is out of date. */
  readonly round: number
  /** Readings in a row that brought no news. */
  readonly quiet: number
}

export const shipmentKey = (role: ConsumerRole, orderId: string): string => `${role}/${orderId}`

export const endOf: Readonly<Partial<Record<DeliveryStatus, ShipmentEnd>>> = {
  DELIVERED: 'delivered',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
}

/** Readings in a row without news, after which a delivery is left alone. */
export const mostQuietReadings = 40
