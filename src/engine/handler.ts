/**
 * What stands behind an operation: a command that may change the world, or a view that only reads it. The input is the
 * request without its HTTP: no sockets, no header objects, and a body that its schema has already passed.
 */
import type { CatalogueRow } from '../protocol/catalogue.ts'
import type { Result } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import type { Command } from './command.ts'
import type { Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import type { Refusal } from './refusal.ts'
import type { Client, Settings } from './settings.ts'
import type { World } from './world.ts'

export interface Input {
  readonly host: Role
  /** The declared base URL of the host, without a slash at its end. */
  readonly base: string
  readonly params: Readonly<Record<string, string>>
  /** Every value of every query parameter. */
  readonly query: (name: string) => readonly string[]
  /** A header's value, several joined by commas. */
  readonly header: (name: string) => string | undefined
  readonly body: unknown
  /** Who calls; undefined for an open operation. */
  readonly client?: Client
  readonly world: World
  readonly settings: Settings
  readonly now: Instant
  /** The operations that the host serves in this session. */
  readonly served: readonly CatalogueRow[]
}

/** The order and the events that an exchange is about. */
export interface About {
  readonly orderId?: string
  readonly eventIds?: readonly string[]
}

export interface Answer {
  readonly about?: About
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** What goes out as JSON; nothing goes out when it is undefined. */
  readonly body?: unknown
  /** The body as JSON text that is kept already; sent instead of `body`. */
  readonly text?: string
}

export type Handler =
  | {
      readonly kind: 'command'
      readonly command: (input: Input) => Result<Command, Refusal>
      /** The answer, from the facts that came of it; an empty one with the row's status when absent. */
      readonly answer?: (facts: readonly Fact[], input: Input) => Answer
    }
  | { readonly kind: 'view'; readonly view: (input: Input) => Result<Answer, Refusal> }

export type Handlers = Readonly<Record<string, Handler>>
