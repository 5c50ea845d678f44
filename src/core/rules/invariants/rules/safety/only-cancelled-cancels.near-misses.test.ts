/** Near misses of SE-13. */
import {
  acknowledged,
  call,
  cancellationRequested,
  created,
  delivery,
  emitted,
  moved,
  polled,
  read,
  webhook,
  webhookAround,
} from '../../../../../../test/support/near-miss-steps.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import type { OrderStatus } from '../../../../protocol/orders/order.ts'
import { onlyCancelledCancels } from './only-cancelled-cancels.ts'

const accepted = 'CANCELLATION_REQUEST_ACCEPTED a'
const orders = [created(0, 'a', { type: 'DELIVERY' }), created(0, 'b', { type: 'DELIVERY' })]
const heard = [orders, emitted(0, accepted), polled(10, [accepted])]
const taken = [heard, acknowledged(20, [accepted])]
const cancel = (at: number, order = 'a'): Steps => delivery(at, `cancelDelivery ${order}`)
const reports = (status?: string, order = 'a'): Steps => ({
  at: 30,
  probed: order,
  ...(status === undefined ? {} : { status }),
})
const early =
  'The service cancelled the delivery of o1 at 15:00:00.030, after CANCELLATION_REQUEST_ACCEPTED (at 15:00:00.010) but before CANCELLED; the order is CREATED.'
const closed = (status: string): string =>
  `The service reports o1 as ${status} at 15:00:00.030, after CANCELLATION_REQUEST_ACCEPTED (at 15:00:00.020) but before CANCELLED; the order is CREATED.`

