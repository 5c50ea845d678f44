/**
 * Classifies requests by the command of their handler, because the generations of the protocol name their operations
 * differently.
 */
import type { MessageMeeting } from '../engine/faults/meeting.ts'
import { operation } from '../protocol/catalogue.ts'

const isBehind =
  (name: string) =>
  ({ kind, operation: id }: MessageMeeting): boolean =>
    kind === 'answer' && operation(id).behind.name === name

/** Whether the subject polls for events. */
export const isPoll = isBehind('events.poll')

/** Whether the subject acknowledges events. */
export const isAcknowledgment = isBehind('events.acknowledge')
