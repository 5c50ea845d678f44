/**
 * Consent to marketing. Withdrawing takes precedence (CUS-EVR-01): it holds at once, and only a consent that was said
 * later undoes it. Of two that were said at the same instant, the withdrawal counts.
 */
import { parseDateTime } from '../../protocol/date-time.ts'
import type { Consent } from '../../protocol/customer/customer.ts'
import { type Instant, isoOf } from '../instant.ts'
import type { CustomerRecord } from './world.ts'

export interface ConsentState {
  readonly consent?: Consent
  readonly consentAt?: Instant
  readonly optedOutAt?: Instant
}

export const consentOf = (record: CustomerRecord | undefined): ConsentState => ({
  ...(record?.document.consent === undefined ? {} : { consent: record.document.consent }),
  ...(record?.consentAt === undefined ? {} : { consentAt: record.consentAt }),
  ...(record?.optedOutAt === undefined ? {} : { optedOutAt: record.optedOutAt }),
})

/** Consent that was said at an instant, by an event or by a command. */
export function consentSaid(state: ConsentState, marketing: boolean, at: Instant): ConsentState {
  const { consent, optedOutAt, consentAt } = state
  if (marketing && at <= Math.max(optedOutAt ?? -Infinity, consentAt ?? -Infinity)) return state
  return {
    consent: { ...consent, marketing, updatedAt: isoOf(at) },
    consentAt: at,
    ...(marketing
      ? optedOutAt === undefined
        ? {}
        : { optedOutAt }
      : { optedOutAt: Math.max(at, optedOutAt ?? -Infinity) }),
  }
}

/** Consent as a record carries it: what is older than what is known says nothing. */
export function consentSent(
  state: ConsentState,
  sent: Consent | undefined,
  now: Instant,
): ConsentState {
  if (sent === undefined) return state
  const { consent, consentAt, optedOutAt } = state
  const { marketing, updatedAt } = sent
  if (marketing === undefined) return { ...state, consent: { ...sent, ...consent } }
  const at = updatedAt === undefined ? undefined : parseDateTime(updatedAt)
  const isLate = at !== undefined && consentAt !== undefined && at < consentAt
  // Without an instant it cannot be later than a withdrawal.
  const isUndone = marketing && optedOutAt !== undefined && (at === undefined || at <= optedOutAt)
  if (isLate || isUndone) return state
  const said = at ?? now
  return {
    consent: { ...consent, ...sent, updatedAt: updatedAt ?? isoOf(now) },
    consentAt: said,
    ...(marketing
      ? optedOutAt === undefined
        ? {}
        : { optedOutAt }
      : { optedOutAt: Math.max(said, optedOutAt ?? -Infinity) }),
  }
}
