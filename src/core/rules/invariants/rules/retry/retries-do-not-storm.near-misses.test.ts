/** Near misses of RT-1. */
import {
  call,
  created,
  every,
  polled,
  webhook,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { retriesDoNotStorm } from './retries-do-not-storm.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const tries = (times: readonly number[], status = 503, more: More = {}): Steps => [
  orders,
  times.map((at) => call(at, 'confirmOrder a', status, more)),
]
const tried = (count: number, within: string, reply = 'a 503'): string =>
  `The service tried confirmOrder of o1 ${count} times within ${within}, although the first try got ${reply}.`
/** An event of an account that the service sends, for an order. */
const sent = (at: number, eventId: string): Steps =>
  call(at, 'receiveAccountEvent', 503, { body: { eventId, orderId: 'a' } })
const five = [0, 600, 1200, 1800]

nearMisses(retriesDoNotStorm, [
  ['TRN-STA-12', 'one try', tries([0]), 'not-exercised'],
  ['TRN-STA-12', 'two tries at once', tries([0, 0]), 'passed'],
  ['TRN-STA-12', 'three in half a second', tries([0, 250, 500]), 'passed'],
  ['TRN-STA-12', 'three in less', tries([0, 250, 499]), [[tried(3, '499 ms'), 'a', [0, 250, 499]]]],
  ['TRN-STA-12', 'five in three seconds', tries([...five, 3000]), 'passed'],
  ['TRN-STA-12', 'five in less', tries([...five, 2999]), [[tried(5, '3 s'), 'a', [...five, 2999]]]],
  [
    'TRN-STA-12',
    'it is reported once for each call',
    tries(every(100, 6)),
    [[tried(3, '200 ms'), 'a', [0, 100, 200]]],
  ],
  [
    'TRN-STA-12',
    'the last succeeds',
    [tries([0, 1]), call(2, 'confirmOrder a')],
    [[tried(3, '2 ms'), 'a', [0, 1, 2]]],
  ],
  [
    'TRN-STA-12',
    'after a success a chain begins anew',
    [tries([0]), call(1, 'confirmOrder a'), [2, 3].map((at) => call(at, 'confirmOrder a', 503))],
    'passed',
  ],
  [
    'TRN-STA-12',
    'of two orders, and of two operations',
    [0, 1].map((at) => [
      [at === 0 ? orders : [], call(at, 'confirmOrder a', 503)],
      [call(at, 'confirmOrder b', 503), call(at, 'setOrderPreparing a', 503)],
    ]),
    'passed',
  ],
  [
    'TRN-STA-12',
    'each event that it sends is a call of its own',
    [orders, every(1, 5).map((at) => sent(at, `event-${at}`))],
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'the same event again and again',
    [orders, every(1, 3).map((at) => sent(at, 'event'))],
    [['The service tried receiveAccountEvent 3 times within 2 ms', undefined, every(1, 3)]],
  ],
  [
    'TRN-STA-12',
    'polls have rules of their own',
    every(1, 5).map((at) => polled(at, [], { status: 503 })),
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'acknowledgments have not',
    every(1, 3).map((at) => call(at, 'acknowledgeEvents', 503, { body: [`${at}`] })),
    [['tried an acknowledgment 3 times within 2 ms', undefined, [0, 1, 2]]],
  ],
  [
    'TRN-ERB-01',
    'what was refused for good is no failed call',
    tries([0, 1, 2], 422),
    'not-exercised',
  ],
  ['TRN-STA-10', 'a 429 is', tries([0, 1, 2], 429), [[tried(3, '2 ms', 'a 429'), 'a', [0, 1, 2]]]],
  ['TRN-STA-12', 'a 408 is', tries([0, 1, 2], 408), [[tried(3, '2 ms', 'a 408'), 'a', [0, 1, 2]]]],
  ['TRN-STA-12', 'a 425 is', tries([0, 1, 2], 425), [[tried(3, '2 ms', 'a 425'), 'a', [0, 1, 2]]]],
  ['TRN-STA-12', 'a 500 is', tries([0, 1, 2], 500), [[tried(3, '2 ms', 'a 500'), 'a', [0, 1, 2]]]],
  ['TRN-STA-12', 'a 499 is not', tries([0, 1, 2], 499), 'not-exercised'],
  [
    'TRN-STA-12',
    'no reply is',
    tries([0, 1, 2], 0),
    [[tried(3, '2 ms', 'no reply'), 'a', [0, 1, 2]]],
  ],
  [
    'TRN-STA-12',
    'an incomplete one is',
    tries([0, 1, 2], 200, { failure: 'TRUNCATED' }),
    [[tried(3, '2 ms', 'an incomplete reply'), 'a', [0, 1, 2]]],
  ],
  [
    'TRN-ERB-01',
    'a 422 that may be retried is',
    tries([0, 1, 2], 422, { answer: { error: { retryable: true } } }),
    [[tried(3, '2 ms', 'a 422'), 'a', [0, 1, 2]]],
  ],
  [
    'TRN-ERB-01',
    'a 503 that may not is not',
    tries([0, 1, 2], 503, { answer: { error: { retryable: false } } }),
    'not-exercised',
  ],
  ['AUT-TOK-04', 'a 401 is not', tries([0, 1, 2], 401), 'not-exercised'],
  [
    'ORD-OPS-04',
    'a GET that was refused is, since it may succeed later',
    [orders, [0, 1, 2].map((at) => call(at, 'getOrder a', 404))],
    [['tried the GET of o1 3 times within 2 ms, although the first try got a 404', 'a', [0, 1, 2]]],
  ],
  [
    'TRN-STA-12',
    'a call that began before the end of the last is no retry of it',
    [orders, [0, 1, 2].map((at) => call(at, 'confirmOrder a', 503, { took: 10 }))],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'a webhook in between is a reason of its own',
    [
      orders,
      call(0, 'confirmOrder a', 503),
      webhook(1, 'CREATED a'),
      [2, 3].map((at) => call(at, 'confirmOrder a', 503)),
    ],
    'passed',
  ],
  [
    'ORD-OPS-03',
    'the one before is the reason of the first try',
    [orders, webhook(0, 'CREATED a'), [0, 1, 2].map((at) => call(at, 'confirmOrder a', 503))],
    [[tried(3, '2 ms'), 'a', [0, 1, 2]]],
  ],
  [
    'ORD-OPS-03',
    'one about another order is none',
    [
      [orders, call(0, 'confirmOrder a', 503), webhook(1, 'CREATED b')],
      [2, 3].map((at) => call(at, 'confirmOrder a', 503)),
    ],
    [[tried(3, '3 ms'), 'a', [0, 2, 3]]],
  ],
  [
    'ORD-OPS-03',
    'with a webhook four at once are too many',
    [
      [orders, call(0, 'confirmOrder a', 503), webhook(1, 'CREATED a')],
      [2, 3, 4].map((at) => call(at, 'confirmOrder a', 503)),
    ],
    [[tried(4, '4 ms'), 'a', [0, 2, 3, 4]]],
  ],
])

nearMisses(
  retriesDoNotStorm,
  [
    [
      'TRN-STA-12',
      'by no more than our lag may explain',
      tries([0, 1, 300]),
      [[tried(3, '300 ms'), 'a', [0, 1, 300], 'inconclusive']],
    ],
    ['TRN-STA-12', 'by more', tries([0, 1, 299]), [[tried(3, '299 ms'), 'a', [0, 1, 299]]]],
    [
      'TRN-STA-12',
      'one limit by no more and the other by more',
      tries([0, 600, 1790, 1900, 2100]),
      [[tried(5, '2.1 s'), 'a', [0, 600, 1790, 1900, 2100]]],
    ],
  ],
  { lagMs: 100 },
)
