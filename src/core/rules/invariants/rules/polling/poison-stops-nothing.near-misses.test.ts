/** Near misses of PO-3. */
import {
  acknowledged,
  call,
  created,
  emitted,
  faultAdded,
  polled,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { poisonStopsNothing } from './poison-stops-nothing.ts'

const due = 120_000
const late = due + 1
const orders = [created(0, 'a'), created(0, 'b')]
const behind = (poison: string): string =>
  `CREATED of o2 came behind ${poison} in a poll, and the service never acknowledged it.`
const stopped = (poison: string, ago: string): string =>
  `The service has not polled again since a poll returned ${poison}, ${ago} s ago.`
const none = undefined
/** It polls again, and nothing more. */
const goesOn = polled(1, [])

nearMisses(poisonStopsNothing, [
  [
    'ORD-OPS-02',
    'an event behind it has until the deadline',
    [orders, polled(0, ['X_HINT a', 'CREATED b']), goesOn, { at: due }],
    'open',
  ],
  [
    'ORD-OPS-02',
    'it was not acknowledged by then',
    [orders, polled(0, ['X_HINT a', 'CREATED b']), goesOn, { at: late }],
    [[behind('X_HINT'), 'b', [0]]],
  ],
  [
    'ORD-OPS-02',
    'it was acknowledged, even if the acknowledgment failed',
    [
      [orders, polled(0, ['X_HINT a', 'CREATED b']), goesOn],
      [acknowledged(2, ['CREATED b'], { status: 503 }), { at: late }],
    ],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'another was acknowledged',
    [
      [orders, polled(0, ['X_HINT a', 'CREATED b', 'CREATED a']), goesOn],
      [acknowledged(2, ['CREATED a']), { at: late }],
    ],
    [[behind('X_HINT'), 'b', [0]]],
  ],
  [
    'ORD-OPS-02',
    'an event before it is not stopped by it',
    [orders, polled(0, ['CREATED b', 'X_HINT a']), goesOn, { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'an event of the next poll is not behind it',
    [orders, polled(0, ['X_HINT a']), polled(1, ['CREATED b']), goesOn, { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'an event that was named before comes again',
    [
      [orders, acknowledged(0, ['CREATED b'], { status: 503 })],
      [polled(1, ['X_HINT a', 'CREATED b']), polled(2, []), { at: late }],
    ],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'the first poison and the first poll of it are named',
    [
      [orders, polled(0, ['X_HINT a', 'X_OTHER a', 'CREATED b'])],
      [polled(1, ['X_OTHER a', 'CREATED b']), polled(2, []), { at: late }],
    ],
    [[behind('X_HINT'), 'b', [0]]],
  ],
  [
    'ORD-OPS-02',
    'an event without an order is poison, and one without a type',
    [
      orders,
      call(0, 'pollingEvents', 200, {
        answer: [
          { eventId: 'e', eventType: 'CONFIRMED' },
          { eventId: 'f', orderId: 'a' },
          { eventId: 'CREATED b', eventType: 'CREATED', orderId: 'b' },
        ],
      }),
      [polled(1, []), { at: late }],
    ],
    [[behind('CONFIRMED'), 'b', [0]]],
  ],
  [
    'ORD-OPS-02',
    'one without a type has no name',
    [
      orders,
      call(0, 'pollingEvents', 200, { answer: [{ eventId: 'f', orderId: 'a' }] }),
      { at: late },
    ],
    [[stopped('an event without a type', '120'), none, [0]]],
  ],
  [
    'ORD-OPS-02',
    'an event that only V1 has is no poison',
    [orders, polled(0, ['PICKUP_AREA_ASSIGNED a', 'CREATED b']), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a webhook stops no others',
    [orders, emitted(0, 'X_HINT a'), webhook(0, 'X_HINT a'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-OPS-01',
    'the next poll is not due yet',
    [orders, polled(0, ['X_HINT a']), { at: 10_000 }],
    'passed',
  ],
  ['ORD-OPS-01', 'it is', [orders, polled(0, ['X_HINT a']), { at: 10_001 }], 'open'],
  ['ORD-OPS-01', 'it is, at the deadline', [orders, polled(0, ['X_HINT a']), { at: due }], 'open'],
  [
    'ORD-OPS-01',
    'it never came',
    [orders, polled(0, ['X_HINT a']), { at: late }],
    [[stopped('X_HINT', '120'), none, [0]]],
  ],
  [
    'ORD-OPS-01',
    'a fault is in force',
    [orders, polled(0, ['X_HINT a']), faultAdded(1), { at: late }],
    'open',
  ],
  [
    'ORD-OPS-01',
    'it came',
    [orders, polled(0, ['X_HINT a']), polled(0, []), { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'only one that had begun before came',
    [orders, polled(1, ['X_HINT a'], { took: 10 }), polled(10, [], { took: 5 }), { at: late + 11 }],
    [[stopped('X_HINT', '120'), none, [1]]],
  ],
  [
    'ORD-OPS-01',
    'an acknowledgment is no poll',
    [orders, polled(0, ['X_HINT a']), acknowledged(1, ['X_HINT a']), { at: late }],
    [[stopped('X_HINT', '120'), none, [0]]],
  ],
])
