/** Near misses of RT-8. */
import { call, created, moved, type More } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { secondFailuresAreHandledToo } from './second-failures-are-handled-too.ts'

const due = 120_000
const late = due + 1
const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, status: number, more: More = {}): Steps =>
  call(at, 'confirmOrder a', status, more)
const both = (first: number, second: number, more: More = {}): Steps => [
  [orders, confirm(0, first)],
  confirm(1000, second, more),
]
const gaveUp = (first: string, second: string, ago = '120 s'): string =>
  `After ${first} the service got ${second} to confirmOrder of o1, and has not retried it for ${ago}.`
const same = (first = 'a 503'): string =>
  `After ${first} the service got a 401 to confirmOrder of o1, and repeated it with the same token.`

nearMisses(secondFailuresAreHandledToo, [
  ['TRN-STA-12', 'one failure', [orders, confirm(0, 503), { at: late }], 'not-exercised'],
  ['TRN-STA-12', 'two of one kind', [both(503, 500), { at: 1000 + late }], 'not-exercised'],
  ['TRN-STA-12', 'two of one kind, 429', [both(429, 429), { at: 1000 + late }], 'not-exercised'],
  ['TRN-STA-12', 'two kinds, until the deadline', [both(503, 429), { at: 1000 + due }], 'open'],
  [
    'TRN-STA-12',
    'a 429 after a 503',
    [both(503, 429), { at: 1000 + late }],
    [[gaveUp('a 503', 'a 429'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-12',
    'a 503 after a 429',
    [both(429, 503), { at: 1000 + late }],
    [[gaveUp('a 429', 'a 503'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-12',
    'no reply after a 503',
    [both(503, 0), { at: 1000 + late }],
    [[gaveUp('a 503', 'no reply'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-12',
    'a 503 after no reply',
    [both(0, 503), { at: 1000 + late }],
    [[gaveUp('no reply', 'a 503'), 'a', [0, 1000]]],
  ],
  [
    'AUT-TOK-04',
    'a 401 after a 503',
    [both(503, 401), { at: 1000 + late }],
    [[gaveUp('a 503', 'a 401'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-10',
    'Retry-After is not over for so long',
    [both(503, 429, { retryAfter: '10' }), { at: 11_000 + due }],
    'open',
  ],
  [
    'TRN-STA-10',
    'it is',
    [both(503, 429, { retryAfter: '10' }), { at: 11_000 + late }],
    [[gaveUp('a 503', 'a 429 with Retry-After: 10', '130 s'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-12',
    'a third try succeeds',
    [both(503, 429), confirm(2000, 202), { at: late }],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'a third try is refused',
    [both(503, 429), confirm(2000, 422), { at: 3000 + late }],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a third fails as the second did',
    [both(503, 429), confirm(2000, 429), { at: 2000 + late }],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a third fails as the first did',
    [both(503, 429), confirm(2000, 503), { at: 2000 + late }],
    [[gaveUp('a 503', 'a 503'), 'a', [0, 2000]]],
  ],
  [
    'TRN-STA-12',
    'the order has moved on',
    [both(503, 429), moved(2000, 'a', 'CONFIRMED'), { at: 1000 + late }],
    'passed',
  ],
  [
    'TRN-STA-12',
    'another order was confirmed',
    [both(503, 429), call(2000, 'confirmOrder b'), { at: 1000 + late }],
    [[gaveUp('a 503', 'a 429'), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-12',
    'of two orders each failed once',
    [orders, confirm(0, 503), call(1000, 'confirmOrder b', 429), { at: 1000 + late }],
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'a try that had begun before the end of the first',
    [
      orders,
      confirm(0, 503, { took: 1000 }),
      confirm(999, 429, { took: 1000 }),
      { at: 2000 + late },
    ],
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'a try that began then',
    [
      orders,
      confirm(0, 503, { took: 1000 }),
      confirm(1000, 429, { took: 1000 }),
      { at: 2000 + late },
    ],
    [[gaveUp('a 503', 'a 429'), 'a', [0, 1000]]],
  ],
  [
    'AUT-TOK-04',
    'after a 401 it comes with another token',
    [both(503, 401), confirm(2000, 202, { token: 't2' })],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'after a 401 it comes with the same token',
    [both(503, 401), confirm(2000, 202)],
    [[same(), 'a', [0, 1000, 2000]]],
  ],
  [
    'AUT-TOK-04',
    'after a 401 alone belongs to another rule',
    [orders, confirm(0, 401), confirm(1000, 202)],
    'not-exercised',
  ],
  ['AUT-TOK-04', 'a 503 came last', [both(401, 503), confirm(2000, 202)], 'passed'],
  [
    'AUT-TOK-04',
    'a new token was rejected as well: there is nothing more to do',
    [
      both(503, 401),
      confirm(2000, 503, { token: 't2' }),
      [3000, 4000].map((at) => confirm(at, 401, { token: 't2' })),
    ],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'a call that no order needs',
    [
      orders,
      [503, 429].map((status, index) => call(index * 1000, 'requestCancellation a', status)),
      { at: 1000 + late },
    ],
    'not-exercised',
  ],
])

nearMisses(
  secondFailuresAreHandledToo,
  [
    [
      'AUT-TOK-04',
      'it may have been sent before the 401 came',
      [both(503, 401), confirm(1200, 202)],
      [[same(), 'a', [0, 1000, 1200], 'inconclusive']],
    ],
    [
      'AUT-TOK-04',
      'it cannot have',
      [both(503, 401), confirm(1201, 202)],
      [[same(), 'a', [0, 1000, 1201]]],
    ],
  ],
  { lagMs: 100 },
)
