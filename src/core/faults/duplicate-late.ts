/** A late duplicate of an event (E4): after its acknowledgment, after later events, or after the end of its order. */
import { compact } from '../base/compact.ts'
import type { z } from 'zod'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import type { HandoverPoint } from '../engine/faults/fault-point.ts'
import type { WaitCondition } from '../engine/faults/wait-condition.ts'
import { strictObject } from '../base/lazy-object.ts'
import { wholeNumber, oneWord } from '../protocol/setting.ts'

const times = ['acknowledged', 'later-events', 'order-ended'] as const

const options = strictObject(() => ({
  when: oneWord(times, 'acknowledged').describe(
    'after it was acknowledged, behind k later events, or after the end of its order',
  ),
  k: wholeNumber(1, 100, 2).describe('behind so many later events of its order'),
  atMost: Duration.default(300_000).describe('it comes after this time, whatever has happened'),
}))

function waitCondition(
  { when, k }: z.infer<typeof options>,
  { eventId, orderId, channel }: HandoverPoint,
): WaitCondition {
  if (when === 'acknowledged') return { kind: 'acknowledged', eventId }
  if (when === 'order-ended' && orderId !== undefined)
    return { kind: 'order-ended', orderId, channel }
  return { kind: 'later-events', handovers: k, eventId, channel, ...compact({ orderId }) }
}

export const duplicateLate = defineFault<z.infer<typeof options>>({
  name: 'duplicate-late',
  summary: 'an event is delivered again, long after it was acknowledged',
  code: 'E4',
  meets: ['handover'],
  symptom: 'again',
  traits: ['order'],
  options,
  vary: (chance) => ({
    when: chance.pick(times),
    k: chance.between(1, 3),
    atMost: chance.pick([20_000, 60_000, 120_000]),
  }),
  plan: (chosen, planned, meeting) =>
    meeting.kind === 'handover'
      ? [
          planned,
          {
            ...planned,
            wait: {
              ...waitCondition(chosen, meeting),
              atMostMs: chosen.atMost,
            },
          },
        ]
      : undefined,
})
