/** The ids that an acknowledgment names, whatever came of it, in whichever of the shapes that are seen in the field. */
import type { NamedEvent, SeenExchange } from '../seen.ts'

export const acknowledgments = ['acknowledgeEvents', 'acknowledgeEventsV1'] as const
export const polls = ['pollingEvents', 'pollEventsV1'] as const

const isIn = (names: readonly string[], { operation }: SeenExchange): boolean =>
  operation !== undefined && names.includes(operation)

export const isAcknowledgment = (seen: SeenExchange): boolean =>
  seen.by === 'subject' && isIn(acknowledgments, seen)

export const isPoll = (seen: SeenExchange): boolean => seen.by === 'subject' && isIn(polls, seen)

/** Undefined when its body is no list of anything. */
export const namedIn = (seen: SeenExchange): readonly NamedEvent[] | undefined => seen.named()
