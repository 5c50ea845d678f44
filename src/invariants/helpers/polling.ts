/** Polls and acknowledgments, in all versions. */
import type { SeenExchange } from '../judge/observations.ts'

export const acknowledgments = ['acknowledgeEvents', 'acknowledgeEventsV1'] as const
export const polls = ['pollingEvents', 'pollEventsV1'] as const

const isIn = (names: readonly string[], { operation }: SeenExchange): boolean =>
  operation !== undefined && names.includes(operation)

export const isAcknowledgment = (seen: SeenExchange): boolean =>
  seen.by === 'subject' && isIn(acknowledgments, seen)

export const isPoll = (seen: SeenExchange): boolean => seen.by === 'subject' && isIn(polls, seen)
