/** Near misses of WH-5. */
import {
  call,
  created,
  emitted,
  webhook,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { validWebhooksAreTaken } from './valid-webhooks-are-taken.ts'

const order = created(0, 'a')
const givenUp = (eventId: string): Steps => ({
  at: 200_000,
  fact: { kind: 'event.given-up', eventId, attempts: 2 },
})
/** The webhook is sent twice with the same result, and then given up. */
const refused = (eventId: string, more: More = {}, at = 100_000): Steps => [
  [at, at + 1000].map((each) => webhook(each, eventId, { status: 503, ...more })),
  givenUp(eventId),
]
const refusalFinding = (type: string, last = 'answered 503'): string =>
  `The service refused the webhook of ${type} of o1 twice, until the partner gave up: the last was ${last}.`
const found = [[refusalFinding('CREATED'), 'a', [100_000, 101_000]]] as const
const timeout = { status: 0, failure: 'TIMEOUT' }
const otherEvent = (eventId: string, more = {}): Steps => [
  order,
  emitted(0, eventId, more),
  refused(eventId),
]

nearMisses(validWebhooksAreTaken, [
  ['ORD-OPS-03', 'it was accepted', [order, webhook(0, 'CREATED a')], 'passed'],
  [
    'ORD-OPS-03',
    'it was refused, and is not given up yet',
    [order, webhook(0, 'CREATED a', { status: 503 })],
    'not-exercised',
  ],
  ['ORD-OPS-03', 'it was given up', [order, refused('CREATED a')], found],
  [
    'ORD-EVR-03',
    'it was given up again',
    [order, refused('CREATED a'), givenUp('CREATED a')],
    found,
  ],
  [
    'ORD-OPS-03',
    'it was accepted at last',
    [
      order,
      webhook(0, 'CREATED a', { status: 503 }),
      webhook(1000, 'CREATED a'),
      givenUp('CREATED a'),
    ],
    'passed',
  ],
  [
    'ORD-OPS-03',
    'another event was accepted',
    [order, emitted(0, 'CONFIRMED a'), webhook(0, 'CONFIRMED a'), refused('CREATED a')],
    found,
  ],
  [
    'ORD-OPS-03',
    'another event was given up',
    [order, webhook(0, 'CREATED a', { status: 503 }), givenUp('CONFIRMED a')],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'no webhook was answered',
    [order, refused('CREATED a', timeout)],
    [[refusalFinding('CREATED', 'not answered (TIMEOUT)'), 'a', [100_000, 101_000]]],
  ],
  [
    'ORD-OPS-03',
    'the service could not be reached',
    [order, refused('CREATED a', { status: 0, failure: 'ECONNREFUSED' })],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a fault distorted the webhooks',
    [order, refused('CREATED a', { fault: 'slow on ev(o1)' })],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a fault distorted the first webhook',
    [
      order,
      webhook(0, 'CREATED a', { status: 503, fault: 'slow on ev(o1)' }),
      refused('CREATED a'),
    ],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a fault distorted one that was accepted',
    [order, webhook(0, 'CREATED a', { fault: 'slow on ev(o1)' }), refused('CREATED a')],
    'not-exercised',
  ],
  ...[
    ['was answered 503', { status: 503 }],
    ['was answered 500', { status: 500 }],
    ['was answered 429', { status: 429 }],
    ['was not answered', { status: 0 }],
    ['was distorted', { status: 200, fault: 'slow on req(getOrder)' }],
  ].map(
    ([what, more]) =>
      [
        'ORD-OPS-03',
        `a call of the service ${what as string} ten seconds before`,
        [order, call(90_000, 'getOrder a', 503, more as More), refused('CREATED a')],
        'not-exercised',
      ] as const,
  ),
  [
    'ORD-OPS-03',
    'a call of the service was answered 503 earlier',
    [order, call(89_999, 'getOrder a', 503), refused('CREATED a')],
    found,
  ],
  [
    'ORD-OPS-03',
    'a call of the service was answered 404',
    [order, call(99_999, 'getOrder a', 404), refused('CREATED a')],
    found,
  ],
  [
    'AUT-MER-01',
    'the order is of a merchant of another service',
    [created(0, 'a', { merchant: 'loja-2' }), refused('CREATED a')],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'the event was changed on its way',
    [
      order,
      { at: 0, fact: { kind: 'event.altered', eventId: 'CREATED a', change: {} } },
      refused('CREATED a'),
    ],
    'not-exercised',
  ],
  ['ORD-EVR-07', 'the profile forbids the event', otherEvent('DISPATCHED a'), 'not-exercised'],
  [
    'ORD-EVR-07',
    'the profile allows it',
    [created(0, 'a', { type: 'DELIVERY' }), emitted(0, 'DISPATCHED a'), refused('DISPATCHED a')],
    [[refusalFinding('DISPATCHED'), 'a', [100_000, 101_000]]],
  ],
  ['ORD-EVR-08', 'its type is unknown', otherEvent('X_HINT a'), 'not-exercised'],
  [
    'ORD-EVR-08',
    'its type is one of V1',
    otherEvent('PICKED_UP a'),
    [[refusalFinding('PICKED_UP'), 'a', [100_000, 101_000]]],
  ],
  ['ORD-OPS-03', 'it was never emitted', refused('CREATED x'), 'not-exercised'],
  [
    'LOG-EVT-01',
    'it is an event of the delivery',
    [order, refused('CREATED a', { operation: 'receiveDeliveryEvent' } as More)],
    'not-exercised',
  ],
])

nearMisses(
  validWebhooksAreTaken,
  [
    [
      'ORD-OPS-03',
      'a call may have failed shortly before',
      [order, call(89_800, 'getOrder a', 503), refused('CREATED a')],
      [[refusalFinding('CREATED'), 'a', [100_000, 101_000], 'inconclusive']],
    ],
    [
      'ORD-OPS-03',
      'it had not',
      [order, call(89_799, 'getOrder a', 503), refused('CREATED a')],
      found,
    ],
    [
      'ORD-OPS-03',
      'we may have missed the answer',
      [
        order,
        [100_000, 106_000].map((at) => webhook(at, 'CREATED a', { ...timeout, took: 5200 })),
        givenUp('CREATED a'),
      ],
      [
        [
          refusalFinding('CREATED', 'not answered (TIMEOUT)'),
          'a',
          [100_000, 106_000],
          'inconclusive',
        ],
      ],
    ],
    [
      'ORD-OPS-03',
      'there was none',
      [
        order,
        [100_000, 106_000].map((at) => webhook(at, 'CREATED a', { ...timeout, took: 5201 })),
        givenUp('CREATED a'),
      ],
      [[refusalFinding('CREATED', 'not answered (TIMEOUT)'), 'a', [100_000, 106_000]]],
    ],
  ],
  { lagMs: 100 },
)
