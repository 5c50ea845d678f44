/** Near misses of PO-2. */
import { every, polled } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { pollsKeepTheirDistance } from './polls-keep-their-distance.ts'

const polls = (...times: readonly number[]): Steps => times.map((at) => polled(at, []))
const early = (ms: number): string =>
  `The service polled again after ${ms} ms, and not for the first time; the minimum interval is 500 ms.`
const none = undefined

nearMisses(pollsKeepTheirDistance, [
  ['TRN-STA-10', 'one poll', polls(0), 'not-exercised'],
  ['TRN-STA-10', 'polls at the minimum interval', polls(...every(500, 5)), 'passed'],
  ['TRN-STA-10', 'one of them comes early', polls(0, 499), 'passed'],
  ['TRN-STA-10', 'two do', polls(...every(499, 3)), [[early(499), none, [0, 499, 998]]]],
  [
    'TRN-STA-10',
    'the second of them within a minute of the first',
    polls(0, 499, 60_000, 60_499),
    [[early(499), none, [0, 499, 60_000, 60_499]]],
  ],
  ['TRN-STA-10', 'the second of them later than that', polls(0, 499, 60_001, 60_500), 'passed'],
  [
    'TRN-STA-10',
    'it is reported once a minute',
    polls(0, 100, 200, 300, 59_900, 60_000),
    [
      [early(100), none, [0, 100, 200]],
      [early(100), none, [200, 300, 59_900, 60_000]],
    ],
  ],
  [
    'AUT-TOK-04',
    'after a 401 a poll may be repeated at once',
    [0, 1, 2].map((at) => polled(at, [], { status: 401 })),
    'not-exercised',
  ],
  [
    'TRN-STA-10',
    'after a 503 it may not',
    [0, 100, 200].map((at) => polled(at, [], { status: 503 })),
    [[early(100), none, [0, 100, 200]]],
  ],
  [
    'TRN-STA-10',
    'polls that overlap are as far apart as they began',
    [
      [polled(400, []), polled(0, [], { took: 1000 })],
      [polled(5000, []), polled(4600, [], { took: 1000 })],
    ],
    [[early(400), none, [400, 0, 5000, 4600]]],
  ],
])

nearMisses(
  pollsKeepTheirDistance,
  [
    [
      'TRN-STA-10',
      'both are early by more than our lag',
      polls(0, 299, 598),
      [[early(299), none, [0, 299, 598]]],
    ],
    [
      'TRN-STA-10',
      'one of both is not',
      polls(0, 299, 599),
      [[early(300), none, [0, 299, 599], 'inconclusive']],
    ],
    [
      'TRN-STA-10',
      'the first of both is not',
      polls(0, 300, 599),
      [[early(299), none, [0, 300, 599], 'inconclusive']],
    ],
    [
      'TRN-STA-10',
      'one that is beyond doubt counts for its minute',
      polls(0, 200, 500, 10_000, 10_200),
      [
        [early(200), none, [0, 200, 10_000, 10_200]],
        [early(300), none, [0, 200, 500], 'inconclusive'],
      ],
    ],
    [
      'TRN-STA-10',
      'one that is beyond doubt takes the place of one that is not',
      polls(0, 300, 10_000, 10_200, 20_000, 20_200),
      [
        [early(200), none, [10_000, 10_200, 20_000, 20_200]],
        [early(200), none, [0, 300, 10_000, 10_200], 'inconclusive'],
      ],
    ],
  ],
  { lagMs: 100 },
)
