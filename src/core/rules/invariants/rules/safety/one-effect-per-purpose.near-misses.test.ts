/** Near misses of SE-1. */
import {
  created,
  delivery,
  deliveryCreated,
  deliveryMoved,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { oneEffectPerPurpose } from './one-effect-per-purpose.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const create = (at: number, key?: string, status = 202, order = 'a'): Steps =>
  delivery(at, `createDelivery ${order}`, status, key === undefined ? {} : { key })
const twice = (first: string, second: string): string =>
  `Duplicate delivery request for o1: first at 15:00:00.000 ${first}, again at 15:00:01.000 ${second}.`
const other = twice('with X-Request-Id one', 'with X-Request-Id two')
const ended = (to: 'CANCELLED' | 'FAILED' | 'DELIVERED'): Steps => [
  [orders, deliveryCreated(0, 'a'), create(0, 'one')],
  [deliveryMoved(500, 'a', to), create(1000, 'two')],
]

nearMisses(oneEffectPerPurpose, [
  ['ORD-EVR-03', 'one delivery', [orders, create(0, 'one')], 'passed'],
  [
    'TRN-HDR-04',
    'the same request again',
    [orders, create(0, 'one'), create(1000, 'one')],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'another request',
    [orders, create(0, 'one'), create(1000, 'two')],
    [[other, 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'another request, though it failed',
    [orders, create(0, 'one'), create(1000, 'two', 503)],
    [[other, 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'each further id is reported once',
    [orders, create(0, 'one'), [1000, 2000].map((at) => [create(at, 'two'), create(at, 'three')])],
    [
      [other, 'a', [0, 1000]],
      [twice('with X-Request-Id one', 'with X-Request-Id three'), 'a', [0, 1000]],
    ],
  ],
  [
    'TRN-HDR-04',
    'a request for another order',
    [orders, create(0, 'one'), create(1000, 'two', 202, 'b')],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'after a failed one',
    [orders, create(0, 'one', 503), create(1000, 'two')],
    'passed',
  ],
  [
    'LOG-CON-03',
    'after a failed one that took effect',
    [orders, deliveryCreated(0, 'a'), create(0, 'one', 503), create(1000, 'two')],
    [[other, 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'without an id after one with',
    [orders, create(0, 'one'), create(1000)],
    [[twice('with X-Request-Id one', 'without X-Request-Id'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'with an id after one without',
    [orders, create(0), create(1000, 'two')],
    [[twice('without X-Request-Id', 'with X-Request-Id two'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'both without an id, after a success',
    [orders, create(0), create(1000)],
    [[twice('without X-Request-Id', 'without X-Request-Id'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'both without an id, after a failure that took effect',
    [orders, deliveryCreated(0, 'a'), create(0, undefined, 503), create(1000)],
    'passed',
  ],
  [
    'TRN-HDR-04',
    'a third without an id, after such a retry',
    [orders, deliveryCreated(0, 'a'), create(0, undefined, 503), create(500), create(1000)],
    [[twice('without X-Request-Id', 'without X-Request-Id'), 'a', [0, 1000]]],
  ],
  [
    'TRN-HDR-04',
    'a third without an id, after a retry that failed',
    [
      orders,
      deliveryCreated(0, 'a'),
      create(0, undefined, 503),
      create(500, undefined, 503),
      create(1000),
    ],
    'passed',
  ],
  ['ORD-EVR-06', 'the delivery was cancelled in between', ended('CANCELLED'), 'passed'],
  ['ORD-EVR-06', 'the delivery failed in between', ended('FAILED'), 'passed'],
  ['ORD-EVR-06', 'the delivery was made in between', ended('DELIVERED'), [[other, 'a', [0, 1000]]]],
  [
    'ORD-EVR-06',
    'after a cancelled one a request failed',
    [
      [orders, deliveryCreated(0, 'a'), create(0, 'one'), deliveryMoved(1, 'a', 'CANCELLED')],
      [create(2, 'two', 503), create(1000, 'three')],
    ],
    'passed',
  ],
])
