/** Near misses of WH-4. */
import {
  acknowledged,
  call,
  created,
  emitted,
  polled,
  read,
  webhook,
  webhookAround,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { refusedWebhooksAreHandledOnce } from './refused-webhooks-are-handled-once.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const sent = (at: number, status = 204): Steps => webhook(at, 'CREATED a', { status })
const refused = [orders, sent(10, 503)]
const get = (at: number, order = 'a'): Steps => read(at, order, 'CREATED')
const twice =
  'answered the webhook of CREATED of o1 with 503 and read the order anyway, and read it again when it accepted the same webhook.'
const never =
  'refused the webhook of CREATED of o1 with 503, accepted it when it was sent again, and never read the order.'
const found = [[twice, 'a', [10, 15, 1000, 1010]]] as const
const late = 1000 + 120_001

nearMisses(refusedWebhooksAreHandledOnce, [
  ['ORD-EVR-03', 'it was not sent again', [refused, get(15), { at: late }], 'not-exercised'],
  [
    'ORD-EVR-03',
    'it was read when it was sent again',
    [refused, sent(1000), get(1010), { at: late }],
    'passed',
  ],
  ['ORD-EVR-03', 'it was read before as well', [refused, get(15), sent(1000), get(1010)], found],
  [
    'ORD-EVR-03',
    'it was read before, and not again',
    [refused, get(15), sent(1000), { at: late }],
    'passed',
  ],
  ['ORD-EVR-03', 'it was read a moment later', [refused, get(15), sent(1000), get(2000)], 'passed'],
  [
    'ORD-EVR-03',
    'within a moment',
    [refused, get(15), sent(1000), get(1999)],
    [[twice, 'a', [10, 15, 1000, 1999]]],
  ],
  [
    'ORD-EVR-03',
    'another order was read before',
    [refused, get(15, 'b'), sent(1000), get(1010)],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'it was read before the answer',
    [
      orders,
      webhookAround(10, 'CREATED a', get(12), { took: 5, status: 503 }),
      sent(1000),
      get(1010),
    ],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'it was read while it was sent again',
    [refused, get(15), webhookAround(1000, 'CREATED a', get(1010), { took: 20 })],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'a read that failed is one',
    [refused, call(15, 'getOrder a', 503), sent(1000), call(1010, 'getOrder a', 503)],
    found,
  ],
  [
    'ORD-EVR-03',
    'it was refused twice',
    [refused, sent(500, 503), get(515), sent(1000), get(1010)],
    [[twice, 'a', [10, 515, 1000, 1010]]],
  ],
  [
    'ORD-EVR-03',
    'it was accepted twice',
    [refused, get(15), sent(1000), sent(5000), get(5010)],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'no reply came the second time',
    [
      refused,
      get(15),
      webhook(500, 'CREATED a', { status: 0, failure: 'TIMEOUT' }),
      sent(1000),
      get(1010),
    ],
    'not-exercised',
  ],
  [
    'ORD-OPS-01',
    'a poll announced the order',
    [refused, polled(12, ['CREATED a']), get(15), sent(1000), get(1010)],
    'not-exercised',
  ],
  [
    'ORD-EVR-03',
    'another webhook announced the order',
    [
      refused,
      emitted(11, 'CONFIRMED a'),
      webhook(12, 'CONFIRMED a'),
      get(15),
      sent(1000),
      get(1010),
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-03',
    'it was known before',
    [orders, sent(0), sent(10, 503), get(15), sent(1000), get(1010)],
    'not-exercised',
  ],
  [
    'ORD-EVR-03',
    'the webhook was of another event',
    [
      orders,
      emitted(0, 'CONFIRMED a'),
      [503, 204].map((status, index) => [
        webhook(10 + index * 990, 'CONFIRMED a', { status }),
        get(15 + index * 995),
      ]),
    ],
    'not-exercised',
  ],
  ['ORD-OPS-03', 'it was never read, so far', [refused, sent(1000), { at: late - 1 }], 'open'],
  [
    'ORD-OPS-03',
    'it was never read',
    [refused, sent(1000), { at: late }],
    [[never, 'a', [10, 1000]]],
  ],
  [
    'ORD-OPS-03',
    'its GET failed',
    [refused, sent(1000), call(2000, 'getOrder a', 503), { at: late }],
    [[never, 'a', [10, 1000]]],
  ],
  [
    'ORD-OPS-03',
    'it is known to be cancelled',
    [
      refused,
      sent(1000),
      emitted(1000, 'CANCELLED a'),
      acknowledged(1001, ['CANCELLED a']),
      { at: late },
    ],
    'passed',
  ],
  [
    'ORD-OPS-03',
    'it is known to be concluded',
    [
      refused,
      sent(1000),
      emitted(1000, 'CONCLUDED a'),
      acknowledged(1001, ['CONCLUDED a']),
      { at: late },
    ],
    'passed',
  ],
  [
    'ORD-OPS-03',
    'it is known to be confirmed',
    [
      refused,
      sent(1000),
      emitted(1000, 'CONFIRMED a'),
      acknowledged(1001, ['CONFIRMED a']),
      { at: late },
    ],
    [[never, 'a', [10, 1000]]],
  ],
  [
    'ORD-EVR-03',
    'of many GETs the first eight are known',
    [refused, Array.from({ length: 8 }, (_, index) => get(12 + index)), sent(1000), get(1010)],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'of seven all are',
    [refused, Array.from({ length: 7 }, (_, index) => get(12 + index)), sent(1000), get(1010)],
    [[twice, 'a', [10, 12, 1000, 1010]]],
  ],
])

nearMisses(
  refusedWebhooksAreHandledOnce,
  [
    [
      'ORD-EVR-03',
      'it may have been read later',
      [refused, get(15), sent(1000), get(1800)],
      [[twice, 'a', [10, 15, 1000, 1800], 'inconclusive']],
    ],
    [
      'ORD-EVR-03',
      'it was not',
      [refused, get(15), sent(1000), get(1799)],
      [[twice, 'a', [10, 15, 1000, 1799]]],
    ],
  ],
  { lagMs: 100 },
)
