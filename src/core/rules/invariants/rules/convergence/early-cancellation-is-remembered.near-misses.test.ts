/** Near misses of CV-8. */
import {
  acknowledged,
  call,
  created,
  emitted,
  moved,
  polled,
  read,
  webhook,
  webhookAround,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { earlyCancellationIsRemembered } from './early-cancellation-is-remembered.ts'

const cancelled = [
  created(0, 'a'),
  created(0, 'b'),
  moved(0, 'a', 'CANCELLED'),
  emitted(0, 'CANCELLED a'),
]
const early = [cancelled, polled(10, ['CANCELLED a']), acknowledged(20, ['CANCELLED a'])]
const both = [early, polled(30, ['CREATED a'])]
const confirm = (at: number): Steps => call(at, 'confirmOrder a')
const started = (
  after = ' and after CREATED had arrived as well (at 15:00:00.030)',
  what = 'confirmed o1',
): string =>
  `The service ${what} 1 s after it had accepted CANCELLED${after}; CANCELLED had arrived before CREATED.`

nearMisses(earlyCancellationIsRemembered, [
  ['ORD-EVR-04', 'CREATED did not come', early, 'not-exercised'],
  ['ORD-EVR-04', 'CREATED came next', both, 'passed'],
  [
    'ORD-EVR-04',
    'CREATED came next, and the acknowledgment last',
    [
      cancelled,
      polled(10, ['CANCELLED a']),
      polled(30, ['CREATED a']),
      acknowledged(40, ['CANCELLED a']),
    ],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'both came in one poll',
    [
      cancelled,
      polled(10, ['CANCELLED a', 'CREATED a']),
      acknowledged(20, ['CANCELLED a', 'CREATED a']),
    ],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'CREATED came first',
    [cancelled, polled(5, ['CREATED a']), early.slice(1)],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'CREATED came first, in the same poll',
    [cancelled, polled(10, ['CREATED a', 'CANCELLED a']), acknowledged(20, ['CANCELLED a'])],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'CANCELLED was not acknowledged',
    [cancelled, polled(10, ['CANCELLED a']), polled(30, ['CREATED a']), confirm(5000)],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'another event came in between',
    [
      early,
      emitted(25, 'ITEM_CANCELLED a'),
      polled(25, ['ITEM_CANCELLED a']),
      polled(30, ['CREATED a']),
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'another event came later',
    [both, emitted(35, 'ITEM_CANCELLED a'), polled(35, ['ITEM_CANCELLED a'])],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'CANCELLED came again in between',
    [early, polled(25, ['CANCELLED a']), polled(30, ['CREATED a'])],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'an event of another order came in between',
    [early, polled(25, ['CREATED b']), polled(30, ['CREATED a'])],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'the order was read before',
    [
      created(0, 'a'),
      read(0, 'a', 'CREATED'),
      moved(1, 'a', 'CANCELLED'),
      emitted(1, 'CANCELLED a'),
      polled(10, ['CANCELLED a']),
      acknowledged(20, ['CANCELLED a']),
      polled(30, ['CREATED a']),
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'the webhook of CREATED was in flight',
    [
      cancelled,
      webhookAround(
        5,
        'CREATED a',
        [polled(10, ['CANCELLED a']), acknowledged(20, ['CANCELLED a'])],
        { took: 25 },
      ),
    ],
    'passed',
  ],
  [
    'ORD-EVR-04',
    'both came by webhook',
    [cancelled, webhook(10, 'CANCELLED a'), webhook(30, 'CREATED a')],
    'passed',
  ],
  ['ORD-CAN-02', 'a call in flight', [both, confirm(1020)], 'passed'],
  [
    'ORD-CAN-02',
    'the order was started',
    [both, confirm(1021)],
    [[started(), 'a', [10, 30, 1021]]],
  ],
  [
    'ORD-CAN-02',
    'the order was started before CREATED came',
    [early, confirm(1021)],
    [[started(''), 'a', [10, 1021]]],
  ],
  [
    'ORD-CAN-02',
    'each operation is reported once',
    [both, confirm(1021), confirm(1022), call(1023, 'setOrderPreparing a')],
    [
      [started(), 'a', [10, 30, 1021]],
      [started(undefined, 'reported o1 as being prepared'), 'a', [10, 30, 1023]],
    ],
  ],
  ['ORD-CAN-02', 'another order was', [both, call(1021, 'confirmOrder b')], 'passed'],
  [
    'ORD-CAN-02',
    'the host did not cancel it',
    [created(0, 'a'), emitted(0, 'CANCELLED a'), early.slice(1), confirm(5000)],
    'not-exercised',
  ],
  [
    'ORD-EVR-04',
    'the first acknowledgment counts',
    [both, acknowledged(900, ['CANCELLED a']), confirm(1021)],
    [[started(), 'a', [10, 30, 1021]]],
  ],
])

nearMisses(
  earlyCancellationIsRemembered,
  [
    [
      'ORD-CAN-02',
      'it may have been in flight',
      [both, confirm(1220)],
      [[/confirmed o1 1.2 s after/, 'a', [10, 30, 1220], 'inconclusive']],
    ],
    [
      'ORD-CAN-02',
      'it was not',
      [both, confirm(1221)],
      [[/confirmed o1 1.2 s after/, 'a', [10, 30, 1221]]],
    ],
  ],
  { lagMs: 100 },
)
