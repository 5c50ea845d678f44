/**
 * A partner's way of speaking the protocol, as data: the settings in which it differs from the documents. What it does
 * besides, that no setting says, is told in words, so that nobody takes the one for the whole of the other.
 */
import type { z } from 'zod'
import type { Conduct } from '../conduct.ts'

export interface Dialect {
  readonly name: string
  /** What it is, in a line. */
  readonly summary: string
  readonly conduct: z.input<typeof Conduct>
  /** How the protocol calls itself there. */
  readonly protocol?: { readonly scopePrefix?: string; readonly version?: string }
  /** How events are handed over. */
  readonly channel?: 'polling' | 'webhook' | 'both'
  /** The pause between two polls, in milliseconds. */
  readonly pollEvery?: number
  /** Where a Software Service takes order events. */
  readonly webhookPath?: string
  /** What else the partner does, which this does not play. */
  readonly beyond: readonly string[]
}

/** Checks a dialect where it is written, and keeps its name. */
export const defineDialect = <const Name extends string>(
  dialect: Dialect & { readonly name: Name },
): Dialect & { readonly name: Name } => dialect
