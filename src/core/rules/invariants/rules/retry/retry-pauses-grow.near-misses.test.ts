/** Near misses of RT-2. */
import { call, created, polled, type More } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { retryPausesGrow } from './retry-pauses-grow.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const
const orders = names.map((order) => created(0, order))

const timesOf = (from: number, pauses: readonly number[]): readonly number[] =>
  [0, ...pauses].map((_, index) => from + pauses.slice(0, index).reduce((sum, ms) => sum + ms, 0))

/** The last try, and what all have in common. */
interface Last extends More {
  readonly last?: number
}

/** Tries of confirmOrder with these pauses between them. */
const tries = (order: string, from: number, pauses: readonly number[], more: Last = {}): Steps => {
  const { last = 503, ...rest } = more
  return timesOf(from, pauses).map((at, index) =>
    call(at, `confirmOrder ${order}`, index === pauses.length ? last : 503, rest),
  )
}

/** The same pauses for so many orders, each 100 s after the one before. */
const chains = (count: number, pauses: readonly number[], more: Last = {}): Steps =>
  names.slice(0, count).map((order, index) => tries(order, index * 100_000, pauses, more))

const even = [1000, 1000, 1000]
/** With the first so many chains evenly paced, the shown tries of those from one to another. */
const shown = (from: number, to: number, pauses: readonly number[]): readonly number[] =>
  names.flatMap((_, index) => (index < from || index > to ? [] : timesOf(index * 100_000, pauses)))
const after = (pauses: string, order = 'o3'): string =>
  `The service retried confirmOrder of ${order} after ${pauses}, and other calls likewise: its pauses do not grow.`
const short = { last: 202 }

nearMisses(retryPausesGrow, [
  ['TRN-STA-12', 'two tries', [orders, chains(3, [1000])], 'not-exercised'],
  ['TRN-STA-12', 'four tries of two calls', [orders, chains(2, even)], 'passed'],
  [
    'TRN-STA-12',
    'four tries of three calls',
    [orders, chains(3, even)],
    [[after('1 s, 1 s, 1 s'), 'c', shown(0, 2, even)]],
  ],
  [
    'TRN-STA-12',
    'the last three calls are shown, and each call is reported once',
    [orders, chains(4, [1000, 1000, 1000, 1000])],
    [
      [after('1 s, 1 s, 1 s'), 'c', shown(0, 2, even)],
      [after('1 s, 1 s, 1 s', 'o4'), 'd', shown(1, 3, even)],
    ],
  ],
  [
    'TRN-STA-12',
    'the longest pause is nearly twice the shortest',
    [orders, chains(3, [1799, 1000, 1500])],
    [[after('1.8 s, 1 s, 1.5 s'), 'c', shown(0, 2, [1799, 1000, 1500])]],
  ],
  [
    'TRN-STA-12',
    'it is so much longer that it may have grown',
    [orders, chains(3, [1800, 1000, 1500])],
    'passed',
  ],
  [
    'TRN-STA-12',
    'one call was tried with growing pauses',
    [orders, tries('d', 0, [1000, 1000, 1800]), chains(3, even)],
    'passed',
  ],
  [
    'TRN-STA-12',
    'one call was tried with pauses that nearly grew',
    [orders, tries('d', 0, [1000, 1000, 1799]), tries('e', 0, even), tries('f', 50_000, even)],
    [
      [
        /of o6 after 1 s, 1 s, 1 s/,
        'f',
        [0, 1000, 2000, 3799, 0, 1000, 2000, 3000, 50_000, 51_000, 52_000, 53_000],
      ],
    ],
  ],
  ['TRN-STA-12', 'three tries of four calls', [orders, chains(4, [1000, 1000], short)], 'passed'],
  [
    'TRN-STA-12',
    'three tries of five calls',
    [orders, chains(5, [1000, 1000], short)],
    [[after('1 s, 1 s', 'o5'), 'e', shown(2, 4, [1000, 1000])]],
  ],
  [
    'TRN-STA-12',
    'four tries of two calls and three of one',
    [orders, chains(2, even), tries('c', 200_000, [1000, 1000], short)],
    [[after('1 s, 1 s'), 'c', [...shown(0, 1, even), ...timesOf(200_000, [1000, 1000])]]],
  ],
  [
    'TRN-STA-12',
    'three tries are given up, and a later one begins anew',
    [orders, chains(2, even), tries('c', 200_000, [1000, 1000, 10_000])],
    [[after('1 s, 1 s'), 'c', [...shown(0, 1, even), ...timesOf(200_000, [1000, 1000])]]],
  ],
  [
    'TRN-STA-12',
    'three tries with pauses that differ by a third',
    [orders, chains(5, [1000, 1300], short)],
    'passed',
  ],
  [
    'TRN-STA-12',
    'by less',
    [orders, chains(5, [1000, 1299], short)],
    [[after('1 s, 1.3 s', 'o5'), 'e', shown(2, 4, [1000, 1299])]],
  ],
  [
    'TRN-STA-12',
    'three tries show growth when their pauses differ by more',
    [orders, tries('d', 0, [1000, 1600], short), chains(3, even)],
    'passed',
  ],
  [
    'TRN-STA-12',
    'by nearly as much',
    [orders, tries('d', 0, [1000, 1599], short), chains(3, even)],
    [[after('1 s, 1 s, 1 s'), 'c', shown(0, 2, even)]],
  ],
  [
    'TRN-STA-10',
    'the host asked for the pauses',
    [orders, chains(3, even, { retryAfter: '1' })],
    'not-exercised',
  ],
  [
    'TRN-STA-10',
    'the host asked for the pauses of three tries',
    [orders, chains(5, [1000, 1000], { ...short, retryAfter: '1' })],
    'not-exercised',
  ],
  [
    'AUT-TOK-04',
    'a token was rejected in between',
    [
      orders,
      chains(2, even),
      tries('c', 200_000, [1000]),
      call(201_500, 'confirmOrder c', 401),
      tries('c', 202_000, [1000]),
    ],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'polls and acknowledgments repeat by design',
    [0, 1000, 2000, 3000, 4000].map((at) => [
      polled(at, [], { status: 503 }),
      call(at, 'acknowledgeEvents', 503),
    ]),
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'pauses of no length do not grow',
    [orders, chains(3, [0, 0, 0])],
    [[after('0 ms, 0 ms, 0 ms'), 'c', shown(0, 2, [0, 0, 0])]],
  ],
])

