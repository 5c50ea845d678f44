/** Near misses of SE-4. */
import {
  acknowledged,
  created,
  delivery,
  deliveryCreated,
  deliveryMoved,
  emitted,
  faultAdded,
  moved,
} from '../../../../../../test/support/near-miss-steps.ts'
import { minimalOrder } from '../../../../../../test/support/minimal-order.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import type { Order, OrderStatus } from '../../../../protocol/orders/order.ts'
import { cancelledOrderTakesItsDeliveryAlong } from './cancelled-order-takes-its-delivery-along.ts'

const late = 121_001
const orders = [created(0, 'a', { type: 'DELIVERY' }), created(0, 'b', { type: 'DELIVERY' })]
const requested = (status = 202): Steps => [
  [orders, deliveryCreated(0, 'a')],
  delivery(0, 'createDelivery a', status),
]
const cancelled = moved(1000, 'a', 'CANCELLED')
const undo = (at: number, status = 202): Steps => delivery(at, 'cancelDelivery a', status)
const stands = (more = '', outcome = 'answered 202'): string =>
  `o1 was cancelled at 15:00:01.000, and its delivery, requested by the service at 15:00:00.000 (${outcome}), is still not cancelled 120 s later.${more}`
const found = [[stands(), 'a', [0]]] as const
const ended = (at: number, to: 'CANCELLED' | 'FAILED' | 'DELIVERED' | 'IN_TRANSIT'): Steps =>
  deliveryMoved(at, 'a', to)
const ticketRead = (at: number, orderId: string, status: OrderStatus): Steps => ({
  at,
  fact: {
    kind: 'ticket.read',
    orderId,
    status,
    profile: 'DELIVERY',
    order: minimalOrder(orderId) as unknown as Order,
  },
})
/** An order of which only its delivery and its ticket are known. */
const elsewhere = [deliveryCreated(0, 'x'), delivery(0, 'createDelivery x')]

