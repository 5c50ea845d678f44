/** Views of the entities of a session other than orders: accounts, deliveries, customers … */
import type { Instant } from '../engine/instant.ts'
import type { Role } from '../protocol/role.ts'
import type { Command } from '../engine/command.ts'

export interface Move {
  /** A name that is unique among the moves of one entity. */
  readonly trigger: string
  /** The resulting status, as text for people. */
  readonly to: string
  /** The role that triggers it, by the protocol. */
  readonly by: Role
  readonly command: Command
  /** Why it is refused now; `command` then forces it. */
  readonly invalid?: string
  /** What of its command can be chosen; what is not chosen is as in `command`. */
  readonly takes?: readonly MoveParameter[]
}

export const moveParameterNames = ['amount', 'item', 'to'] as const

/** A member of a move's command: an amount of money, items, or the other entity. */
export interface MoveParameter {
  readonly name: (typeof moveParameterNames)[number]
  /** There is nothing to choose in its place. */
  readonly needed?: true
  /** An amount above it is wrong on purpose. */
  readonly most?: number
  /** The ids that fit; another one is wrong on purpose. */
  readonly known?: readonly string[]
}

/** A list within an entity, a text for each column. */
export interface EntityPart {
  readonly name: 'items' | 'payments' | 'events'
  readonly rows: readonly Readonly<Record<string, string>>[]
}

/** Kinds of entities other than orders. */
export const sessionEntityKinds = [
  'account',
  'delivery',
  'customer',
  'lead',
  'review',
  'loyalty-account',
  'coupon',
] as const
export type SessionEntityKind = (typeof sessionEntityKinds)[number]

/** Summary of one entity. */
export interface EntityRow {
  readonly kind: SessionEntityKind
  readonly id: string
  /** Display name: `TABLE 7`, a courier's name, a customer's. */
  readonly label: string
  readonly status: string
  /** Additional text: amounts, ETA, points. */
  readonly text: string
  readonly since: Instant
  readonly orderId?: string
  readonly merchant?: string
}

export interface EntityDetail {
  readonly row: EntityRow
  /** History of its statuses. */
  readonly statusHistory: readonly {
    readonly status: string
    readonly at: Instant
    readonly trigger?: string
  }[]
  /** The statuses of the regular lifecycle, in order. */
  readonly regularStatuses: readonly string[]
  readonly moves: readonly Move[]
  /** What it lists, and the events about it, oldest first. */
  readonly parts?: readonly EntityPart[]
  /** The document as GET returns it. */
  readonly document: unknown
}
