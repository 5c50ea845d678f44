/** Near misses of CV-3. */
import {
  announced,
  call,
  created,
  emitted,
  faultAdded,
  moved,
  planned,
  polled,
  read,
} from '../../../../../../test/support/near-miss-steps.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import { lostNewsIsMadeUpFor } from './lost-news-is-made-up-for.ts'

const due = 121_000
const late = due + 1
const heard = [created(0, 'a'), polled(0, ['CREATED a'])]
/** An event of a known order is emitted, and reaches nobody. */
const lost = (type = 'CONFIRMED'): Steps => [heard, emitted(1000, `${type} a`)]
const missing = (type = 'CONFIRMED'): string =>
  `The event ${type} of o1 (at 15:00:01.000) never reached the service, and in the 120 s since it has neither read the order nor made the next call about it.`
const found = [[missing(), 'a', [0]]] as const
const step = (
  operation: 'confirmOrder' | 'setOrderPreparing' | 'setOrderReadyForPickup',
  at = 2000,
  status = 202,
): Steps => call(at, `${operation} a`, status)

nearMisses(lostNewsIsMadeUpFor, [
  ['ORD-EVR-06', 'it need not be found out yet', [lost(), { at: due }], 'open'],
  ['ORD-EVR-06', 'it was not found out', [lost(), { at: late }], found],
  ['ORD-EVR-06', 'a fault is in force', [lost(), faultAdded(2000), { at: late }], 'open'],
  [
    'ORD-EVR-06',
    'the order was read',
    [lost(), read(due, 'a', 'CONFIRMED'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-06',
    'the order was read as it was emitted',
    [heard, emitted(1000, 'CONFIRMED a'), read(1000, 'a', 'CONFIRMED'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-06',
    'the GET had begun before',
    [heard, emitted(1000, 'CONFIRMED a'), read(999, 'a', 'CREATED', { took: 10 }), { at: late }],
    [[missing(), 'a', [0, 999]]],
  ],
  [
    'ORD-EVR-06',
    'the GET failed',
    [lost(), call(2000, 'getOrder a', 503), { at: late }],
    [[missing(), 'a', [0, 2000]]],
  ],
  [
    'ORD-EVR-06',
    'another order was read',
    [lost(), created(1500, 'b'), read(2000, 'b', 'CREATED'), { at: late }],
    found,
  ],
  [
    'ORD-EVR-01',
    'the next call was made',
    [lost(), step('setOrderPreparing'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the next call was made and failed',
    [lost(), step('setOrderPreparing', 2000, 503), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'a step was left out',
    [lost(), step('setOrderReadyForPickup'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the call before was made again',
    [lost(), step('confirmOrder'), { at: late }],
    [[missing(), 'a', [0, 2000]]],
  ],
  [
    'ORD-EVR-01',
    'the next call was made before',
    [
      heard,
      emitted(1000, 'CONFIRMED a'),
      call(999, 'setOrderPreparing a', 202, { took: 10 }),
      { at: late },
    ],
    [[missing(), 'a', [0, 999]]],
  ],
  [
    'ORD-EVR-06',
    'it came late',
    [lost(), polled(due, ['CONFIRMED a']), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'it was found out before it came',
    [lost(), read(2000, 'a', 'CONFIRMED'), polled(3000, ['CONFIRMED a']), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'a poll will bring it',
    [lost(), { at: 1000, fact: { kind: 'event.offered', eventId: 'CONFIRMED a' } }, { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'it is on its way',
    [lost(), planned(1000, { kind: 'event.offer', eventId: 'CONFIRMED a' }), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'no event of the order came',
    [created(0, 'a'), emitted(1000, 'CONFIRMED a'), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-MER-01',
    'it is of a merchant of another service',
    [
      created(0, 'a', { merchant: 'loja-2' }),
      polled(0, ['CREATED a']),
      emitted(1000, 'CONFIRMED a'),
      { at: late },
    ],
    'not-exercised',
  ],
  ...['PREPARATION_REQUESTED', 'CREATED', 'CONCLUDED', 'X_HINT'].map((type): NearMiss => [
    'ORD-EVR-06',
    `${type} requires nothing`,
    [heard, emitted(1000, `${type} a 2`), { at: late }],
    'not-exercised',
  ]),
  ...['PREPARING', 'READY_FOR_PICKUP', 'DELIVERED', 'CANCELLED'].map((type): NearMiss => [
    'ORD-EVR-06',
    `${type} does`,
    [lost(type), { at: late }],
    [[missing(type), 'a', [0]]],
  ]),
  [
    'LOG-EVT-01',
    'an event of the delivery has the same name',
    [heard, announced(1000, 'CANCELLED a'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-EVR-06',
    'of two lost ones the first is reported',
    [lost(), emitted(1000, 'PREPARING a'), { at: late }],
    found,
  ],
  [
    'ORD-EVT-16',
    'another event announced the end',
    [
      lost(),
      moved(1000, 'a', 'CANCELLED'),
      emitted(1000, 'CANCELLED a'),
      polled(2000, ['CANCELLED a']),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-EVT-05',
    'another event announced a later status',
    [
      lost(),
      emitted(1000, 'READY_FOR_PICKUP a'),
      polled(2000, ['READY_FOR_PICKUP a']),
      { at: late },
    ],
    [[missing(), 'a', [0]]],
  ],
])