/** First pauses of so many calls: each a little longer than the one before. */
const firsts = (count: number, byMs: number): Steps =>
  names
    .slice(0, count)
    .map((order, index) => tries(order, index, [1000 + (index === 1 ? byMs : 0)]))
const together =
  'retried 6 calls 1 s after each had failed, to the millisecond: calls that fail together are retried together.'
const inStep = (...last: readonly number[]): readonly number[] =>
  names.flatMap((_, index) => [index, 1000 + index + (last[index] ?? 0)])

nearMisses(retryPausesGrow, [
  [
    'TRN-STA-12',
    'five calls are retried after the same pause',
    [orders, firsts(5, 0)],
    'not-exercised',
  ],
  ['TRN-STA-12', 'six are', [orders, firsts(6, 0)], [[together, undefined, inStep(), 'advice']]],
  [
    'TRN-STA-12',
    'pauses that differ by less than a fiftieth',
    [orders, firsts(6, 19)],
    [[together, undefined, inStep(0, 19), 'advice']],
  ],
  ['TRN-STA-12', 'pauses that differ by as much', [orders, firsts(6, 20)], 'passed'],
  [
    'TRN-STA-12',
    'one call is no six',
    [orders, [0, 1, 2, 3, 4, 5, 6].map((index) => tries('a', index * 20_000, [1000]))],
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'without any pause',
    [orders, names.map((order, index) => tries(order, index, [0]))],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a call that is retried differently now counts as it is now',
    [orders, firsts(5, 0), tries('a', 20_000, [1500]), tries('f', 40_000, [1000])],
    'passed',
  ],
  [
    'TRN-STA-10',
    'the host asked for the pause of one',
    [orders, firsts(5, 0), tries('f', 40_000, [1000], { retryAfter: '1' })],
    'not-exercised',
  ],
])

nearMisses(
  retryPausesGrow,
  [
    [
      'TRN-STA-12',
      'so little that our lag may have made it',
      [orders, chains(3, [1000, 1600, 1600])],
      [[after('1 s, 1.6 s, 1.6 s'), 'c', shown(0, 2, [1000, 1600, 1600]), 'inconclusive']],
    ],
    [
      'TRN-STA-12',
      'it may have made one of three, and none of the next three',
      [orders, tries('d', 0, [1000, 1600, 1600]), tries('e', 1, even), chains(2, even)],
      [
        [after('1 s, 1 s, 1 s', 'o2'), 'b', [1, 1001, 2001, 3001, ...shown(0, 1, even)]],
        [
          after('1 s, 1 s, 1 s', 'o1'),
          'a',
          [0, 1000, 2600, 4200, 1, 1001, 2001, 3001, ...shown(0, 0, even)],
          'inconclusive',
        ],
      ],
    ],
    [
      'TRN-STA-12',
      'more than that',
      [orders, chains(3, [1000, 1599, 1599])],
      [[after('1 s, 1.6 s, 1.6 s'), 'c', shown(0, 2, [1000, 1599, 1599])]],
    ],
  ],
  { lagMs: 100 },
)
