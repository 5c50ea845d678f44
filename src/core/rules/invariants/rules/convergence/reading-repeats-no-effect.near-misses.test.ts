/** Near misses of CV-5. */
import {
  created,
  delivery,
  deliveryMoved,
  emitted,
  moved,
  polled,
  read,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { readingRepeatsNoEffect } from './reading-repeats-no-effect.ts'

const orders = [created(0, 'a', { type: 'DELIVERY' }), created(0, 'b', { type: 'DELIVERY' })]
const get = (at: number): Steps => read(at, 'a', 'CONFIRMED')
const request = (at: number, key: string, status = 202): Steps =>
  delivery(at, 'createDelivery a', status, { key })
const event = (at: number, type = 'CONFIRMED'): Steps => [
  emitted(at, `${type} a ${at}`),
  polled(at, [`${type} a ${at}`]),
]
/** An event came, the order was read, and its delivery was requested. */
const done = [orders, event(0), get(100), request(200, 'one')]
const again = (why: string): string =>
  `Second delivery request for o1 at 15:00:01.000, ${why}; the first was at 15:00:00.200.`
const reread = again('after it had read the order again (GET at 15:00:00.500) without a new event')

nearMisses(readingRepeatsNoEffect, [
  ['ORD-EVR-06', 'one request', done, 'not-exercised'],
  ['ORD-EVR-06', 'the order is read again', [done, get(500)], 'passed'],
  [
    'ORD-EVR-06',
    'and its delivery is requested again',
    [done, get(500), request(1000, 'two')],
    [[reread, 'a', [200, 500, 1000]]],
  ],
  [
    'ORD-EVR-06',
    'though that fails',
    [done, get(500), request(1000, 'two', 503)],
    [[reread, 'a', [200, 500, 1000]]],
  ],
  [
    'ORD-EVR-06',
    'each further id is reported once',
    [done, get(500), request(1000, 'two'), request(1000, 'two'), request(1000, 'three')],
    [
      [reread, 'a', [200, 500, 1000]],
      [reread, 'a', [200, 500, 1000]],
    ],
  ],
  ['TRN-HDR-04', 'with the same id', [done, get(500), request(1000, 'one')], 'passed'],
  [
    'ORD-EVR-03',
    'an event came in between',
    [done, event(400), get(500), request(1000, 'two')],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'an event came after the GET',
    [done, get(500), event(600), request(1000, 'two')],
    'passed',
  ],
  [
    'ORD-EVR-03',
    'the first was requested after a GET without an event',
    [
      orders,
      event(0),
      get(50),
      get(100),
      request(200, 'one'),
      event(400),
      get(500),
      request(1000, 'two'),
    ],
    [[again('after an event with what it had read before'), 'a', [200, 500, 1000]]],
  ],
  [
    'ORD-EVR-03',
    'the first was requested right after an event',
    [
      orders,
      event(0),
      get(50),
      get(100),
      event(150),
      request(200, 'one'),
      event(400),
      get(500),
      request(1000, 'two'),
    ],
    'passed',
  ],
  [
    'ORD-EVR-06',
    'both were requested without any GET',
    [orders, request(200, 'one'), request(1000, 'two')],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'the GET failed',
    [done, read(500, 'a', 'CONFIRMED', { status: 503 }), request(1000, 'two')],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'the first request failed',
    [orders, event(0), get(100), request(200, 'one', 503), get(500), request(1000, 'two')],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'another order was read',
    [done, read(500, 'b', 'CONFIRMED'), request(1000, 'two')],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'the delivery was cancelled',
    [done, deliveryMoved(300, 'a', 'CANCELLED'), get(500), request(1000, 'two')],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'the delivery failed',
    [done, deliveryMoved(300, 'a', 'FAILED'), get(500), request(1000, 'two')],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'the delivery was made',
    [done, deliveryMoved(300, 'a', 'DELIVERED'), get(500), request(1000, 'two')],
    [[reread, 'a', [200, 500, 1000]]],
  ],
  [
    'ORD-STA-01',
    'the order is over when it is read again',
    [done, moved(300, 'a', 'DELIVERED'), get(500)],
    'not-exercised',
  ],
])
