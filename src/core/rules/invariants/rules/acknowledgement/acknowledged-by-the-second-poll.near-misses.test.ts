/** Near misses of AK-5. */
import {
  acknowledged,
  call,
  created,
  faultAdded,
  faultRemoved,
  polled,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { acknowledgedByTheSecondPoll } from './acknowledged-by-the-second-poll.ts'

const polls = (...times: readonly number[]): Steps => times.map((at) => polled(at, ['CREATED a']))
const third = 'A poll returned CREATED of o1 for the third time, 2 s after the first, and'
/** Ended at 5 s; its effects may last 10 s longer. */
const fault = [faultAdded(0), faultRemoved(5000)]

nearMisses(acknowledgedByTheSecondPoll, [
  ['ORD-OPS-02', 'two polls return it', [created(0, 'a'), polls(0, 1000)], 'passed'],
  [
    'ORD-OPS-02',
    'a third does',
    [created(0, 'a'), polls(0, 1000, 2000)],
    [[third, 'a', [0, 2000]]],
  ],
  [
    'ORD-OPS-02',
    'it is reported once for each event',
    [
      [created(0, 'a'), created(0, 'b')],
      [0, 1000, 2000, 3000].map((at) => polled(at, ['CREATED a', 'CREATED b'])),
    ],
    [
      [third, 'a', [0, 2000]],
      ['CREATED of o2 for the third time', 'b', [0, 2000]],
    ],
  ],
  [
    'ORD-OPS-02',
    'it was acknowledged in between',
    [created(0, 'a'), polls(0, 1000), acknowledged(1500, ['CREATED a']), polls(2000, 3000)],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'another event was acknowledged in between',
    [created(0, 'a'), polls(0, 1000), acknowledged(1500, ['CREATED b']), polls(2000)],
    [[third, 'a', [0, 2000]]],
  ],
  [
    'ORD-OPS-02',
    'an acknowledgment failed in between',
    [
      [created(0, 'a'), polls(0, 1000)],
      acknowledged(1500, ['CREATED b'], { status: 503 }),
      polls(2000, 3000, 4000),
    ],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'after a failed and an accepted acknowledgment the count begins anew',
    [
      [created(0, 'a'), polls(0, 1000), acknowledged(1500, ['CREATED b'], { status: 503 })],
      [polls(2000), acknowledged(2500, ['CREATED b']), polls(3000, 4000, 5000)],
    ],
    [[third, 'a', [3000, 5000]]],
  ],
  [
    'ORD-OPS-02',
    'a webhook is no poll',
    [created(0, 'a'), polls(0, 1000), webhook(2000, 'CREATED a')],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'no poll returned it',
    [created(0, 'a'), webhook(0, 'CREATED a')],
    'not-exercised',
  ],
  [
    'ORD-OPS-02',
    'a poll returns another event',
    [created(0, 'a'), polls(0, 1000), polled(2000, ['CREATED b'])],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'an event of no order',
    [0, 1000, 2000].map((at) =>
      call(at, 'pollingEvents', 200, {
        answer: [{ eventId: 'e', eventType: 'CREATED' }],
      }),
    ),
    [['A poll returned CREATED for the third time', undefined, [0, 2000]]],
  ],
  [
    'ORD-OPS-02',
    'faults were active',
    [created(0, 'a'), fault, polls(12_999, 13_999, 14_999)],
    'not-exercised',
  ],
  [
    'ORD-OPS-02',
    'faults were active at the first poll',
    [created(0, 'a'), fault, polls(14_999, 15_999, 16_999)],
    'passed',
  ],
  [
    'ORD-OPS-02',
    'faults were over at the first poll',
    [created(0, 'a'), fault, polls(15_000, 16_000, 17_000)],
    [[third, 'a', [15_000, 17_000]]],
  ],
  [
    'ORD-OPS-02',
    'faults were active between the polls',
    [created(0, 'a'), polls(0, 1000), faultAdded(1500), faultRemoved(1600), polls(20_000)],
    'passed',
  ],
])

nearMisses(
  acknowledgedByTheSecondPoll,
  [
    [
      'ORD-OPS-02',
      'the acknowledgment may have been under way',
      [created(0, 'a'), polls(0, 1800, 2000)],
      [[third, 'a', [0, 2000], 'inconclusive']],
    ],
    [
      'ORD-OPS-02',
      'there was time for it',
      [created(0, 'a'), polls(0, 1799, 2000)],
      [[third, 'a', [0, 2000]]],
    ],
  ],
  { lagMs: 100 },
)
