/** What a session is: its clock, seed, roles and addresses, and its counts. */
import { z } from 'zod'
import { strictObject } from '../base/lazy-object.ts'
import type { Instant } from '../engine/instant.ts'
import type { Role } from '../protocol/role.ts'
import type { FailedRequests } from '../traffic/failed-requests.ts'
import type { FirstContactInfo } from './first-contact.ts'

/**
 * `real` follows the wall clock, `stepped` advances on operator steps only, `virtual` jumps to the next due instant
 * when idle.
 */
export type ClockMode = (typeof clockModes)[number]
export const clockModes = ['real', 'stepped', 'virtual'] as const

export const clockFields = () => ({
  mode: z.enum(clockModes).optional(),
  speed: z.number().positive().max(1000).optional(),
})

/** How time passes from now on. */
export const ClockChange = strictObject(clockFields)

export interface CounterpartInfo {
  readonly role: Role
  readonly url: string
  readonly behaviour: string
}

/** News of the configuration file of a session that watches it. */
export interface ConfigurationNotice {
  /** Counts from 1. */
  readonly seq: number
  /** Session time. */
  readonly at: Instant
  /** One line: `configuration: conduct.emptyPoll is 200 now; subject.url needs a restart`. */
  readonly text: string
  /** Nothing was taken over: the file cannot be read, or is wrong. */
  readonly failed?: true
  /** Settings that have changed, and those that need a restart: `conduct.emptyPoll`. */
  readonly changed?: readonly string[]
  readonly restart?: readonly string[]
}

export interface SessionInfo extends FirstContactInfo {
  /** Of the package, with the commit that it was built from: `0.1.0 (abc1234)`. */
  readonly version: string
  readonly protocol: { readonly name: string; readonly version: string }
  readonly seed: number
  readonly clock: { readonly mode: ClockMode; readonly speed: number; readonly now: Instant }
  readonly channel: 'polling' | 'webhook' | 'both'
  readonly counterparts: readonly CounterpartInfo[]
  /** Role and URL of the user's service. */
  readonly subject?: { readonly role: Role; readonly url?: string }
  /** The last news of the configuration file, oldest first; absent where it is not watched. */
  readonly configuration?: readonly ConfigurationNotice[]
  /** The recording file, and the problem when it cannot be written. */
  readonly recording?: {
    readonly file: string
    readonly written: number
    readonly problem?: string
  }
  /**
   * Set after a fork: the last fact shared with the earlier world. Traffic since then is not undone, so nothing is
   * judged any more: your service remembers a future that this world does not have.
   */
  readonly forked?: number
  readonly counts: {
    readonly facts: number
    readonly exchanges: number
    readonly pending: number
    /** Pending items that repeat for ever, such as polling. */
    readonly loops: number
    readonly held: number
    readonly orders: number
    readonly open: number
    /** Of the user's service and to it; of everybody in a session without one. */
    readonly failed: FailedRequests
    /** Operator actions that a scenario can repeat: all but settings of the clock. */
    readonly actions: number
  }
}
