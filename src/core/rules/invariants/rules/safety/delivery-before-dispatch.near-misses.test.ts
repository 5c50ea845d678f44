/** Near misses of SE-10. */
import {
  announced,
  call,
  created,
  delivery,
  emitted,
  webhook,
  webhookAround,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { deliveryBeforeDispatch } from './delivery-before-dispatch.ts'

const orders = [created(0, 'a', { type: 'DELIVERY' }), created(0, 'b', { type: 'DELIVERY' })]
const request = (status: number, more: More = {}): Steps =>
  delivery(0, 'createDelivery a', status, more)
const lost = [orders, request(503)]
const dispatch = (at = 1000): Steps => call(at, 'dispatchOrder a')
const early = (was = 'answered 503', at = '00.000'): string =>
  `The service dispatched o1 at 15:00:01.000 before its delivery was known to exist: the delivery request at 15:00:${at} was ${was}.`
const found = [[early(), 'a', [0, 1000]]] as const
const deliveryWebhook = (more: More = {}): Steps => [
  announced(0, 'ACCEPTED a'),
  webhook(500, 'ACCEPTED a', { operation: 'receiveDeliveryEvent', ...more }),
]

nearMisses(deliveryBeforeDispatch, [
  ['LOG-CON-03', 'no delivery was requested', [orders, dispatch()], 'not-exercised'],
  ['LOG-CON-03', 'nothing was dispatched', [lost, { at: 5000 }], 'not-exercised'],
  ['LOG-CON-03', 'the request succeeded', [orders, request(202), dispatch()], 'passed'],
  ['LOG-CON-03', 'it failed', [lost, dispatch()], found],
  [
    'LOG-CON-03',
    'no reply came',
    [orders, request(0), dispatch()],
    [[early('not answered (HUNG)'), 'a', [0, 1000]]],
  ],
  ['LOG-CON-03', 'it was refused', [orders, request(422), dispatch()], 'passed'],
  [
    'LOG-CON-03',
    'of another order',
    [orders, delivery(0, 'createDelivery b', 503), dispatch()],
    'not-exercised',
  ],
  [
    'LOG-CON-03',
    'it succeeded as the dispatch began',
    [orders, request(202, { took: 1000 }), dispatch()],
    'passed',
  ],
  [
    'LOG-CON-03',
    'it succeeded after the dispatch had begun',
    [orders, dispatch(), request(202, { took: 1001 })],
    [[early('answered 202'), 'a', [1000, 0]]],
  ],
  [
    'LOG-CON-03',
    'it was requested after the dispatch',
    [orders, dispatch(), delivery(1001, 'createDelivery a', 503)],
    'not-exercised',
  ],
  [
    'LOG-CON-03',
    'it was requested with the dispatch',
    [orders, dispatch(), delivery(1000, 'createDelivery a', 503)],
    [[early('answered 503', '01.000'), 'a', [1000, 1000]]],
  ],
  [
    'LOG-CON-03',
    'a retry succeeded',
    [lost, delivery(500, 'createDelivery a'), dispatch()],
    'passed',
  ],
  [
    'LOG-CON-03',
    'a retry failed',
    [lost, delivery(500, 'createDelivery a', 500), dispatch()],
    [[early('answered 500', '00.500'), 'a', [500, 1000]]],
  ],
  [
    'LOG-CON-03',
    'a retry failed after a success',
    [orders, request(202), delivery(500, 'createDelivery a', 503), dispatch()],
    'passed',
  ],
  [
    'LOG-CON-03',
    'a GET showed it',
    [lost, delivery(500, 'getDelivery a', 200), dispatch()],
    'passed',
  ],
  [
    'LOG-CON-03',
    'a GET showed it after the dispatch',
    [lost, dispatch(), delivery(1500, 'getDelivery a', 200)],
    found,
  ],
  [
    'LOG-CON-03',
    'a GET found nothing',
    [lost, delivery(500, 'getDelivery a', 404), dispatch()],
    found,
  ],
  [
    'LOG-CON-04',
    'it was cancelled',
    [lost, delivery(500, 'cancelDelivery a'), dispatch()],
    'passed',
  ],
  [
    'LOG-CON-04',
    'its cancellation was refused',
    [lost, delivery(500, 'cancelDelivery a', 409), dispatch()],
    'passed',
  ],
  [
    'LOG-CON-04',
    'its cancellation failed',
    [lost, delivery(500, 'cancelDelivery a', 503), dispatch()],
    found,
  ],
  ['LOG-CON-03', 'a webhook announced it', [lost, deliveryWebhook(), dispatch()], 'passed'],
  [
    'LOG-CON-03',
    'the service refused that webhook',
    [lost, deliveryWebhook({ status: 503 }), dispatch()],
    found,
  ],
  [
    'LOG-CON-03',
    'a webhook announced the order',
    [lost, webhook(500, 'CREATED a'), dispatch()],
    found,
  ],
  [
    'LOG-CON-03',
    'a webhook about it is in flight',
    [
      lost,
      announced(0, 'ACCEPTED a'),
      webhookAround(500, 'ACCEPTED a', dispatch(), {
        operation: 'receiveDeliveryEvent',
        took: 1000,
        status: 503,
      }),
    ],
    'passed',
  ],
  [
    'LOG-CON-03',
    'a webhook about the order is in flight',
    [
      lost,
      emitted(0, 'CONFIRMED a'),
      webhookAround(500, 'CONFIRMED a', dispatch(), { took: 1000 }),
    ],
    found,
  ],
  [
    'ORD-TRA-06',
    'the first dispatch counts, reported once',
    [lost, dispatch(), dispatch(2000), delivery(3000, 'createDelivery a', 503)],
    found,
  ],
  [
    'ORD-TRA-06',
    'an unknown order',
    [delivery(0, 'createDelivery x', 503), call(1000, 'dispatchOrder x')],
    'not-exercised',
  ],
])

nearMisses(
  deliveryBeforeDispatch,
  [
    [
      'LOG-CON-03',
      'it may have been known before',
      [orders, dispatch(), request(202, { took: 1200 })],
      [[early('answered 202'), 'a', [1000, 0], 'inconclusive']],
    ],
    [
      'LOG-CON-03',
      'it was not',
      [orders, dispatch(), request(202, { took: 1201 })],
      [[early('answered 202'), 'a', [1000, 0]]],
    ],
    ['LOG-CON-03', 'it never was', [lost, dispatch()], found],
  ],
  { lagMs: 100 },
)
