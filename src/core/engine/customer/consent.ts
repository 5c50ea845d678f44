/**
 * Marketing consent. A withdrawal takes precedence (CUS-EVR-01): it applies at once, and only a consent with a later time
 * undoes it. At equal times the withdrawal wins.
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

export const consentStateOf = (record: CustomerRecord | undefined): ConsentState => ({
  ...(record?.document.consent === undefined ? {} : { consent: record.document.consent }),
  ...(record?.consentAt === undefined ? {} : { consentAt: record.consentAt }),
  ...(record?.optedOutAt === undefined ? {} : { optedOutAt: record.optedOutAt }),
})

/** Applies a consent or withdrawal with its time, from an event or a command. */
export function withConsent(state: ConsentState, marketing: boolean, at: Instant): ConsentState {
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

/** Applies the consent in a sent record; one older than the known consent is ignored. */
export function withSentConsent(
  state: ConsentState,
  sent: Consent | undefined,
  now: Instant,
): ConsentState {
  if (sent === undefined) return state
  const { consent, consentAt, optedOutAt } = state
  const { marketing, updatedAt } = sent
  if (marketing === undefined) return { ...state, consent: { ...sent, ...consent } }
  const at = updatedAt === undefined ? undefined : parseDateTime(updatedAt)
  const isOlder = at !== undefined && consentAt !== undefined && at < consentAt
  // Consent without a time never counts as later than a withdrawal.
  const isOverruled =
    marketing && optedOutAt !== undefined && (at === undefined || at <= optedOutAt)
  if (isOlder || isOverruled) return state
  const statedAt = at ?? now
  return {
    consent: { ...consent, ...sent, updatedAt: updatedAt ?? isoOf(now) },
    consentAt: statedAt,
    ...(marketing
      ? optedOutAt === undefined
        ? {}
        : { optedOutAt }
      : { optedOutAt: Math.max(statedAt, optedOutAt ?? -Infinity) }),
  }
}
