/** The process of the user's service is ended at one of its messages, and started again. */
import type { SubjectCrash } from '../engine/faults/distortion.ts'
import { processSignals } from '../engine/session/commands.ts'
import { type CatalogueRow, operation as operationOf, operations } from '../protocol/catalogue.ts'
import { Duration } from '../protocol/duration.ts'
import { oneWord } from '../protocol/setting.ts'
import { strictObject } from '../base/lazy-object.ts'
import { channelOfOperation } from './applicability.ts'
import { defineFault } from './fault.ts'

const moments = ['before-ack', 'after-ack', 'before-answer', 'after-answer', 'during-call'] as const
type Moment = (typeof moments)[number]

const isOfAck = (when: Moment): boolean => when === 'before-ack' || when === 'after-ack'

const isAcknowledgment = ({ handler }: CatalogueRow): boolean =>
  handler.name === 'events.acknowledge'

/** Whether a moment is one of this message: the answer to a call of ours acknowledges it. */
const fits = (when: Moment, row: CatalogueRow, isOurCall: boolean): boolean =>
  isOurCall ? isOfAck(when) : !isOfAck(when) || isAcknowledgment(row)

/**
 * A process dies as processes do: at any moment. What it has taken over must outlast it, and what it has done must not be done
 * again by the one that is started in its place.
 */
export const crash = defineFault({
  name: 'crash',
  summary: 'your service is ended at a message, and started again (with --start)',
  code: 'P1',
  meets: ['answer', 'call'],
  needsStart: true,
  options: strictObject(() => ({
    when: oneWord(moments, 'after-ack').describe(
      'at a webhook or an acknowledgment: before-ack, after-ack; at a call of your service: during-call (without effect), before-answer, after-answer',
    ),
    signal: oneWord(processSignals, 'KILL').describe(
      'TERM: it may end by itself until it is started again',
    ),
    down: Duration.default(2000).describe('how long until it is started again'),
  })),
  missing({ when }, { operation, channel }, { subject }) {
    if (subject === undefined || (operation ?? channel) === undefined) return undefined
    const rows =
      operation?.map(operationOf) ??
      operations.filter((each) => channelOfOperation(each) === channel)
    const isPossible = rows.some(
      (row) =>
        (row.hosts.includes(subject) && fits(when, row, true)) ||
        (row.callers.includes(subject) && fits(when, row, false)),
    )
    return isPossible
      ? undefined
      : `${when} is a moment of ${isOfAck(when) ? 'acknowledgments, and of calls of ours' : 'calls of your service'} alone`
  },
  vary: (chance) => ({
    when: chance.pick(moments),
    signal: 'KILL' as const,
    down: 2000,
  }),
  message({ when, signal, down: downMs }, { kind, operation }) {
    const made = (at: SubjectCrash['when']): SubjectCrash => ({ when: at, signal, downMs })
    if (!fits(when, operationOf(operation), kind === 'call')) return undefined
    if (when === 'after-ack' || when === 'after-answer')
      return { effect: true, crash: made('after-answer') }
    const effect = kind === 'call' || when === 'before-answer'
    return { effect, end: 'reset', crash: made('before-answer') }
  },
})
