/** Near misses of RT-6. */
import {
  call,
  cancellationAnswered,
  cancellationRequested,
  created,
  delivery,
  deliveryCreated,
  deliveryMoved,
  faultAdded,
  moved,
} from '../../../../../../test/support/near-miss-steps.ts'
import type { OperationId } from '../../../../protocol/catalogue.ts'
import type { OrderStatus } from '../../../../protocol/orders/order.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import { failuresAreTriedAgain } from './failures-are-tried-again.ts'

const due = 120_000
const late = due + 1
const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, status = 503): Steps => call(at, 'confirmOrder a', status)
const failed = [orders, confirm(0)]
const gaveUp = (
  times = 'once',
  reply = 'a 503',
  ago = '120 s',
  what = 'confirmOrder of o1',
): string => `The service tried ${what} ${times}, got ${reply}, and has not retried it for ${ago}.`
const found = [[gaveUp(), 'a', [0]]] as const
const requested = [orders, delivery(0, 'createDelivery a', 503)]
const noDelivery = [[gaveUp('once', 'a 503', '120 s', 'createDelivery of o1'), 'a', [0]]] as const

/** The status before which each call is still needed. */
const needed: readonly (readonly [OperationId, OrderStatus, OrderStatus])[] = [
  ['getOrder', 'IN_DELIVERY', 'DELIVERED'],
  ['confirmOrder', 'CREATED', 'CONFIRMED'],
  ['setOrderPreparing', 'CONFIRMED', 'PREPARING'],
  ['setOrderReadyForPickup', 'PREPARING', 'READY'],
  ['dispatchOrder', 'READY', 'IN_DELIVERY'],
  ['setOrderDelivered', 'IN_DELIVERY', 'DELIVERED'],
  ['checkDeliveryAvailability', 'READY', 'IN_DELIVERY'],
  ['setDeliveryReadyForPickup', 'READY', 'IN_DELIVERY'],
]

