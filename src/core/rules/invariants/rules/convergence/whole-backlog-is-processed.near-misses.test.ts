/** Near misses of CV-10. */
import {
  call,
  created,
  emitted,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { wholeBacklogIsProcessed } from './whole-backlog-is-processed.ts'

const late = 120_101
/** Order a, of which CREATED is polled among so many events, the others about nothing that is known. */
const others = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `X_HINT x ${index}`)
const backlog = (count: number, event = 'CREATED a'): Steps => [
  [created(0, 'a'), created(0, 'b')],
  polled(100, [event, ...others(count - 1)]),
]
const dropped = (type = 'CREATED'): string =>
  `The service did not process ${type} of o1, which came in a poll with more than 20 events or right after one (at 15:00:00.100): in the 120 s since it has neither read the order nor made the next call about it.`
const found = [[dropped(), 'a', [100]]] as const

nearMisses(wholeBacklogIsProcessed, [
  ['ORD-OPS-01', 'it came among twenty', [backlog(20), { at: late }], 'not-exercised'],
  ['ORD-OPS-01', 'it came among more', [backlog(21), { at: late }], found],
  ['ORD-OPS-01', 'it came among more, and there is time', [backlog(21), { at: late - 1 }], 'open'],
  [
    'ORD-FLO-03',
    'the order was read',
    [backlog(21), read(101, 'a', 'CREATED'), { at: late }],
    'passed',
  ],
  [
    'ORD-FLO-03',
    'the order was read before',
    [
      backlog(1),
      read(100, 'a', 'CREATED'),
      polled(100, ['CREATED a', ...others(20)]),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-FLO-03',
    'it was read since it was emitted',
    [
      created(0, 'a'),
      read(100, 'a', 'CREATED'),
      polled(100, ['CREATED a', ...others(20)]),
      { at: late },
    ],
    'passed',
  ],
  ['ORD-FLO-03', 'another was read', [backlog(21), read(101, 'b', 'CREATED'), { at: late }], found],
  [
    'ORD-FLO-03',
    'the next call was made',
    [backlog(21), call(101, 'confirmOrder a'), { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'it came in the next poll',
    [created(0, 'a'), polled(90, others(21)), polled(100, ['CREATED a']), { at: late }],
    found,
  ],
  [
    'ORD-OPS-01',
    'it came in the one after that',
    [
      created(0, 'a'),
      polled(90, others(21)),
      polled(95, []),
      polled(100, ['CREATED a']),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-OPS-01',
    'a failed poll is none',
    [
      created(0, 'a'),
      polled(90, others(21)),
      polled(95, [], { status: 503 }),
      polled(100, ['CREATED a']),
      { at: late },
    ],
    found,
  ],
  [
    'ORD-OPS-01',
    'another call is none',
    [
      created(0, 'a'),
      polled(90, others(21)),
      read(95, 'b', 'CREATED'),
      polled(100, ['CREATED a']),
      { at: late },
    ],
    found,
  ],
  [
    'ORD-OPS-03',
    'it came by webhook then',
    [created(0, 'a'), polled(90, others(21)), webhook(100, 'CREATED a'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVR-03',
    'it came for the second time',
    [backlog(1), polled(100, ['CREATED a', ...others(20)]), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-OPS-01',
    'it has no status',
    [
      created(0, 'a'),
      emitted(0, 'ITEM_CANCELLED a'),
      polled(100, ['ITEM_CANCELLED a', ...others(20)]),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-OPS-01',
    'it tells of the end',
    [
      created(0, 'a'),
      emitted(0, 'CANCELLED a'),
      polled(100, ['CANCELLED a', ...others(20)]),
      { at: late },
    ],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'it tells of a status',
    [
      created(0, 'a'),
      emitted(0, 'CONFIRMED a'),
      polled(100, ['CONFIRMED a', ...others(20)]),
      { at: late },
    ],
    [[dropped('CONFIRMED'), 'a', [100]]],
  ],
  [
    'ORD-OPS-01',
    'it was never emitted',
    [created(0, 'a'), polled(100, ['CONFIRMED a', ...others(20)]), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-MER-01',
    'it is of a merchant of another service',
    [
      created(0, 'a', { merchant: 'loja-2' }),
      polled(100, ['CREATED a', ...others(20)]),
      { at: late },
    ],
    'not-exercised',
  ],
])
