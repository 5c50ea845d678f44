/** What else lives in a session beside orders, as somebody who watches it sees it: accounts, deliveries, customers … */
import type { Instant } from '../engine/instant.ts'
import type { Role } from '../protocol/role.ts'
import type { Command } from '../engine/command.ts'

export interface Move {
  /** A name that is unique among the moves of one entity. */
  readonly trigger: string
  /** What it leads to, for a person. */
  readonly to: string
  /** Who pulls it, by the protocol. */
  readonly by: Role
  readonly command: Command
  /** Why it is not lawful now; then `command` forces it. */
  readonly illegal?: string
}

/** What else lives in a session beside orders. */
export const entityKinds = [
  'account',
  'delivery',
  'customer',
  'lead',
  'review',
  'loyalty-account',
  'coupon',
] as const
export type EntityKind = (typeof entityKinds)[number]

/** An account, a delivery, a customer … in one line. */
export interface EntityRow {
  readonly kind: EntityKind
  readonly id: string
  /** What a person calls it: `TABLE 7`, a courier's name, a customer's. */
  readonly label: string
  readonly status: string
  /** One line more: amounts, ETA, points. */
  readonly text: string
  readonly since: Instant
  readonly orderId?: string
  readonly merchant?: string
}

export interface EntityDetail {
  readonly row: EntityRow
  /** The statuses that it went through. */
  readonly way: readonly {
    readonly status: string
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The statuses of a usual life, in order. */
  readonly strip: readonly string[]
  readonly moves: readonly Move[]
  /** The document as GET answers it. */
  readonly document: unknown
}
