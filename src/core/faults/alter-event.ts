/**
 * Alters an event before its first handover: from then on it is the same on every channel and in every attempt
 * (ORD-GEN-02).
 */
import type { HandoverPoint, PlanPoint } from '../engine/faults/fault-point.ts'
import type { PlannedCommand } from '../engine/agenda/item.ts'

/**
 * The handover of an event that may still be altered. With two channels it is altered in the handover that is planned
 * first, or the other might have delivered the original.
 */
export const alterableHandover = (meeting: PlanPoint): HandoverPoint | undefined =>
  meeting.kind === 'handover' && meeting.alsoBy !== 'polling' && !meeting.recorded
    ? meeting
    : undefined

export const planAlteredEvent = (
  eventId: string,
  change: Readonly<Record<string, unknown>>,
  planned: PlannedCommand,
): readonly PlannedCommand[] => [
  { command: { kind: 'event.alter', eventId, change }, afterMs: 0 },
  planned,
]
