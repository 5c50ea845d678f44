/** Near misses of AK-4. */
import {
  acknowledged,
  call,
  created,
  emitted,
  faultAdded,
  read,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { acknowledgedOrdersAreRead } from './acknowledged-orders-are-read.ts'

const due = 120_000
const late = due + 1
const taken = [created(0, 'a'), acknowledged(0, ['CREATED a'])]
const never =
  'acknowledged CREATED of o1, so the event will not come again; the service never read the order.'
const failed = 'so the event will not come again; its GET failed and was not retried.'
/** CREATED was acknowledged, and so was another event. */
const toldToo = (eventId: string) => [
  taken,
  emitted(1, eventId),
  acknowledged(1, [eventId]),
  { at: late },
]

nearMisses(acknowledgedOrdersAreRead, [
  ['ORD-FLO-03', 'before the deadline nothing is missing', [taken, { at: due }], 'open'],
  ['ORD-FLO-03', 'after it the read is', [taken, { at: late }], [[never, 'a', [0]]]],
  ['ORD-FLO-03', 'it was read', [taken, read(due, 'a', 'CREATED'), { at: late }], 'passed'],
  [
    'ORD-FLO-03',
    'it was read before',
    [created(0, 'a'), read(0, 'a', 'CREATED'), acknowledged(0, ['CREATED a']), { at: late }],
    'passed',
  ],
  [
    'ORD-FLO-03',
    'another order was read',
    [taken, created(0, 'b'), read(1, 'b', 'CREATED'), { at: late }],
    [[never, 'a', [0]]],
  ],
  [
    'ORD-GEN-05',
    'the GET failed',
    [taken, call(1, 'getOrder a', 503), { at: late }],
    [[failed, 'a', [0, 1]]],
  ],
  [
    'ORD-GEN-05',
    'the GET was refused for good',
    [taken, call(1, 'getOrder a', 404), { at: late }],
    'passed',
  ],
  [
    'ORD-GEN-05',
    'the GET was refused for good before',
    [created(0, 'a'), call(0, 'getOrder a', 404), acknowledged(0, ['CREATED a']), { at: late }],
    'passed',
  ],
  [
    'ORD-GEN-05',
    'a GET of another order failed',
    [taken, created(0, 'b'), call(1, 'getOrder b', 503), { at: late }],
    [[never, 'a', [0]]],
  ],
  [
    'ORD-FLO-03',
    'the acknowledgment failed without effect',
    [created(0, 'a'), acknowledged(0, ['CREATED a'], { status: 503 }), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-FLO-03',
    'it took effect, though its reply was lost',
    [
      created(0, 'a'),
      { at: 0, fact: { kind: 'events.acknowledged', eventIds: ['CREATED a'] } },
      acknowledged(0, ['CREATED a'], { status: 0 }),
      { at: late },
    ],
    [[never, 'a', [0]]],
  ],
  [
    'ORD-FLO-03',
    'the deadline runs from the first acknowledgment',
    [taken, acknowledged(5, ['CREATED a']), { at: late }],
    [[never, 'a', [0]]],
  ],
  [
    'ORD-FLO-03',
    'another event was acknowledged',
    [created(0, 'a'), emitted(0, 'CONFIRMED a'), acknowledged(0, ['CONFIRMED a']), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-MER-01',
    'the order is of a merchant of another service',
    [created(0, 'a', { merchant: 'loja-2' }), acknowledged(0, ['CREATED a']), { at: late }],
    'not-exercised',
  ],
  ['ORD-FLO-03', 'it is known to be cancelled', toldToo('CANCELLED a'), 'passed'],
  ['ORD-FLO-03', 'it is known to be concluded', toldToo('CONCLUDED a'), 'passed'],
  ['ORD-FLO-03', 'it is known to be confirmed', toldToo('CONFIRMED a'), [[never, 'a', [0]]]],
  ['ORD-FLO-03', 'a fault is in force', [taken, faultAdded(1), { at: late }], 'open'],
])