nearMisses(failuresAreTriedAgain, [
  ['TRN-STA-12', 'it need not be tried again yet', [failed, { at: due }], 'open'],
  ['TRN-STA-12', 'it was not tried again', [failed, { at: late }], found],
  ['TRN-STA-12', 'it was, with success', [failed, confirm(due, 202), { at: late }], 'passed'],
  ['TRN-ERB-01', 'it was, and refused', [failed, confirm(due, 422), { at: 2 * late }], 'passed'],
  [
    'TRN-STA-12',
    'it was, and failed again',
    [failed, confirm(1000), { at: 1000 + late }],
    [[gaveUp('twice'), 'a', [1000]]],
  ],
  [
    'TRN-STA-12',
    'another order was confirmed',
    [failed, call(1, 'confirmOrder b'), { at: late }],
    found,
  ],
  [
    'TRN-STA-12',
    'of both orders it is missing',
    [failed, call(0, 'confirmOrder b', 503), { at: late }],
    [...found, [gaveUp('once', 'a 503', '120 s', 'confirmOrder of o2'), 'b', [0]]],
  ],
  [
    'TRN-STA-12',
    'a try that had begun before the failed one succeeded',
    [
      orders,
      call(1, 'confirmOrder a', 503),
      call(0, 'confirmOrder a', 202, { took: 500 }),
      { at: 1 + late },
    ],
    [[gaveUp(), 'a', [1]]],
  ],
  [
    'TRN-STA-12',
    'one that began with it did',
    [
      orders,
      call(1, 'confirmOrder a', 503),
      call(1, 'confirmOrder a', 202, { took: 500 }),
      { at: 1 + late },
    ],
    'passed',
  ],
  [
    'TRN-STA-10',
    'Retry-After is not over for so long',
    [orders, call(0, 'confirmOrder a', 429, { retryAfter: '10' }), { at: 10_000 + due }],
    'open',
  ],
  [
    'TRN-STA-10',
    'it is',
    [orders, call(0, 'confirmOrder a', 429, { retryAfter: '10' }), { at: 10_000 + late }],
    [[gaveUp('once', 'a 429 with Retry-After: 10', '130 s'), 'a', [0]]],
  ],
  [
    'TRN-STA-12',
    'it has time from the end of the call',
    [orders, call(0, 'confirmOrder a', 503, { took: 1000 }), { at: 1000 + due }],
    'open',
  ],
  ['TRN-STA-11', 'a fault is in force', [failed, faultAdded(1), { at: late }], 'open'],
  [
    'TRN-STA-12',
    'no reply came',
    [orders, confirm(0, 0), { at: late }],
    [[gaveUp('once', 'no reply'), 'a', [0]]],
  ],
  ['TRN-ERB-01', 'it was refused', [orders, confirm(0, 422), { at: late }], 'not-exercised'],
  [
    'AUT-TOK-04',
    'its token was rejected',
    [orders, confirm(0, 401), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-CAN-04',
    'a person asked for its cancellation',
    [orders, call(0, 'requestCancellation a', 503), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-CAN-04',
    'its cancellation was asked for',
    [failed, cancellationRequested(1, 'a'), { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'an operator had the order cancelled: it needs no delivery',
    [requested, { at: 1, operatorCancels: 'a' }, { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'an operator had another order cancelled',
    [requested, { at: 1, operatorCancels: 'b' }, { at: late }],
    noDelivery,
  ],
  [
    'ORD-CAN-06',
    'its cancellation was denied',
    [failed, cancellationRequested(1, 'a'), cancellationAnswered(2, 'a', 'deny'), { at: late }],
    found,
  ],
  ['TRN-STA-12', 'the order is unknown', [call(0, 'confirmOrder x', 503), { at: late }], 'passed'],
  ...needed.flatMap(([operation, before, after]): readonly NearMiss[] => {
    const failing = [
      created(0, 'a'),
      operation.includes('Delivery') && !operation.startsWith('setOrder')
        ? delivery(0, `${operation} a`, 503, { body: { orderId: 'a' } })
        : call(0, `${operation} a`, 503),
    ]
    return [
      [
        'TRN-STA-12',
        `${operation} of an order that is ${before}`,
        [failing, moved(1, 'a', before), { at: late }],
        [['The service tried', 'a', [0]]],
      ],
      [
        'TRN-STA-12',
        `${operation} of an order that is ${after}`,
        [failing, moved(1, 'a', after), { at: late }],
        'passed',
      ],
    ]
  }),
  ['LOG-CON-03', 'a delivery was not requested again', [requested, { at: late }], noDelivery],
  [
    'LOG-CON-03',
    'the delivery exists',
    [requested, deliveryCreated(1, 'a'), { at: late }],
    'passed',
  ],
  [
    'LOG-CON-04',
    'its order was cancelled',
    [requested, moved(1, 'a', 'CANCELLED'), { at: late }],
    'passed',
  ],
  [
    'LOG-CON-03',
    'its order is under way without it',
    [requested, moved(1, 'a', 'IN_DELIVERY'), { at: late }],
    noDelivery,
  ],
  [
    'LOG-CON-03',
    'it was requested twice, and the order is under way without it',
    [
      requested,
      delivery(1, 'createDelivery a', 503),
      moved(1, 'a', 'IN_DELIVERY'),
      { at: 1 + late },
    ],
    'passed',
  ],
  [
    'LOG-CON-03',
    'it was requested twice, and the order is ready',
    [requested, delivery(1, 'createDelivery a', 503), moved(1, 'a', 'READY'), { at: 1 + late }],
    [[gaveUp('twice', 'a 503', '120 s', 'createDelivery of o1'), 'a', [1]]],
  ],
  ...(['getDelivery', 'setDeliveryReadyForPickup'] as const).map((operation): NearMiss => [
    'LOG-CON-03',
    `it was requested twice, and the service goes on with ${operation}`,
    [
      [requested, delivery(1, 'createDelivery a', 503), delivery(2, `${operation} a`, 200)],
      [moved(2, 'a', 'IN_DELIVERY'), { at: 2 + late }],
    ],
    [[gaveUp('twice', 'a 503', '120 s', 'createDelivery of o1'), 'a', [1]]],
  ]),
  [
    'LOG-CON-04',
    'a delivery was not cancelled',
    [orders, deliveryCreated(0, 'a'), delivery(0, 'cancelDelivery a', 503), { at: late }],
    [[gaveUp('once', 'a 503', '120 s', 'cancelDelivery of o1'), 'a', [0]]],
  ],
  ...(['DELIVERED', 'CANCELLED', 'FAILED', 'IN_TRANSIT'] as const).map((status): NearMiss => [
    'LOG-CON-04',
    `a delivery that is ${status} can no longer be`,
    [
      [orders, deliveryCreated(0, 'a'), delivery(0, 'cancelDelivery a', 503)],
      [deliveryMoved(1, 'a', status), { at: late }],
    ],
    'passed',
  ]),
  [
    'LOG-CON-04',
    'there is no delivery to cancel',
    [orders, delivery(0, 'cancelDelivery a', 503), { at: late }],
    'passed',
  ],
  [
    'LOG-CON-04',
    'the cancellation of a delivery is needed though that of its order was asked for',
    [
      [orders, deliveryCreated(0, 'a'), cancellationRequested(0, 'a')],
      [delivery(0, 'cancelDelivery a', 503), { at: late }],
    ],
    [[gaveUp('once', 'a 503', '120 s', 'cancelDelivery of o1'), 'a', [0]]],
  ],
])
