/** Near misses of RT-3. */
import {
  call,
  created,
  every,
  polled,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { retriesComeToAnEnd } from './retries-come-to-an-end.ts'

const order = created(0, 'a')
const tries = (times: readonly number[], status = 503): Steps => [
  order,
  times.map((at) => call(at, 'confirmOrder a', status)),
]
const paused = (...pauses: readonly number[]): readonly number[] =>
  [0, ...pauses].map((_, index) => pauses.slice(0, index).reduce((sum, ms) => sum + ms, 0))
const tried = (count: number, reply = 'a 503'): string =>
  `The service tried confirmOrder of o1 ${count} times without a pause of 10 s or growing pauses, the last time after ${reply}; the limit is 6 tries.`
const seven = every(1000, 7)
const slow = paused(1000, 1000, 1000, 2000, 2000, 2000, 2000, 100, 100)

nearMisses(retriesComeToAnEnd, [
  ['TRN-STA-12', 'one try', tries([0]), 'not-exercised'],
  ['TRN-STA-12', 'six tries', tries(every(1000, 6)), 'passed'],
  ['TRN-STA-12', 'seven', tries(seven), [[tried(7), 'a', seven]]],
  ['TRN-STA-12', 'more is reported once', tries(every(1000, 10)), [[tried(7), 'a', seven]]],
  [
    'TRN-STA-12',
    'the seventh succeeds',
    [tries(every(1000, 6)), call(6000, 'confirmOrder a')],
    [[tried(7), 'a', seven]],
  ],
  [
    'TRN-STA-12',
    'the reply to the sixth is named',
    [
      tries(every(1000, 5)),
      [5000, 6000].map((at) => call(at, 'confirmOrder a', at === 5000 ? 500 : 503)),
    ],
    [[tried(7, 'a 500'), 'a', seven]],
  ],
  [
    'TRN-STA-12',
    'one succeeded in between',
    [
      tries(every(1000, 3)),
      call(3000, 'confirmOrder a'),
      every(1000, 6, 4000).map((at) => call(at, 'confirmOrder a', 503)),
    ],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'one was refused for good in between',
    [
      tries(every(1000, 3)),
      call(3000, 'confirmOrder a', 422),
      every(1000, 6, 4000).map((at) => call(at, 'confirmOrder a', 503)),
    ],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a pause of ten seconds in between',
    tries([...every(1000, 3), ...every(1000, 6, 12_000)]),
    'passed',
  ],
  [
    'TRN-STA-12',
    'a pause of nearly ten seconds',
    tries([0, 9999, 10_000, 10_001, 10_002, 10_003, 10_004]),
    [[tried(7), 'a', [0, 9999, 10_000, 10_001, 10_002, 10_003, 10_004]]],
  ],
  [
    'TRN-STA-12',
    'pauses that grow by a third',
    tries(paused(1000, 1000, 1000, 1300, 1300, 1300)),
    'passed',
  ],
  [
    'TRN-STA-12',
    'pauses that grow by less',
    tries(paused(1000, 1000, 1000, 1300, 1300, 1299)),
    [[tried(7), 'a', paused(1000, 1000, 1000, 1300, 1300, 1299)]],
  ],
  [
    'TRN-STA-12',
    'pauses that no longer grow; the last eight tries are shown',
    tries(slow),
    [[tried(10), 'a', slow.slice(2)]],
  ],
  [
    'TRN-STA-12',
    'they may all be as long as the limit',
    tries(paused(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1000, 1000)),
    'passed',
  ],
  ['TRN-STA-12', 'without any pause', tries(every(0, 7)), [[tried(7), 'a', every(0, 7)]]],
  [
    'ORD-OPS-03',
    'a webhook in between is a reason of its own',
    [
      tries(every(1000, 3)),
      webhook(2500, 'CREATED a'),
      every(1000, 4, 3000).map((at) => call(at, 'confirmOrder a', 503)),
    ],
    'passed',
  ],
  [
    'ORD-OPS-03',
    'the one before is the reason of the first try',
    [order, webhook(0, 'CREATED a'), seven.map((at) => call(at, 'confirmOrder a', 503))],
    [[tried(7), 'a', seven]],
  ],
  [
    'ORD-OPS-03',
    'eight tries with one webhook',
    [
      tries(every(1000, 3)),
      webhook(2500, 'CREATED a'),
      every(1000, 5, 3000).map((at) => call(at, 'confirmOrder a', 503)),
    ],
    [[tried(8), 'a', every(1000, 8)]],
  ],
  [
    'ORD-OPS-01',
    'polls and acknowledgments repeat by design',
    every(1000, 8).map((at) => [
      polled(at, [], { status: 503 }),
      call(at, 'acknowledgeEvents', 503),
    ]),
    'not-exercised',
  ],
])

const nearly = paused(9800, 100, 100, 100, 100, 100)
const sooner = paused(9799, 100, 100, 100, 100, 100)

nearMisses(
  retriesComeToAnEnd,
  [
    [
      'TRN-STA-12',
      'our lag may have shortened the pause',
      tries(nearly),
      [[tried(7), 'a', nearly, 'inconclusive']],
    ],
    ['TRN-STA-12', 'it cannot have', tries(sooner), [[tried(7), 'a', sooner]]],
    [
      'TRN-STA-12',
      'our lag may have shortened the later pauses',
      tries(paused(1000, 1000, 1000, 1100, 1100, 1100)),
      [[tried(7), 'a', paused(1000, 1000, 1000, 1100, 1100, 1100), 'inconclusive']],
    ],
    [
      'TRN-STA-12',
      'not by so much',
      tries(paused(1000, 1000, 1000, 1100, 1100, 1098)),
      [[tried(7), 'a', paused(1000, 1000, 1000, 1100, 1100, 1098)]],
    ],
  ],
  { lagMs: 100 },
)
