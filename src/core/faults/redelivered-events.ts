/** Events that arrive more than once. */
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord, wholeNumber } from '../protocol/setting.ts'
import { Duration } from '../protocol/duration.ts'
import { compact } from '../base/compact.ts'
import { z } from 'zod'
import type { HandoverPoint } from '../engine/faults/fault-point.ts'
import type { WaitCondition } from '../engine/faults/wait-condition.ts'
import type { PlannedCommand } from '../engine/agenda/item.ts'
import type { EventChannel } from '../engine/emitted-event.ts'

/** Duplicates of an event: back to back by webhook, in the same batch by polling (ORD-GEN-02). */
export const duplicate = defineFault({
  name: 'duplicate',
  summary: 'an event is delivered twice, one right after the other',
  code: 'E3',
  meets: ['handover'],
  symptom: 'again',
  options: strictObject(() => ({
    times: wholeNumber(2, 10, 2).describe('how often it arrives in all'),
  })),
  vary: (chance) => ({ times: chance.between(2, 3) }),
  plan: ({ times }, planned) => Array.from({ length: times }, () => planned),
})

const channelNames = ['webhook', 'polling'] as const

/**
 * With both channels in use, the second one delivers an event only after the service has accepted
 * it from the first (E7): a late duplicate under the same id.
 */
export const bothChannels = defineFault({
  name: 'both-channels',
  summary: 'an event is delivered on one channel, and again on the other one',
  code: 'E7',
  meets: ['handover'],
  symptom: 'late',
  traits: ['order'],
  options: strictObject(() => ({
    first: oneWord(channelNames, 'webhook').describe('the channel that brings it first'),
    atMost: Duration.default(30_000).describe('the other brings it after this time, taken or not'),
  })),
  vary: (chance) => ({
    first: chance.pick(channelNames),
    atMost: chance.pick([5000, 30_000]),
  }),
  plan({ first, atMost }, planned, meeting) {
    if (meeting.kind !== 'handover' || meeting.alsoBy !== first) return undefined
    const { eventId } = meeting
    return [{ ...planned, wait: { kind: 'acknowledged', eventId, atMostMs: atMost } }]
  },
})

/** The same event arrives many times in a short time: a partner with runaway retries. */
export const flood = defineFault({
  name: 'flood',
  summary: 'an event is delivered over and over, many times a second',
  code: 'H2',
  meets: ['handover'],
  legal: false,
  options: strictObject(() => ({
    times: wholeNumber(2, 2000, 100).describe('how often it comes'),
    within: Duration.default(1000).describe('in which time'),
  })),
  vary: (chance) => ({ times: chance.pick([20, 100]), within: chance.pick([0, 1000, 10_000]) }),
  plan: ({ times, within }, planned) =>
    Array.from({ length: times }, (_, index) =>
      index === 0
        ? planned
        : { ...planned, afterMs: planned.afterMs + Math.floor((within * index) / times) },
    ),
})

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

/**
 * A late duplicate of an event (E4): after its acknowledgment, after later events, or after the end
 * of its order.
 */
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

const planHandover = (channel: EventChannel, eventId: string, afterMs: number): PlannedCommand => ({
  command:
    channel === 'polling'
      ? { kind: 'event.offer', eventId }
      : { kind: 'event.push', eventId, attempt: 1 },
  afterMs,
})

/**
 * A repeated call is answered 202 like any other, and the event of the first call is handed over
 * again (E8, ORD-RUL-04) under the same id. With a new id it is a new event by the protocol's
 * wording; findings are advice then.
 */
export const redeliver = defineFault({
  name: 'redeliver',
  summary: 'a call that is repeated emits its event again',
  code: 'E8',
  meets: ['answer'],
  symptom: 'again',
  legal: ({ newId }) => newId === undefined,
  options: strictObject(() => ({
    newId: z.literal(true).optional().describe('as a new event, with an id of its own'),
    by: Duration.default(200).describe('how long after the call'),
  })),
  vary: (chance) => ({ by: chance.pick([1, 200, 5000]) }),
  message({ newId, by }, meeting) {
    if (meeting.kind !== 'answer' || !meeting.repeats) return undefined
    const { orderId = '', repeats } = meeting
    const { eventId, eventType, channels } = repeats
    const plans: readonly PlannedCommand[] = newId
      ? [{ command: { kind: 'event.emit', orderId, eventType }, afterMs: by }]
      : channels.map((channel) => planHandover(channel, eventId, by))
    return { effect: true, plans }
  },
})
