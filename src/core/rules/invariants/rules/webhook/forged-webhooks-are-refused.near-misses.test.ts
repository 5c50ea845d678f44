/** Near misses of WH-3. */
import {
  call,
  created,
  delivery,
  emitted,
  polled,
  read,
  webhook,
  webhookAround,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { forgedWebhooksAreRefused } from './forged-webhooks-are-refused.ts'

const late = 120_011
const fault = 'wrong-signature on ev(o1,CREATED,webhook)'
const orders = [created(0, 'a'), created(0, 'b')]
const forged = (at: number, status = 401, more: More = {}): Steps =>
  webhook(at, 'CREATED a', { status, fault, ...more })
const refused = [orders, forged(10)]
const acted = (by = 'the GET'): string =>
  `refused a forged webhook of o1 with 401, but made ${by} of o1 anyway, before anything else had announced the order.`
const never =
  'refused a forged webhook of o1 with 401, but made the GET of o1 anyway; nothing else ever announced the order.'
const genuine = (at: number): Steps => webhook(at, 'CREATED a')

nearMisses(forgedWebhooksAreRefused, [
  ['AUT-GEN-02', 'it was refused', [refused, { at: late }], 'passed'],
  [
    'AUT-GEN-02',
    'each that was accepted is reported',
    [orders, forged(0, 204), forged(1, 204)],
    [
      [`The service answered a forged webhook of o1 with 204: ${fault}.`, 'a', [0]],
      [`The service answered a forged webhook of o1 with 204: ${fault}.`, 'a', [1]],
    ],
  ],
  [
    'AUT-GEN-02',
    'one about no order was accepted',
    call(0, 'receiveAccountEvent', 204, { by: 'sparring', fault }),
    [[`The service answered a forged webhook with 204: ${fault}.`, undefined, [0]]],
  ],
  [
    'AUT-GEN-02',
    'another fault distorted it',
    [orders, forged(0, 204, { fault: 'slow on ev(o1)' })],
    'not-exercised',
  ],
  [
    'LOG-EVT-04',
    'a delivery event without a signature',
    [orders, forged(0, 204, { operation: 'receiveDeliveryEvent' } as More)],
    'not-exercised',
  ],
  [
    'LOG-EVT-04',
    'an event of Customer needs no signature',
    [orders, forged(0, 204, { operation: 'receiveCustomerEvent' } as More)],
    'not-exercised',
  ],
  [
    'LOG-EVT-04',
    'nor does one of Loyalty',
    [orders, forged(0, 204, { operation: 'receiveLoyaltyEvent' } as More)],
    'not-exercised',
  ],
  [
    'LOG-EVT-04',
    'a delivery event with a wrong one',
    [
      orders,
      forged(0, 204, {
        operation: 'receiveDeliveryEvent',
        headers: [['X-App-Signature', 'wrong']],
      } as More),
    ],
    [['answered a forged webhook of o1 with 204', 'a', [0]]],
  ],
  [
    'TRN-STA-12',
    'a genuine one had announced the order, and its reply was lost',
    [
      orders,
      webhook(0, 'CREATED a', { status: 0, failure: 'LOST' }),
      forged(10),
      read(20, 'a', 'CREATED'),
      genuine(30),
      { at: late },
    ],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a genuine one had announced the order, and was answered with an error',
    [
      orders,
      webhook(0, 'CREATED a', { status: 503 }),
      forged(10),
      read(20, 'a', 'CREATED'),
      genuine(30),
      { at: late },
    ],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a genuine one that never reached the service announced nothing',
    [
      orders,
      webhook(0, 'CREATED a', { status: 0, failure: 'REFUSED' }),
      forged(10),
      read(20, 'a', 'CREATED'),
      genuine(30),
      { at: late },
    ],
    [[acted(), 'a', [10, 20, 30]]],
  ],
  [
    'AUT-GEN-02',
    'it read the order after the genuine one',
    [refused, genuine(20), read(30, 'a', 'CREATED'), { at: late }],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'it read the order before',
    [refused, read(15, 'a', 'CREATED'), genuine(20)],
    [[acted(), 'a', [10, 15, 20]]],
  ],
  [
    'AUT-GEN-02',
    'it called before, for the first time in another way',
    [refused, delivery(12, 'createDelivery a'), read(15, 'a', 'CREATED'), genuine(20)],
    [[acted('createDelivery'), 'a', [10, 12, 20]]],
  ],
  [
    'AUT-GEN-02',
    'it read the order before the forged one',
    [orders, read(5, 'a', 'CREATED'), forged(10), genuine(20), { at: late }],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'it read another order',
    [refused, read(15, 'b', 'CREATED'), genuine(20), { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a poll announced the order',
    [refused, read(15, 'a', 'CREATED'), polled(20, ['CREATED a']), { at: late }],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'another webhook about it was in flight',
    [
      [refused, emitted(10, 'CONFIRMED a')],
      webhookAround(12, 'CONFIRMED a', [read(15, 'a', 'CREATED'), genuine(20)], {
        took: 50,
        status: 503,
      }),
    ],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'the genuine one was in flight twice',
    [
      refused,
      webhookAround(
        11,
        'CREATED a',
        webhookAround(12, 'CREATED a', read(15, 'a', 'CREATED'), { took: 50 }),
        { took: 500, status: 0 },
      ),
    ],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'only the genuine one was in flight',
    [refused, webhookAround(12, 'CREATED a', read(15, 'a', 'CREATED'), { took: 50 })],
    [[acted(), 'a', [10, 15, 12]]],
  ],
  [
    'AUT-GEN-02',
    'it was announced before',
    [orders, genuine(0), forged(10), read(15, 'a', 'CREATED'), genuine(20), { at: late }],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'of two forged ones the first counts',
    [refused, read(15, 'a', 'CREATED'), forged(17), genuine(20)],
    [[acted(), 'a', [10, 15, 20]]],
  ],
  [
    'AUT-GEN-02',
    'nothing else announced the order so far',
    [refused, read(15, 'a', 'CREATED'), { at: 120_015 }],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'nothing else ever did',
    [refused, read(15, 'a', 'CREATED'), { at: 120_016 }],
    [[never, 'a', [10, 15]]],
  ],
  [
    'AUT-GEN-02',
    'it read the order before the only one',
    [orders, read(5, 'a', 'CREATED'), forged(10), { at: 200_000 }],
    'passed',
  ],
  [
    'AUT-GEN-02',
    'the forged one was accepted, and it acted on it',
    [orders, forged(10, 204), read(15, 'a', 'CREATED'), { at: 200_000 }],
    [['answered a forged webhook', 'a', [10]]],
  ],
])