nearMisses(onlyCancelledCancels, [
  [
    'ORD-EVT-14',
    'nothing was announced',
    [orders, cancel(30), reports('CANCELLED')],
    'not-exercised',
  ],
  ['ORD-EVT-14', 'it was announced', taken, 'passed'],
  [
    'ORD-EVT-14',
    'another event was',
    [
      orders,
      emitted(0, 'CONFIRMED a'),
      polled(10, ['CONFIRMED a']),
      acknowledged(20, ['CONFIRMED a']),
      cancel(30),
    ],
    'not-exercised',
  ],
  ['ORD-CAN-05', 'the delivery was cancelled', [taken, cancel(30)], [[early, 'a', [10, 30]]]],
  [
    'ORD-CAN-05',
    'it is reported once, from the first announcement',
    [taken, polled(25, [accepted]), cancel(30), cancel(40)],
    [[early, 'a', [10, 30]]],
  ],
  ['ORD-CAN-05', 'the delivery of another order was', [taken, cancel(30, 'b')], 'passed'],
  [
    'ORD-CAN-05',
    'before the announcement came',
    [
      orders,
      emitted(0, accepted),
      polled(10, [accepted], { took: 20 }),
      delivery(29, 'cancelDelivery a', 202, { took: 10 }),
    ],
    'not-exercised',
  ],
  [
    'ORD-CAN-05',
    'the delivery was cancelled before the webhook with the announcement was answered',
    [orders, emitted(0, accepted), webhookAround(10, accepted, cancel(30), { took: 40 })],
    [[early, 'a', [30, 10]]],
  ],
  [
    'ORD-CAN-05',
    'it is reported once, from the webhook',
    [
      orders,
      emitted(0, accepted),
      webhookAround(10, accepted, cancel(30), { took: 40 }),
      cancel(60),
    ],
    [[early, 'a', [30, 10]]],
  ],
  [
    'ORD-CAN-05',
    'it was cancelled before the webhook was sent',
    [orders, emitted(0, accepted), cancel(9), webhook(10, accepted, { took: 40 })],
    'passed',
  ],
  [
    'ORD-CAN-05',
    'a fault may have held the webhook back',
    [
      orders,
      emitted(0, accepted),
      webhookAround(10, accepted, cancel(30), { took: 40, fault: 'slow on receiveOrderEvent' }),
    ],
    'passed',
  ],
  [
    'LOG-CON-04',
    'the service had asked for it itself before the webhook was answered',
    [
      orders,
      emitted(0, accepted),
      webhookAround(10, accepted, [call(20, 'requestCancellation a'), cancel(30)], { took: 40 }),
    ],
    'passed',
  ],
  [
    'ORD-CAN-05',
    'the order was cancelled before the webhook was answered',
    [
      orders,
      emitted(0, accepted),
      webhookAround(10, accepted, [moved(20, 'a', 'CANCELLED'), cancel(30)], { took: 40 }),
    ],
    'not-exercised',
  ],
  [
    'LOG-CON-04',
    'the service had asked for it itself, and was not answered yet',
    [taken, cancellationRequested(25, 'a'), cancel(30)],
    'passed',
  ],
  [
    'LOG-CON-04',
    'the service had asked for it itself',
    [taken, call(25, 'requestCancellation a'), cancel(30)],
    'passed',
  ],
  [
    'ORD-CAN-05',
    'the order was cancelled',
    [taken, moved(25, 'a', 'CANCELLED'), cancel(30), reports('CANCELLED')],
    'passed',
  ],
  [
    'ORD-CAN-05',
    'the order was concluded',
    [taken, moved(25, 'a', 'CONCLUDED'), cancel(30), reports('CANCELLED')],
    'passed',
  ],
  [
    'ORD-CAN-05',
    'the order was confirmed',
    [taken, moved(25, 'a', 'CONFIRMED'), cancel(30)],
    [['the order is CONFIRMED', 'a', [10, 30]]],
  ],
  [
    'ORD-CAN-05',
    'a GET showed CANCELLED',
    [taken, read(25, 'a', 'CANCELLED'), cancel(30), reports('CANCELLED')],
    'passed',
  ],
  ...(['CANCELLED', 'CONCLUDED'] as const).map((status): NearMiss => [
    'ORD-CAN-04',
    `the service reports ${status}`,
    [taken, reports(status)],
    [[closed(status), 'a', [20]]],
  ]),
  ...(['CREATED', 'DELIVERED'] satisfies OrderStatus[]).map((status): NearMiss => [
    'ORD-CAN-04',
    `the service reports ${status}`,
    [taken, reports(status)],
    'passed',
  ]),
  ['ORD-CAN-04', 'the service reports no status', [taken, reports()], 'passed'],
  [
    'ORD-CAN-04',
    'the service reports that of another order',
    [taken, reports('CANCELLED', 'b')],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'it did not acknowledge the announcement',
    [heard, reports('CANCELLED')],
    'not-exercised',
  ],
  [
    'ORD-CAN-04',
    'the last GET is shown as well',
    [taken, read(25, 'a', 'CREATED'), reports('CANCELLED')],
    [[closed('CANCELLED'), 'a', [20, 25]]],
  ],
  [
    'ORD-CAN-04',
    'the first acknowledgment counts',
    [taken, acknowledged(25, [accepted]), reports('CANCELLED')],
    [[closed('CANCELLED'), 'a', [20]]],
  ],
  [
    'ORD-CAN-04',
    'the order was cancelled before',
    [
      heard,
      moved(15, 'a', 'CANCELLED'),
      acknowledged(20, [accepted]),
      moved(25, 'a', 'READY'),
      reports('CANCELLED'),
    ],
    'not-exercised',
  ],
  [
    'ORD-CAN-05',
    'both mistakes are reported',
    [taken, cancel(30), reports('CANCELLED')],
    [
      [early, 'a', [10, 30]],
      [closed('CANCELLED'), 'a', [20]],
    ],
  ],
  [
    'ORD-EVT-14',
    'an unknown order',
    [polled(10, ['CANCELLATION_REQUEST_ACCEPTED x']), cancel(30, 'x')],
    'not-exercised',
  ],
])
