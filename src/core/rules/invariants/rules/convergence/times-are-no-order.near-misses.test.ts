/** Near misses of CV-9. */
import {
  call,
  created,
  emitted,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { noon } from '../../../../../../test/support/transcript.ts'
import { timesAreNoOrder } from './times-are-no-order.ts'

const late = 121_001
const orders = [created(0, 'a'), created(0, 'b')]
const time = (ms: number): string => new Date(noon + ms).toISOString()
/** A poll that returns one event with this createdAt. */
const polledAs = (at: number, eventId: string, createdAt: string | undefined, more = {}): Steps => {
  const [eventType, orderId] = eventId.split(' ')
  return call(at, 'pollingEvents', 200, {
    answer: [{ eventId, eventType, orderId, createdAt, ...more }],
  })
}
/** An event of another order came before, that was created at 500 ms. */
const before = [orders, emitted(500, 'CONFIRMED b'), polledAs(600, 'CONFIRMED b', time(500))]
const dropped = (since = '01.000', type = 'CONFIRMED'): string =>
  `The service did not process ${type} of o1 (at 15:00:${since}), whose createdAt is not newer than that of earlier events: in the 120 s since it has neither read the order nor made the next call about it.`
const comes = (createdMs: number, type = 'CONFIRMED'): Steps => [
  [before, emitted(700, `${type} a`)],
  polledAs(1000, `${type} a`, time(createdMs)),
]
const found = [[dropped(), 'a', [1000]]] as const

nearMisses(timesAreNoOrder, [
  ['ORD-EVR-04', 'it is newer', [comes(501), { at: late }], 'not-exercised'],
  ['ORD-EVR-04', 'it is as old', [comes(500), { at: late }], found],
  ['ORD-EVR-04', 'it is older', [comes(-500), { at: late }], found],
  ['ORD-EVR-04', 'it is older, and there is time', [comes(-500), { at: late - 1 }], 'open'],
  [
    'ORD-EVR-04',
    'the order was read',
    [comes(500), read(2000, 'a', 'CONFIRMED'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'the order was read as it was emitted',
    [
      before,
      emitted(700, 'CONFIRMED a'),
      read(700, 'a', 'CONFIRMED'),
      polledAs(1000, 'CONFIRMED a', time(500)),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'the order was read before it was emitted',
    [
      before,
      read(699, 'a', 'CREATED'),
      emitted(700, 'CONFIRMED a'),
      polledAs(1000, 'CONFIRMED a', time(500)),
      { at: late },
    ],
    [[dropped(), 'a', [699, 1000]]],
  ],
  [
    'ORD-EVR-04',
    'the next call was made',
    [comes(500), call(1000, 'setOrderPreparing a'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'a call was made before it came',
    [comes(500), call(999, 'setOrderPreparing a', 202, { took: 10 }), { at: late }],
    [[dropped(), 'a', [1000, 999]]],
  ],
  [
    'ORD-EVR-04',
    'a GET had begun before it came',
    [comes(500), read(999, 'a', 'CONFIRMED', { took: 10 }), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'a GET had begun before it was emitted',
    [comes(500), read(699, 'a', 'CREATED', { took: 310 }), { at: late }],
    [[dropped(), 'a', [1000, 699]]],
  ],
  [
    'ORD-EVR-04',
    'the GET failed',
    [comes(500), call(2000, 'getOrder a', 503), { at: late }],
    [[dropped(), 'a', [1000, 2000]]],
  ],
  [
    'ORD-EVR-04',
    'another order was read',
    [comes(500), read(2000, 'b', 'CONFIRMED'), { at: late }],
    found,
  ],
  [
    'ORD-EVR-03',
    'it came for the second time',
    [
      orders,
      emitted(400, 'CONFIRMED a'),
      [emitted(500, 'CONFIRMED b'), polledAs(600, 'CONFIRMED b', time(500))],
      polledAs(700, 'CONFIRMED a', time(800)),
      polledAs(1000, 'CONFIRMED a', time(500)),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-EVF-01',
    'it has no createdAt',
    [before, emitted(700, 'CONFIRMED a'), polledAs(1000, 'CONFIRMED a', undefined), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVF-01',
    'its createdAt is no date',
    [before, emitted(700, 'CONFIRMED a'), polledAs(1000, 'CONFIRMED a', 'soon'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVF-01',
    'its createdAt is what the host wrote',
    [before, emitted(700, 'CONFIRMED a'), polledAs(1000, 'CONFIRMED a', time(700)), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVF-01',
    'the host wrote another date than that of its emission',
    [
      [orders, emitted(400, 'CONFIRMED a', { createdAt: time(5000) })],
      [emitted(500, 'CONFIRMED b'), polledAs(600, 'CONFIRMED b', time(500))],
      polledAs(1000, 'CONFIRMED a', time(5000)),
      { at: late },
    ],
    found,
  ],
  ['ORD-EVR-04', 'it has no status', [comes(500, 'ITEM_CANCELLED'), { at: late }], 'not-exercised'],
  ['ORD-EVR-04', 'it tells of the end', [comes(500, 'CANCELLED'), { at: late }], 'passed'],
  [
    'AUT-MER-01',
    'it is of a merchant of another service',
    [
      before,
      created(700, 'c', { merchant: 'loja-2' }),
      polledAs(1000, 'CREATED c', time(0)),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'it was never emitted',
    [before, polledAs(1000, 'CONFIRMED a', time(500)), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'it came by webhook',
    [
      before,
      emitted(700, 'CONFIRMED a'),
      webhook(1000, 'CONFIRMED a', {
        body: {
          eventId: 'CONFIRMED a',
          eventType: 'CONFIRMED',
          orderId: 'a',
          createdAt: time(500),
        },
      }),
      { at: late },
    ],
    found,
  ],
  [
    'ORD-OPS-03',
    'the service refused the webhook',
    [
      before,
      emitted(700, 'CONFIRMED a'),
      webhook(1000, 'CONFIRMED a', {
        status: 503,
        body: {
          eventId: 'CONFIRMED a',
          eventType: 'CONFIRMED',
          orderId: 'a',
          createdAt: time(500),
        },
      }),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'two came, and the order has one',
    [
      comes(500),
      emitted(1200, 'PREPARING a'),
      polledAs(1500, 'PREPARING a', time(400)),
      { at: late },
    ],
    found,
  ],
  [
    'ORD-OPS-01',
    'the first event of all',
    [orders, polledAs(0, 'CREATED a', time(0)), polled(1, []), { at: late }],
    'not-exercised',
  ],
])
