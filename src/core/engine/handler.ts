/**
 * The handler of an operation: a command that may change the world, or a view that only reads it. Its input is the
 * request without HTTP: no sockets, no header objects, and a body already validated by its schema.
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

export interface HandlerInput {
  readonly host: Role
  /** The base URL of the host, without a trailing slash, and the one that it declares for the capability. */
  readonly origin: string
  readonly base: string
  readonly params: Readonly<Record<string, string>>
  /** Every value of every query parameter. */
  readonly query: (name: string) => readonly string[]
  /** A header's value; several values are joined by commas. */
  readonly header: (name: string) => string | undefined
  readonly body: unknown
  /** The calling client; undefined for an open operation. */
  readonly client?: Client
  readonly world: World
  readonly settings: Settings
  readonly now: Instant
  /** The operations that the host serves in this session. */
  readonly served: readonly CatalogueRow[]
}

/** The order and the events that an exchange concerns. */
export interface AffectedEntities {
  readonly orderId?: string
  readonly eventIds?: readonly string[]
}

export interface HandlerAnswer {
  readonly about?: AffectedEntities
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The JSON body; no body when undefined. */
  readonly body?: unknown
  /** The body as cached JSON text; sent instead of `body`. */
  readonly text?: string
}

export interface CommandHandler {
  readonly kind: 'command'
  readonly command: (input: HandlerInput) => Result<Command, Refusal>
  /** The answer, made of the resulting facts; an empty one with the row's status when absent. */
  readonly answer?: (facts: readonly Fact[], input: HandlerInput) => HandlerAnswer
}

export interface ViewHandler {
  readonly kind: 'view'
  readonly view: (input: HandlerInput) => Result<HandlerAnswer, Refusal>
}

export type OperationHandler = CommandHandler | ViewHandler

export type OperationHandlers = Readonly<Record<string, OperationHandler>>
