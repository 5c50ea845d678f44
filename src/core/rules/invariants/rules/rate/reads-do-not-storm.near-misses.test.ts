/** Near misses of RC-1. */
import {
  call,
  created,
  every,
  read,
  webhook,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { readsDoNotStorm } from './reads-do-not-storm.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const reads = (times: readonly number[], order = 'a', more: More = {}): Steps =>
  times.map((at) => read(at, order, 'CREATED', more))
const accounts = (query: string, times: readonly number[]): Steps =>
  times.map((at) => call(at, 'getAccount', 200, { query }))
const nine = every(374, 9)
const often = 'The service read o1 9 times within 3 s, each time with success.'

nearMisses(readsDoNotStorm, [
  ['ORD-OPS-04', 'one read', [orders, reads([0])], 'not-exercised'],
  ['ORD-OPS-04', 'eight reads at once', [orders, reads(every(0, 8))], 'passed'],
  ['ORD-OPS-04', 'nine in three seconds', [orders, reads(every(375, 9))], 'passed'],
  ['ORD-OPS-04', 'nine in less', [orders, reads(nine)], [[often, 'a', nine]]],
  [
    'ORD-OPS-04',
    'more is reported once for each order',
    [orders, reads(every(374, 12))],
    [[often, 'a', nine]],
  ],
  ['ORD-OPS-04', 'of two orders', [orders, reads(every(0, 8)), reads(every(0, 8), 'b')], 'passed'],
  ['ORD-OPS-04', 'that fail', [orders, reads(every(0, 20), 'a', { status: 503 })], 'not-exercised'],
  [
    'ORD-OPS-04',
    'nine with a webhook in that time',
    [orders, webhook(0, 'CREATED a'), reads(nine)],
    'passed',
  ],
  [
    'ORD-OPS-04',
    'nine with a webhook before',
    [orders, webhook(0, 'CREATED a'), reads(every(374, 9, 1))],
    [[often, 'a', every(374, 9, 1)]],
  ],
  [
    'ORD-OPS-04',
    'nine with a webhook about another order',
    [orders, webhook(0, 'CREATED b'), reads(nine)],
    [[often, 'a', nine]],
  ],
  [
    'ORD-OPS-04',
    'ten with a webhook',
    [orders, webhook(0, 'CREATED a'), reads(every(300, 10))],
    [
      [
        'o1 10 times within 2.7 s, each time with success, while one webhook about it arrived in that time.',
        'a',
        every(300, 10),
      ],
    ],
  ],
  [
    'ORD-OPS-04',
    'eleven with two',
    [orders, webhook(0, 'CREATED a'), webhook(0, 'CREATED a'), reads(every(100, 11))],
    [
      [
        'o1 11 times within 1 s, each time with success, while 2 webhooks about',
        'a',
        every(100, 11),
      ],
    ],
  ],
  [
    'TRN-STA-10',
    'of one account',
    accounts('?identifier=12', nine),
    [['The service read getAccount 9 times within 3 s', undefined, nine]],
  ],
  [
    'TRN-STA-10',
    'of two accounts',
    [accounts('?identifier=12', every(0, 8)), accounts('?identifier=13', every(0, 8))],
    'passed',
  ],
])

nearMisses(
  readsDoNotStorm,
  [
    [
      'ORD-OPS-04',
      'in less than our lag may explain',
      [orders, reads(every(349, 9))],
      [['o1 9 times', 'a', every(349, 9)]],
    ],
    [
      'ORD-OPS-04',
      'in as much less as it may',
      [orders, reads(every(350, 9))],
      [['o1 9 times', 'a', every(350, 9), 'inconclusive']],
    ],
  ],
  { lagMs: 100 },
)
