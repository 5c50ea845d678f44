/** Near misses of RC-2. */
import {
  acknowledged,
  call,
  created,
  emitted,
  every,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { readsStopAfterTheEnd } from './reads-stop-after-the-end.ts'

const reads = (times: readonly number[]): Steps => times.map((at) => read(at, 'a', 'DELIVERED'))
/** A GET shows the end. */
const over = [created(0, 'a'), read(0, 'a', 'DELIVERED')]
const four = every(1000, 4, 1000)
const often =
  'read o1 4 times within 3 s after it was over, without a new event of it, although the service had read DELIVERED (GET at 15:00:00.000).'
const heard = (eventId: string): Steps => [
  created(0, 'a'),
  emitted(0, eventId),
  polled(0, [eventId]),
  acknowledged(0, [eventId]),
]

nearMisses(readsStopAfterTheEnd, [
  [
    'ORD-TRA-10',
    'three reads after the one that shows it',
    [over, reads(every(1000, 3, 1000))],
    'passed',
  ],
  [
    'ORD-TRA-10',
    'a fourth, reported once',
    [over, reads(every(1000, 6, 1000))],
    [[often, 'a', four]],
  ],
  [
    'ORD-TRA-10',
    'a read that was in flight when it was shown does not count',
    [
      created(0, 'a'),
      read(0, 'a', 'DELIVERED', { took: 500 }),
      [read(499, 'a', 'DELIVERED', { took: 500 }), reads(every(1000, 3, 1000))],
    ],
    'passed',
  ],
  [
    'ORD-TRA-10',
    'a read that began right then counts',
    [
      created(0, 'a'),
      read(0, 'a', 'DELIVERED', { took: 500 }),
      [read(500, 'a', 'DELIVERED', { took: 500 }), reads(every(1000, 3, 1000))],
    ],
    [['o1 4 times within 2.5 s', 'a', [500, 1000, 2000, 3000]]],
  ],
  [
    'ORD-TRA-10',
    'reads that fail do not count',
    [over, [1, 2, 3, 4, 5].map((at) => call(at, 'getOrder a', 503))],
    'passed',
  ],
  [
    'ORD-TRA-10',
    'reads that show no status do not count',
    [over, [1, 2, 3, 4, 5].map((at) => call(at, 'getOrder a', 200, { answer: {} }))],
    'passed',
  ],
  [
    'ORD-TRA-11',
    'of an order that is open again',
    [over, reads([1000, 2000, 3000]), read(3500, 'a', 'READY'), reads([4000, 5000, 6000, 7000])],
    'passed',
  ],
  [
    'ORD-EVT-17',
    'after a new event the count begins anew',
    [over, reads([1000, 2000]), polled(2500, ['CREATED a']), reads([3000, 4000, 5000])],
    'passed',
  ],
  [
    'ORD-EVT-17',
    'a webhook is one too',
    [over, reads([1000, 2000]), webhook(2500, 'CREATED a'), reads([3000, 4000, 5000])],
    'passed',
  ],
  [
    'ORD-EVT-17',
    'after an event of another order it goes on',
    [
      [over, created(0, 'b'), reads([1000, 2000])],
      [polled(2500, ['CREATED b']), reads([3000, 4000])],
    ],
    [[often, 'a', four]],
  ],
  [
    'ORD-EVT-17',
    'after a new event it begins at none',
    [over, reads([1000, 2000]), polled(2500, ['CREATED a']), reads(every(1000, 4, 3000))],
    [['o1 4 times within 3 s', 'a', every(1000, 4, 3000)]],
  ],
  ['ORD-TRA-10', 'its end was acknowledged', [heard('DELIVERED a'), reads([1, 2, 3])], 'passed'],
  [
    'ORD-TRA-10',
    'its end was acknowledged, and it was read four times',
    [heard('DELIVERED a'), reads(four)],
    [[/o1 4 times within 3 s .*, although the service had acknowledged DELIVERED/, 'a', four]],
  ],
  [
    'ORD-TRA-10',
    'its cancellation was acknowledged',
    [heard('CANCELLED a'), four.map((at) => read(at, 'a', 'CANCELLED'))],
    [[/had acknowledged CANCELLED/, 'a', four]],
  ],
  [
    'ORD-TRA-10',
    'another event was acknowledged',
    [heard('READY_FOR_PICKUP a'), four.map((at) => read(at, 'a', 'READY'))],
    'not-exercised',
  ],
  ['ORD-TRA-10', 'of an unknown order', reads(four), 'not-exercised'],
])

nearMisses(
  readsStopAfterTheEnd,
  [
    [
      'ORD-TRA-10',
      'the first may have been in flight',
      [over, reads(every(200, 4, 200))],
      [['o1 4 times', 'a', every(200, 4, 200), 'inconclusive']],
    ],
    [
      'ORD-TRA-10',
      'the first may have been, and four others were not',
      [over, reads([200, 1000, 2000, 3000, 4000])],
      [
        ['o1 4 times within 3 s', 'a', [1000, 2000, 3000, 4000]],
        ['o1 4 times within 2.8 s', 'a', [200, 1000, 2000, 3000], 'inconclusive'],
      ],
    ],
    [
      'ORD-TRA-10',
      'it was not',
      [over, reads(every(201, 4, 201))],
      [['o1 4 times', 'a', every(201, 4, 201)]],
    ],
  ],
  { lagMs: 100 },
)
