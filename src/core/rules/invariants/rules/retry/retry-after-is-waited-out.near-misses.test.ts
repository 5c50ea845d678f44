/** Near misses of RT-4. */
import { call, created, type More } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { noon } from '../../../../../../test/support/transcript.ts'
import { retryAfterIsWaitedOut } from './retry-after-is-waited-out.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, order = 'a', more: More = {}): Steps =>
  call(at, `confirmOrder ${order}`, more.status ?? 202, more)
const asked = (at: number, order = 'a', retryAfter = '10', more: More = {}): Steps =>
  confirm(at, order, { status: 429, retryAfter, ...more })
const early = (after: string, order = 'o1', seconds = '10'): string =>
  `The service made confirmOrder of ${order} ${after} after a 429 with Retry-After: ${seconds}.`
const date = new Date(noon + 10_000).toUTCString()

nearMisses(retryAfterIsWaitedOut, [
  ['TRN-STA-10', 'the call comes again in time', [orders, asked(0), confirm(10_000)], 'passed'],
  ['TRN-STA-10', 'a tenth of a second early', [orders, asked(0), confirm(9900)], 'passed'],
  ['TRN-STA-10', 'by more', [orders, asked(0), confirm(9899)], [[early('9.9 s'), 'a', [0, 9899]]]],
  ['TRN-STA-10', 'at once', [orders, asked(0), confirm(0)], [[early('0 ms'), 'a', [0, 0]]]],
  [
    'TRN-STA-10',
    'before the reply had come',
    [orders, asked(0, 'a', '10', { took: 500 }), confirm(499, 'a', { took: 500 })],
    'passed',
  ],
  [
    'TRN-STA-10',
    'the time runs from the reply',
    [orders, asked(0, 'a', '10', { took: 500 }), confirm(10_399)],
    [[early('9.9 s'), 'a', [0, 10_399]]],
  ],
  ['TRN-STA-10', 'a date', [orders, asked(0, 'a', date), confirm(9900)], 'passed'],
  [
    'TRN-STA-10',
    'before a date',
    [orders, asked(0, 'a', date), confirm(9899)],
    [[`9.9 s after a 429 with Retry-After: ${date}`, 'a', [0, 9899]]],
  ],
  [
    'TRN-STA-10',
    'neither a number nor a date',
    [orders, asked(0, 'a', 'soon'), confirm(0)],
    'not-exercised',
  ],
  ['TRN-STA-10', 'no time at all', [orders, asked(0, 'a', '0'), confirm(0)], 'not-exercised'],
  [
    'TRN-STA-10',
    'of another order, which was in flight',
    [orders, asked(0), confirm(999, 'b')],
    'passed',
  ],
  [
    'TRN-STA-10',
    'of another order, a second later',
    [orders, asked(0), confirm(1000, 'b')],
    [[early('1 s', 'o2'), 'b', [0, 1000]]],
  ],
  [
    'TRN-STA-10',
    'another operation',
    [orders, asked(0), call(5000, 'setOrderPreparing a')],
    'passed',
  ],
  [
    'TRN-STA-10',
    'the same operation of another host',
    [orders, asked(0), confirm(5000, 'a', { origin: 'http://other.test' })],
    'passed',
  ],
  [
    'TRN-STA-10',
    'it is reported once for each reply',
    [orders, asked(0), confirm(1000), confirm(2000), asked(3000, 'a', '20'), confirm(4000)],
    [
      [early('1 s'), 'a', [0, 1000]],
      [early('1 s', 'o1', '20'), 'a', [3000, 4000]],
    ],
  ],
  [
    'TRN-STA-10',
    'a longer time that was asked for before still runs',
    [orders, asked(0, 'a', '100'), asked(100, 'b', '1'), confirm(5000)],
    [[early('5 s', 'o1', '100'), 'a', [0, 5000]]],
  ],
  [
    'TRN-STA-10',
    'the last four times are known',
    [
      orders,
      asked(0, 'a', '100'),
      [500, 500, 500].map((at) => asked(at, 'b', '1', { took: 400 })),
      confirm(5000),
    ],
    [[early('5 s', 'o1', '100'), 'a', [0, 5000]]],
  ],
  [
    'TRN-STA-10',
    'and no more',
    [
      [orders, asked(0, 'a', '100')],
      [[500, 500, 500, 500].map((at) => asked(at, 'b', '1', { took: 400 })), confirm(5000)],
    ],
    'passed',
  ],
  [
    'TRN-STA-10',
    'a success asks for nothing',
    [orders, confirm(0, 'a', { status: 200, retryAfter: '10' }), confirm(1)],
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'a 503 does',
    [orders, asked(0, 'a', '10', { status: 503 }), confirm(1)],
    [['1 ms after a 503 with Retry-After: 10', 'a', [0, 1]]],
  ],
  [
    'TRN-STA-10',
    'a poll waits too',
    [0, 5000].map((at) => call(at, 'pollingEvents', 429, { retryAfter: '10' })),
    [['The service made a poll 5 s after', undefined, [0, 5000]]],
  ],
])

nearMisses(
  retryAfterIsWaitedOut,
  [
    [
      'TRN-STA-10',
      'early by no more than our lag may explain',
      [orders, asked(0), confirm(9700)],
      [[early('9.7 s'), 'a', [0, 9700], 'inconclusive']],
    ],
    [
      'TRN-STA-10',
      'by more',
      [orders, asked(0), confirm(9699)],
      [[early('9.7 s'), 'a', [0, 9699]]],
    ],
    [
      'TRN-STA-10',
      'of another order, which may have been in flight',
      [orders, asked(0), confirm(1200, 'b')],
      [[early('1.2 s', 'o2'), 'b', [0, 1200], 'inconclusive']],
    ],
    [
      'TRN-STA-10',
      'of another order, which was not',
      [orders, asked(0), confirm(1201, 'b')],
      [[early('1.2 s', 'o2'), 'b', [0, 1201]]],
    ],
  ],
  { lagMs: 100 },
)
