/** Changing an event before anybody has seen it: from then on it is the same on every way and in every try (ORD-GEN-02). */
import type { HandoverMeeting, PlanMeeting } from '../engine/faults/meeting.ts'
import type { Planned } from '../engine/agenda/item.ts'

/**
 * An event that may still be changed. By two channels it is the same event: it is changed with the one that is planned
 * first, or the other might have brought it as it was.
 */
export const unseen = (meeting: PlanMeeting): HandoverMeeting | undefined =>
  meeting.kind === 'handover' && meeting.alsoBy !== 'polling' && !meeting.recorded
    ? meeting
    : undefined

export const altered = (
  eventId: string,
  change: Readonly<Record<string, unknown>>,
  planned: Planned,
): readonly Planned[] => [
  { command: { kind: 'event.alter', eventId, change }, afterMs: 0 },
  planned,
]
