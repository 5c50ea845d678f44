/** Events that come late, out of order or not at all. */
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import { strictObject } from '../base/lazy-object.ts'
import { z } from 'zod'
import type { WaitCondition } from '../engine/faults/wait-condition.ts'
import { oneWord } from '../protocol/setting.ts'

/** Delays an event (E2), by less or more than a typical reconciliation interval of a service. */
export const delay = defineFault({
  name: 'delay',
  summary: 'an event is delivered late',
  code: 'E2',
  meets: ['handover'],
  symptom: 'late',
  options: strictObject(() => ({ by: Duration.default(5000).describe('how late it comes') })),
  vary: (chance) => ({ by: chance.pick([300, 2000, 8000, 40_000]) }),
  plan: ({ by }, planned) => [{ ...planned, afterMs: planned.afterMs + by }],
})

/**
 * An event arrives out of order: after a number of later events of its order or of any order, or
 * after all of its order (E1, ORD-EVR-04).
 */
export const reorder = defineFault({
  name: 'reorder',
  summary: 'events of an order are delivered out of order',
  code: 'E1',
  meets: ['handover'],
  symptom: 'late',
  traits: ['order'],
  options: strictObject(() => ({
    k: z
      .union([z.int().min(1).max(100), z.literal('all')])
      .default(1)
      .describe('behind so many later events; all: behind every later one of its order'),
    of: oneWord(['order', 'any'], 'order').describe(
      'whether events of its own order count, or all events',
    ),
    atMost: Duration.default(60_000).describe('it comes after this time, whatever has come before'),
  })),
  vary: (chance) => ({
    k: chance.pick([1, 2, 3, 'all'] as const),
    of: chance.pick(['order', 'order', 'any'] as const),
    atMost: chance.pick([5000, 20_000, 60_000]),
  }),
  plan({ k, of, atMost }, planned, meeting) {
    if (meeting.kind !== 'handover') return undefined
    const { orderId, eventId, channel, closes } = meeting
    const ofOrder = of === 'order' || k === 'all' ? orderId : undefined
    // The last event of an order has no later one: it would just be late.
    if (ofOrder !== undefined ? closes : k === 'all') return undefined
    const reference = ofOrder === undefined ? {} : { orderId: ofOrder }
    const condition: WaitCondition =
      k === 'all'
        ? { kind: 'order-ended', orderId: ofOrder ?? '', channel }
        : { kind: 'later-events', handovers: k, eventId, channel, ...reference }
    return [{ ...planned, wait: { ...condition, atMostMs: atMost } }]
  },
})

/**
 * An event is lost (E5). Conformant: a webhook's retry plan ends, and a mailbox expires old events;
 * GET makes up for it. An event that alone reveals an order cannot be made up for, because there is
 * no list of orders: it is dropped only with `even: revealing`, which is a robustness test.
 */
export const drop = defineFault({
  name: 'drop',
  summary: 'an event is never delivered',
  code: 'E5',
  meets: ['handover'],
  symptom: 'late',
  traits: ['loss'],
  legal: ({ even }) => even === undefined,
  options: strictObject(() => ({
    even: z.literal('revealing').optional().describe('also events that alone reveal an order'),
  })),
  vary: () => ({}),
  plan: ({ even }, _planned, meeting) =>
    meeting.kind === 'handover' && meeting.reveals && even === undefined ? undefined : [],
})

/**
 * A lost event is delivered after all (E6), so late that a service that reconciles has found out
 * long before. Nothing is visible of the lost attempt.
 */
export const dropThenDeliver = defineFault({
  name: 'drop-then-deliver',
  summary: 'an event seems lost, and is delivered much later',
  code: 'E6',
  meets: ['handover'],
  symptom: 'late',
  traits: ['loss'],
  options: strictObject(() => ({
    by: Duration.default(45_000).describe(
      'how late it is delivered: longer than your service takes to read the order again',
    ),
  })),
  vary: (chance) => ({ by: chance.pick([20_000, 45_000, 70_000]) }),
  plan: ({ by }, planned) => [{ ...planned, afterMs: planned.afterMs + by }],
})
