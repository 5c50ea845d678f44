/** Near misses of AK-1. */
import {
  acknowledged,
  call,
  created,
  emitted,
  faultAdded,
  faultRemoved,
  polled,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { polledEventsAreAcknowledged } from './polled-events-are-acknowledged.ts'

const due = 120_000
const late = due + 1
const one = [created(0, 'a'), polled(0, ['CREATED a'])]
const never =
  'Polls returned CREATED of o1 once, and the service never acknowledged it (event CREATED a).'
const twice = 'Polls returned CREATED of o1 twice, and the service never acknowledged it'
const again =
  'Polls returned CREATED of o1 once after it was acknowledged, and the service did not acknowledge it again'

nearMisses(polledEventsAreAcknowledged, [
  ['ORD-OPS-02', 'before the deadline nothing is missing', [one, { at: due }], 'open'],
  ['ORD-OPS-02', 'after it the event is', [one, { at: late }], [[never, 'a', [0]]]],
  [
    'ORD-OPS-02',
    'it was acknowledged',
    [one, acknowledged(due, ['CREATED a']), { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'another event was acknowledged',
    [one, created(0, 'b'), acknowledged(1, ['CREATED b']), { at: late }],
    [[never, 'a', [0]]],
  ],
  [
    'ORD-OPS-02',
    'the first and the last poll are the evidence',
    [one, [1, 2].map((at) => polled(at, ['CREATED a'])), { at: late }],
    [['CREATED of o1 3 times, and', 'a', [0, 2]]],
  ],
  [
    'ORD-OPS-02',
    'of two events of an order each is reported',
    [one, emitted(1, 'CONFIRMED a'), polled(1, ['CREATED a', 'CONFIRMED a']), { at: late + 1 }],
    [
      [twice, 'a', [0, 1]],
      ['CONFIRMED of o1 once', 'a', [1]],
    ],
  ],
  [
    'ORD-FLO-03',
    'a refused acknowledgment counts when no poll returns the event again',
    [one, acknowledged(1, ['CREATED a'], { status: 503 }), { at: late }],
    'passed',
  ],
  [
    'ORD-FLO-03',
    'a poll that began at the end of the acknowledgment returns it again',
    [one, acknowledged(1000, ['CREATED a']), polled(1000, ['CREATED a']), { at: 1000 + late }],
    [[again, 'a', [1000]]],
  ],
  [
    'ORD-FLO-03',
    'a poll that began before returned what was in flight',
    [
      one,
      acknowledged(1000, ['CREATED a']),
      polled(999, ['CREATED a'], { took: 500 }),
      { at: 2000 + late },
    ],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'an event that was never emitted counts alike',
    [polled(0, ['CREATED x']), polled(1, ['CREATED x']), { at: late }],
    [['CREATED of order x twice, and the service never', 'x', [0, 1]]],
  ],
  [
    'ORD-OPS-02',
    'one that was never emitted is acknowledged',
    [polled(0, ['CREATED x']), acknowledged(1000, ['CREATED x']), { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'one that was never emitted comes again while it is acknowledged',
    [
      polled(0, ['CREATED x']),
      acknowledged(1000, ['CREATED x']),
      polled(999, ['CREATED x'], { took: 500 }),
      { at: late },
    ],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'one that was never emitted comes again afterwards',
    [
      polled(0, ['CREATED x']),
      acknowledged(1000, ['CREATED x']),
      polled(1000, ['CREATED x']),
      { at: 1000 + late },
    ],
    [['CREATED of order x once after it was acknowledged', 'x', [1000]]],
  ],
  [
    'ORD-OPS-02',
    'an event without an order has no name of one',
    [
      call(0, 'pollingEvents', 200, {
        answer: [{ eventId: 'e', eventType: 'CREATED' }],
      }),
      { at: late },
    ],
    [['Polls returned CREATED once, and', undefined, [0]]],
  ],
  [
    'ORD-OPS-02',
    'an event without a status belongs to AK-2',
    [
      created(0, 'a'),
      emitted(0, 'PREPARATION_REQUESTED a'),
      polled(0, ['PREPARATION_REQUESTED a']),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a webhook needs no acknowledgment',
    [created(0, 'a'), webhook(0, 'CREATED a'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-OPS-02',
    'until the end of all faults, and as long after it, nothing is missing',
    [one, faultAdded(1), faultRemoved(5000), { at: 5000 + due }],
    'open',
  ],
  [
    'ORD-OPS-02',
    'after that it is',
    [one, faultAdded(1), faultRemoved(5000), { at: 5000 + late }],
    [[never, 'a', [0]]],
  ],
])

nearMisses(
  polledEventsAreAcknowledged,
  [
    [
      'ORD-OPS-02',
      'late by twice our lag',
      [one, { at: due + 200 }],
      [[never, 'a', [0], 'inconclusive']],
    ],
    ['ORD-OPS-02', 'late by more', [one, { at: due + 201 }], [[never, 'a', [0]]]],
  ],
  { lagMs: 100 },
)