nearMisses(cancelledOrderTakesItsDeliveryAlong, [
  ['LOG-CON-04', 'the order goes on', [requested(), { at: late }], 'not-exercised'],
  [
    'LOG-CON-04',
    'the delivery need not be cancelled yet',
    [requested(), cancelled, { at: late - 1 }],
    'open',
  ],
  ['LOG-CON-04', 'it was not cancelled', [requested(), cancelled, { at: late }], found],
  [
    'LOG-CON-04',
    'a fault is in force',
    [requested(), cancelled, faultAdded(2000), { at: late }],
    'open',
  ],
  ['LOG-CON-04', 'it was cancelled', [requested(), cancelled, undo(2000), { at: late }], 'passed'],
  [
    'LOG-CON-04',
    'it was cancelled before the order was',
    [requested(), undo(500), cancelled, { at: late }],
    'not-exercised',
  ],
  [
    'LOG-CON-04',
    'another was cancelled',
    [requested(), cancelled, delivery(2000, 'cancelDelivery b'), { at: late }],
    found,
  ],
  [
    'LOG-RUL-02',
    'the platform refused to cancel it',
    [requested(), cancelled, undo(2000, 409), { at: late }],
    'passed',
  ],
  ...[404, 401, 503, 0].map((status): NearMiss => [
    'LOG-OPS-08',
    `its cancellation got ${status}`,
    [requested(), cancelled, undo(2000, status), { at: late }],
    [[stands(' Its last call of cancelDelivery failed.'), 'a', [0, 2000]]],
  ]),
  [
    'LOG-CON-03',
    'the request was never answered',
    [requested(0), cancelled, { at: late }],
    [[stands('', 'not answered (HUNG)'), 'a', [0]]],
  ],
  [
    'LOG-CON-03',
    'the request was refused',
    [requested(422), cancelled, { at: late }],
    'not-exercised',
  ],
  [
    'LOG-CON-03',
    'another side requested it',
    [orders, deliveryCreated(0, 'a'), cancelled, { at: late }],
    'not-exercised',
  ],
  [
    'LOG-CON-03',
    'the platform never created it',
    [orders, delivery(0, 'createDelivery a'), cancelled, { at: late }],
    'not-exercised',
  ],
  [
    'LOG-CON-03',
    'it was created after the order was cancelled',
    [
      orders,
      moved(0, 'a', 'CANCELLED'),
      deliveryCreated(1000, 'a'),
      delivery(0, 'createDelivery a', 202, { took: 1000 }),
      { at: late },
    ],
    found,
  ],
  [
    'LOG-CON-03',
    'it was created after the order was cancelled, and after its request had ended',
    [
      orders,
      delivery(0, 'createDelivery a', 0),
      moved(500, 'a', 'CANCELLED'),
      deliveryCreated(1000, 'a'),
      { at: late },
    ],
    [[stands('', 'not answered (HUNG)'), 'a', [0]]],
  ],
  [
    'LOG-CON-03',
    'a new one was created after the first was cancelled',
    [requested(), undo(500), deliveryCreated(600, 'a'), cancelled, { at: late }],
    found,
  ],
  [
    'ORD-CAN-02',
    'the cancellation of the order was reverted',
    [requested(), cancelled, moved(2000, 'a', 'READY'), { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-02',
    'the order was concluded then',
    [requested(), cancelled, moved(2000, 'a', 'CONCLUDED'), { at: late }],
    found,
  ],
  [
    'ORD-CAN-02',
    'the order was delivered',
    [requested(), moved(1000, 'a', 'DELIVERED'), { at: late }],
    'not-exercised',
  ],
  ...(['CANCELLED', 'FAILED', 'DELIVERED'] as const).flatMap((to): readonly NearMiss[] => [
    [
      'LOG-CON-04',
      `it ended ${to} before the order was cancelled`,
      [requested(), ended(500, to), cancelled, { at: late }],
      'not-exercised',
    ],
    [
      'LOG-CON-04',
      `it ended ${to} at the deadline`,
      [requested(), cancelled, ended(late - 1, to), { at: 2 * late }],
      'passed',
    ],
    ['LOG-CON-04', `it ended ${to} later`, [requested(), cancelled, ended(late, to)], found],
  ]),
  [
    'LOG-CON-04',
    'it is in transit',
    [requested(), cancelled, ended(2000, 'IN_TRANSIT'), { at: late }],
    found,
  ],
  [
    'ORD-EVT-16',
    'the service knew',
    [
      requested(),
      cancelled,
      emitted(1000, 'CANCELLED a'),
      acknowledged(1500, ['CANCELLED a']),
      { at: late },
    ],
    [[stands(' The service had acknowledged CANCELLED (at 15:00:01.500).'), 'a', [0, 1500]]],
  ],
  [
    'LOG-CON-04',
    'an order that only its ticket shows as cancelled',
    [elsewhere, ticketRead(1000, 'x', 'CANCELLED'), { at: late }],
    [[/order x was cancelled at 15:00:01.000/, 'x', [0]]],
  ],
  [
    'LOG-CON-04',
    'its ticket shows another status',
    [elsewhere, ticketRead(1000, 'x', 'READY'), { at: late }],
    'not-exercised',
  ],
  [
    'LOG-CON-04',
    'its ticket shows that it goes on again',
    [
      deliveryCreated(0, 'x'),
      ticketRead(0, 'x', 'CANCELLED'),
      ticketRead(1, 'x', 'READY'),
      delivery(2, 'createDelivery x'),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'LOG-CON-04',
    'a ticket says what the host does not',
    [requested(), ticketRead(1000, 'a', 'CANCELLED'), { at: late }],
    'not-exercised',
  ],
])

nearMisses(
  cancelledOrderTakesItsDeliveryAlong,
  [
    [
      'LOG-CON-04',
      'our lag may have kept its end from us',
      [requested(), cancelled, ended(late + 199, 'CANCELLED'), { at: 2 * late }],
      'passed',
    ],
    [
      'LOG-CON-04',
      'it cannot have',
      [requested(), cancelled, ended(late + 200, 'CANCELLED')],
      found,
    ],
  ],
  { lagMs: 100 },
)
