/**
 * An event arrives out of order: after a number of later events of its order or of any order, or after all of its order
 * (E1, ORD-EVR-04).
 */
import { z } from 'zod'
import { Duration } from '../protocol/duration.ts'
import { defineFault } from './fault.ts'
import type { WaitCondition } from '../engine/faults/wait-condition.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

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
