/**
 * Type of a dialect: the settings in which a partner's implementation differs from the specification, as data.
 * Differences that no setting covers are listed as text in `beyond`, so that a dialect does not look complete.
 */
import type { ConductInput } from '../conduct.ts'

export interface Dialect {
  readonly name: string
  /** One-line description. */
  readonly summary: string
  readonly conduct: ConductInput
  /** Name, scope prefix and protocol version of the partner. */
  readonly protocol?: {
    readonly name?: string
    readonly scopePrefix?: string
    readonly version?: string
  }
  /** How events are handed over. */
  readonly channel?: 'polling' | 'webhook' | 'both'
  readonly pollEvery?: number | string
  /** Path at which a Software Service receives order events. */
  readonly webhookPath?: string
  /** What partners and their clients do in more than one form, with the setting of the other forms. */
  readonly notSettled?: readonly string[]
  /** How partners of an earlier candidate answer an impossible transition, besides `conduct.invalidTransition`. */
  readonly earlierInvalidTransition?: Readonly<Partial<Record<'logistics', 409 | 422>>>
  /** Behaviour of the partner that this dialect does not reproduce. */
  readonly beyond: readonly string[]
}

/** Type-checks a dialect at its definition and keeps its name as a literal type. */
export const defineDialect = <const Name extends string>(
  dialect: Dialect & { readonly name: Name },
): Dialect & { readonly name: Name } => dialect
