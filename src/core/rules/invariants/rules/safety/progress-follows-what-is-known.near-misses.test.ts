/** Near misses of SE-6. */
import {
  call,
  created,
  emitted,
  polled,
  read,
  webhookAround,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import type { OperationId } from '../../../../protocol/catalogue.ts'
import type { OrderStatus } from '../../../../protocol/orders/order.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import { progressFollowsWhatIsKnown } from './progress-follows-what-is-known.ts'

const order = created(0, 'a', { type: 'DELIVERY' })
const shown = [order, polled(0, ['CREATED a'])]
const step = (at: number, operation: OperationId, more: More = {}): Steps =>
  call(at, `${operation} a`, more.status ?? 202, more)
const confirm = (at: number, more: More = {}): Steps => step(at, 'confirmOrder', more)
const unshown =
  'The service confirmed o1 at 15:00:00.100: no status of the order had been shown to it.'
const early = (more = ''): string =>
  `The service reported o1 as being prepared at 15:00:00.200: the last status shown to it was CREATED (at 15:00:00.000)${more}.`
const receipt = ', and the 202 to its confirmOrder only says that the call was accepted'

/** Each call, a status that enables it, and one that does not. */
const enabled: readonly (readonly [OperationId, readonly OrderStatus[], readonly OrderStatus[]])[] =
  [
    ['confirmOrder', ['CREATED', 'CONFIRMED', 'PREPARING', 'CANCELLED'], []],
    ['setOrderPreparing', ['CONFIRMED', 'PREPARING', 'READY'], ['CREATED']],
    ['setOrderReadyForPickup', ['CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY'], ['CREATED']],
    ['dispatchOrder', ['READY', 'IN_DELIVERY', 'DELIVERED'], ['CREATED', 'CONFIRMED', 'PREPARING']],
    [
      'setOrderDelivered',
      ['READY', 'IN_DELIVERY', 'DELIVERED'],
      ['CREATED', 'CONFIRMED', 'PREPARING'],
    ],
  ]

nearMisses(progressFollowsWhatIsKnown, [
  ['ORD-RUL-02', 'a poll showed CREATED', [shown, confirm(100)], 'passed'],
  ['ORD-RUL-02', 'nothing did', [order, confirm(100)], [[unshown, 'a', [100]]]],
  [
    'ORD-RUL-02',
    'a poll did as the call began',
    [order, polled(0, ['CREATED a'], { took: 100 }), confirm(100)],
    'passed',
  ],
  [
    'ORD-RUL-02',
    'a poll did after the call had begun',
    [order, polled(0, ['CREATED a'], { took: 101 }), confirm(100, { took: 10 })],
    [[unshown, 'a', [100]]],
  ],
  [
    'ORD-RUL-02',
    'of another order',
    [order, created(0, 'b'), polled(0, ['CREATED b']), confirm(100)],
    [[unshown, 'a', [100]]],
  ],
  [
    'ORD-EVR-01',
    'a webhook in flight did',
    [order, webhookAround(0, 'CREATED a', confirm(100), { took: 200 })],
    'passed',
  ],
  [
    'ORD-RUL-02',
    'the next call follows the accepted one',
    [shown, confirm(100), step(200, 'setOrderPreparing')],
    [[early(receipt), 'a', [0, 100, 200]]],
  ],
  [
    'ORD-RUL-02',
    'it follows a refused one',
    [shown, confirm(100, { status: 422 }), step(200, 'setOrderPreparing')],
    [[early(), 'a', [0, 200]]],
  ],
  [
    'ORD-RUL-02',
    'each operation is reported once',
    [
      shown,
      [200, 201].map((at) => step(at, 'setOrderPreparing')),
      step(202, 'setOrderReadyForPickup'),
    ],
    [
      [early(), 'a', [0, 200]],
      ['The service reported o1 as ready', 'a', [0, 201, 202]],
    ],
  ],
  [
    'ORD-EVR-01',
    'the event that was in flight has no evidence',
    [order, webhookAround(0, 'CREATED a', step(200, 'setOrderPreparing'), { took: 300 })],
    [['at 15:00:00.200: the last status shown to it was CREATED.', 'a', [200]]],
  ],
  [
    'ORD-EVR-01',
    'the highest status before the call counts',
    [
      [shown, emitted(0, 'CONFIRMED a'), polled(50, ['CONFIRMED a'])],
      read(60, 'a', 'READY', { took: 500 }),
      step(200, 'dispatchOrder', { took: 500 }),
    ],
    [
      [
        'o1 at 15:00:00.200: the last status shown to it was CONFIRMED (at 15:00:00.050)',
        'a',
        [50, 200],
      ],
    ],
  ],
  ...enabled.flatMap(([operation, good, bad]) => [
    ...good.map((status): NearMiss => [
      'ORD-EVR-01',
      `${operation} in ${status}`,
      [order, read(0, 'a', status), step(100, operation)],
      'passed',
    ]),
    ...bad.map((status): NearMiss => [
      'ORD-EVR-01',
      `${operation} in ${status}`,
      [order, read(0, 'a', status), step(100, operation)],
      [[`the last status shown to it was ${status} (at 15:00:00.000).`, 'a', [0, 100]]],
    ]),
  ]),
  ...(['TAKEOUT', 'INDOOR'] as const).map((type): NearMiss => [
    'ORD-TRA-06',
    `a dispatch of an order of type ${type}`,
    [created(0, 'a', { type }), read(0, 'a', 'READY'), step(100, 'dispatchOrder')],
    [
      [
        `dispatched o1 at 15:00:00.100: an order of type ${type} is never dispatched.`,
        'a',
        [0, 100],
      ],
    ],
  ]),
  [
    'ORD-TRA-06',
    'another call of such an order',
    [created(0, 'a'), read(0, 'a', 'CREATED'), step(100, 'setOrderDelivered')],
    [['the last status shown to it was CREATED', 'a', [0, 100]]],
  ],
  ['ORD-RUL-02', 'an unknown order', call(0, 'confirmOrder x'), 'not-exercised'],
])

nearMisses(
  progressFollowsWhatIsKnown,
  [
    [
      'ORD-RUL-02',
      'it may have been shown before',
      [order, polled(0, ['CREATED a'], { took: 300 }), confirm(100, { took: 300 })],
      [[unshown, 'a', [100], 'inconclusive']],
    ],
    [
      'ORD-RUL-02',
      'it was not',
      [order, polled(0, ['CREATED a'], { took: 301 }), confirm(100, { took: 300 })],
      [[unshown, 'a', [100]]],
    ],
  ],
  { lagMs: 100 },
)
