/** Polls and acknowledgments, in all versions. */
import type { ObservedExchange } from '../judge/observations.ts'

export const acknowledgmentOperations = ['acknowledgeEvents', 'acknowledgeEventsV1'] as const
export const pollOperations = ['pollingEvents', 'pollEventsV1'] as const

const isIn = (names: readonly string[], { operation }: ObservedExchange): boolean =>
  operation !== undefined && names.includes(operation)

export const isSubjectAcknowledgment = (seen: ObservedExchange): boolean =>
  seen.caller === 'subject' && isIn(acknowledgmentOperations, seen)

export const isSubjectPoll = (seen: ObservedExchange): boolean =>
  seen.caller === 'subject' && isIn(pollOperations, seen)
