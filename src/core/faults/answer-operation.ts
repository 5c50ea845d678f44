/**
 * Classifies requests by the command of their handler, because the generations of the protocol name their operations
 * differently.
 */
import type { MessagePoint } from '../engine/faults/fault-point.ts'
import { operation } from '../protocol/catalogue.ts'

const isBehind =
  (name: string) =>
  ({ kind, operation: id }: MessagePoint): boolean =>
    kind === 'answer' && operation(id).handler.name === name

/** Whether the subject polls for events. */
export const isPollAnswer = isBehind('events.poll')

/** Whether the subject acknowledges events. */
export const isAcknowledgmentAnswer = isBehind('events.acknowledge')
