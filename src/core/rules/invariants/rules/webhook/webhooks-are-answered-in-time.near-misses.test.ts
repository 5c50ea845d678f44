/** Near misses of WH-2. */
import {
  call,
  created,
  webhook,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { webhooksAreAnsweredInTime } from './webhooks-are-answered-in-time.ts'

const sent = (took: number, more: More = {}): Steps => [
  created(0, 'a'),
  webhook(0, 'CREATED a', { took, ...more }),
]
const timedOut = { status: 0, failure: 'TIMEOUT' }
const slow = (of = ' receiveOrderEvent of o1'): string =>
  `The service took 5 s to answer the webhook${of}; the time limit is 5 s.`
const none = 'did not answer the webhook receiveOrderEvent of o1 within 5 s; the time limit is 5 s.'
const account = (took: number): Steps =>
  call(0, 'receiveAccountEvent', 204, { by: 'sparring', took })

nearMisses(webhooksAreAnsweredInTime, [
  ['ORD-OPS-03', 'at the limit', sent(5000), 'passed'],
  ['ORD-OPS-03', 'later', sent(5001), [[slow(), 'a', [0]]]],
  ['ORD-OPS-03', 'with an error', sent(5001, { status: 503 }), [[slow(), 'a', [0]]]],
  ['ORD-OPS-03', 'not at all', sent(5000, timedOut), [[none, 'a', [0]]]],
  [
    'ORD-OPS-03',
    'it could not be reached',
    sent(9000, { status: 0, failure: 'ECONNREFUSED' }),
    'not-exercised',
  ],
  ['ORD-OPS-03', 'a fault delayed it', sent(9000, { fault: 'slow on ev(o1)' }), 'not-exercised'],
  [
    'ORD-OPS-03',
    'each is reported',
    [sent(5001), webhook(9000, 'CREATED a', { took: 5001 })],
    [
      [slow(), 'a', [0]],
      [slow(), 'a', [9000]],
    ],
  ],
  [
    'IND-EVR-01',
    'one about no order',
    account(5001),
    [[slow(' receiveAccountEvent'), undefined, [0]]],
  ],
])

nearMisses(
  webhooksAreAnsweredInTime,
  [
    [
      'ORD-OPS-03',
      'our lag may have made it so late',
      sent(5200),
      [[/took 5.2 s/, 'a', [0], 'inconclusive']],
    ],
    ['ORD-OPS-03', 'it cannot have', sent(5201), [[/took 5.2 s/, 'a', [0]]]],
    [
      'ORD-OPS-03',
      'it may have kept an answer from us',
      sent(5000, timedOut),
      [[none, 'a', [0], 'inconclusive']],
    ],
  ],
  { lagMs: 100 },
)
