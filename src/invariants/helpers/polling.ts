/** Polls and acknowledgments. */
import type { ObservedExchange } from '../judge/observations.ts'

export const acknowledgmentOperations = ['acknowledgeEvents'] as const
export const pollOperations = ['pollingEvents'] as const

export const isSubjectAcknowledgment = ({ caller, operation }: ObservedExchange): boolean =>
  caller === 'subject' && operation === 'acknowledgeEvents'

export const isSubjectPoll = ({ caller, operation }: ObservedExchange): boolean =>
  caller === 'subject' && operation === 'pollingEvents'
