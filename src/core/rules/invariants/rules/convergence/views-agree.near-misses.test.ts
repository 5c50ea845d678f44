/** Near misses of CV-6. */
import {
  call,
  created,
  faultAdded,
  faultRemoved,
  moved,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import type { OrderStatus } from '../../../../protocol/orders/order.ts'
import { viewsAgree } from './views-agree.ts'

const due = 121_000
const late = due + 1
const heard = [created(0, 'a'), polled(0, ['CREATED a'])]
const confirmed = [heard, moved(1000, 'a', 'CONFIRMED')]
const reports = (at: number, status?: string, order = 'a'): Steps => ({
  at,
  probed: order,
  ...(status === undefined ? {} : { status }),
})
const differs = (says = 'reported CREATED', status = 'CONFIRMED', more = ''): string =>
  `o1 is ${status} since 15:00:01.000, and 120 s later the service ${says}.${more}`
const found = [[differs(), 'a', [0]]] as const
const ends: readonly (readonly [OrderStatus, readonly OrderStatus[], readonly OrderStatus[]])[] = [
  ['DELIVERED', ['DELIVERED', 'CONCLUDED'], ['CANCELLED', 'READY']],
  ['CANCELLED', ['CANCELLED', 'CONCLUDED'], ['DELIVERED', 'CREATED']],
]

nearMisses(viewsAgree, [
  ['ORD-OPS-04', 'it is asked too early', [confirmed, reports(due, 'CREATED')], 'open'],
  ['ORD-OPS-04', 'it reports another status', [confirmed, reports(late, 'CREATED')], found],
  ['ORD-OPS-04', 'it reports the status', [confirmed, reports(late, 'CONFIRMED')], 'passed'],
  [
    'ORD-OPS-04',
    'it does not know the order',
    [confirmed, reports(late)],
    [[differs('reported no status of it'), 'a', [0]]],
  ],
  ['ORD-OPS-04', 'it uses words of its own', [confirmed, reports(late, 'NEW')], 'not-exercised'],
  [
    'ORD-EVR-01',
    'it was asked again, and reports the status',
    [confirmed, reports(late, 'CREATED'), reports(late, 'CONFIRMED')],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'it was asked early, and the time is over',
    [confirmed, reports(due, 'CREATED'), { at: 2 * late }],
    'open',
  ],
  [
    'ORD-EVR-01',
    'the order moved since',
    [confirmed, reports(late, 'CREATED'), moved(late + 1, 'a', 'READY')],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the order moved as it was asked',
    [heard, moved(late, 'a', 'CONFIRMED'), reports(late, 'CREATED'), { at: 2 * late }],
    'open',
  ],
  [
    'ORD-EVR-01',
    'the event came later',
    [
      created(0, 'a'),
      moved(0, 'a', 'CONFIRMED'),
      polled(1000, ['CREATED a']),
      reports(due, 'CREATED'),
    ],
    'open',
  ],
  [
    'ORD-EVR-01',
    'the event came long enough ago',
    [
      created(0, 'a'),
      moved(0, 'a', 'CONFIRMED'),
      polled(1000, ['CREATED a']),
      reports(late, 'CREATED'),
    ],
    [['o1 is CONFIRMED since 15:00:00.000, and 121 s later', 'a', [1000]]],
  ],
  [
    'ORD-EVR-01',
    'a fault was in force until then',
    [confirmed, faultAdded(1000), faultRemoved(2000), reports(1000 + due, 'CREATED')],
    'open',
  ],
  [
    'ORD-EVR-01',
    'a fault was in force, and is over',
    [confirmed, faultAdded(1000), faultRemoved(2000), reports(1000 + late, 'CREATED')],
    [['121 s later', 'a', [0]]],
  ],
  [
    'ORD-EVR-01',
    'a fault is in force',
    [confirmed, faultAdded(1000), reports(late, 'CREATED')],
    'open',
  ],
  [
    'ORD-EVR-01',
    'no event of the order came',
    [created(0, 'a'), reports(late, 'CONFIRMED')],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a webhook brought one',
    [
      created(0, 'a'),
      webhook(0, 'CREATED a'),
      moved(1000, 'a', 'CONFIRMED'),
      reports(late, 'CREATED'),
    ],
    found,
  ],
  [
    'AUT-MER-01',
    'it is of a merchant of another service',
    [created(0, 'a', { merchant: 'loja-2' }), polled(0, ['CREATED a']), reports(late, 'CONFIRMED')],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'the last GET and the last call are shown',
    [confirmed, read(2000, 'a', 'CREATED'), call(3000, 'confirmOrder a'), reports(late, 'CREATED')],
    [
      [
        differs('reported CREATED', 'CONFIRMED', ' It last read it at 15:00:02.000.'),
        'a',
        [0, 2000, 3000],
      ],
    ],
  ],
  ...ends.flatMap(([status, same, other]) => [
    ...same.map((reported): NearMiss => [
      'ORD-EVR-01',
      `it reports ${reported} of one that is ${status}`,
      [heard, moved(1000, 'a', status), reports(late, reported)],
      'passed',
    ]),
    ...other.map((reported): NearMiss => [
      'ORD-EVR-01',
      `it reports ${reported} of one that is ${status}`,
      [heard, moved(1000, 'a', status), reports(late, reported)],
      [[differs(`reported ${reported}`, status), 'a', [0]]],
    ]),
    [
      'ORD-EVR-01',
      `it reports ${status} of one that was concluded then`,
      [heard, moved(500, 'a', status), moved(1000, 'a', 'CONCLUDED'), reports(late, status)],
      'passed',
    ] as const,
    [
      'ORD-EVR-01',
      `it reports ${other[0]} of one that was concluded after ${status}`,
      [heard, moved(500, 'a', status), moved(1000, 'a', 'CONCLUDED'), reports(late, other[0])],
      [[differs(`reported ${other[0]}`, 'CONCLUDED'), 'a', [0]]],
    ] as const,
    [
      'ORD-EVR-01',
      `it deleted one that is ${status}`,
      [heard, moved(1000, 'a', status), reports(late)],
      'not-exercised',
    ] as const,
  ]),
])
