/** What a message is to the protocol, by the command behind it: the generations of the protocol name their calls differently. */
import type { MessageMeeting } from '../engine/faults/meeting.ts'
import { operation } from '../protocol/catalogue.ts'

const isBehind =
  (name: string) =>
  ({ kind, operation: id }: MessageMeeting): boolean =>
    kind === 'answer' && operation(id).behind.name === name

/** The subject fetches events. */
export const isPoll = isBehind('events.poll')

/** The subject says which events it has taken. */
export const isAcknowledgment = isBehind('events.acknowledge')
