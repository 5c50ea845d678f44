/** Near misses of SE-2. */
import {
  created,
  delivery,
  deliveryMoved,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { sameKeyOnRetry } from './same-key-on-retry.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const create = (at: number, key: string | undefined, status = 503, more: More = {}): Steps =>
  delivery(at, 'createDelivery a', status, { ...(key === undefined ? {} : { key }), ...more })
const retried = (how: string, was = 'answered 503'): string =>
  `The retry of the delivery request for o1 at 15:00:01.000 ${how}. The attempt at 15:00:00.000 was ${was}, so it may have taken effect.`
const otherKey = retried('came with X-Request-Id two instead of one')
const both = (status: number): Steps => [orders, create(0, 'one', status), create(1000, 'two')]
const ended = (to: 'CANCELLED' | 'FAILED' | 'DELIVERED'): Steps => [
  [orders, create(0, 'one')],
  [deliveryMoved(500, 'a', to), create(1000, 'two')],
]

nearMisses(sameKeyOnRetry, [
  ['TRN-HDR-04', 'one attempt', [orders, create(0, 'one')], 'not-exercised'],
  ['TRN-HDR-04', 'the same attempt', [orders, create(0, 'one'), create(1000, 'one')], 'passed'],
  ['TRN-HDR-04', 'another id', both(503), [[otherKey, 'a', [0, 1000]]]],
  [
    'TRN-HDR-04',
    'it is reported once for an order',
    [both(503), create(2000, 'three')],
    [[otherKey, 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'no id after one',
    [orders, create(0, 'one'), create(1000, undefined)],
    [[retried('came without X-Request-Id instead of one'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'an id after none',
    [orders, create(0, undefined), create(1000, 'two')],
    [[retried('came with X-Request-Id two instead of none'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'none after none',
    [orders, create(0, undefined), create(1000, undefined)],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'another body',
    [
      orders,
      create(0, 'one'),
      create(1000, 'one', 202, { body: { orderId: 'a', displayId: '2' } }),
    ],
    [[retried('had another body'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'of another order',
    [orders, create(0, 'one'), delivery(1000, 'createDelivery b', 202, { key: 'two' })],
    'not-exercised',
  ],
  ['TRN-HDR-04', 'after a success', both(202), 'not-exercised'],
  ['TRN-HDR-04', 'after a refusal', both(422), 'not-exercised'],
  ['TRN-STA-10', 'after a 429, which had no effect', both(429), 'not-exercised'],
  ['AUT-TOK-04', 'after a 401, which had none', both(401), 'not-exercised'],
  [
    'TRN-STA-12',
    'after a 408',
    both(408),
    [[retried('came with X-Request-Id two instead of one', 'answered 408'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-12',
    'after a 500',
    both(500),
    [[retried('came with X-Request-Id two instead of one', 'answered 500'), 'a', [0, 1000]]],
  ],
  [
    'LOG-CON-03',
    'after no reply',
    both(0),
    [[retried('came with X-Request-Id two instead of one', 'not answered'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-10',
    'a 429 after a failure leaves that open',
    [orders, create(0, 'one'), create(500, 'one', 429), create(1000, 'two')],
    [[otherKey, 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'a success ended it',
    [orders, create(0, 'one'), create(500, 'one', 202), create(1000, 'two')],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'a refusal ended it',
    [orders, create(0, 'one'), create(500, 'one', 422), create(1000, 'two')],
    'passed',
  ],
  ['LOG-CON-03', 'the delivery was cancelled in between', ended('CANCELLED'), 'not-exercised'],
  ['LOG-CON-03', 'the delivery failed in between', ended('FAILED'), 'not-exercised'],
  [
    'LOG-CON-03',
    'the delivery was made in between',
    ended('DELIVERED'),
    [[otherKey, 'a', [0, 1000]]],
  ],
])
