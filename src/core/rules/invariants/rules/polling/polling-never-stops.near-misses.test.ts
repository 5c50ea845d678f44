/** Near misses of PO-1. */
import {
  emitted,
  every,
  faultAdded,
  faultFired,
  polled,
  token,
  type More,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { pollingNeverStops } from './polling-never-stops.ts'

const polls = (...times: readonly number[]): Steps => times.map((at) => polled(at, []))
/** The last of four polls, and what is known of it. */
const fourth = (more: More = {}): Steps => [polls(0, 1000, 2000), polled(3000, [], more)]
const paused = (seconds: string, usual: string, end = 'its last poll got a reply'): string =>
  `The service did not poll for ${seconds} s; its usual pause is ${usual} s, and ${end}.`
const stopped = (seconds: string, end = 'its last poll got a reply'): string =>
  `The service has not polled for ${seconds} s; ${end}.`
const none = undefined
const hang = { distortion: { effect: false, end: 'hang' } } as const

nearMisses(pollingNeverStops, [
  ['ORD-OPS-01', 'one poll', [polls(0), { at: 10_000 }], 'not-exercised'],
  ['ORD-OPS-01', 'one poll, and the next may still come', [polls(0), { at: 120_000 }], 'open'],
  [
    'ORD-OPS-01',
    'one poll, and then nothing',
    [polls(0), { at: 120_001 }],
    [[stopped('120'), none, [0]]],
  ],
  ['ORD-OPS-01', 'three polls show no interval', polls(0, 1000, 2000, 122_000), 'passed'],
  [
    'ORD-OPS-01',
    'a pause that is too long for any interval',
    polls(0, 1000, 2000, 122_001),
    [[paused('120', '1'), none, [2000, 122_001]]],
  ],
  [
    'ORD-OPS-01',
    'after four polls the pause is as long as the grace',
    [fourth(), polls(13_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'it is longer than that',
    [fourth(), polls(13_001)],
    [[paused('10', '1'), none, [3000, 13_001]]],
  ],
  ['ORD-OPS-01', 'the last poll is as long ago as the grace', [fourth(), { at: 13_000 }], 'passed'],
  ['ORD-OPS-01', 'it is longer ago', [fourth(), { at: 13_001 }], [[stopped('10'), none, [3000]]]],
  ['ORD-OPS-01', 'a fault is in force', [fourth(), faultAdded(3500), { at: 40_000 }], 'open'],
  [
    'ORD-OPS-01',
    'of a long interval the pause is the threefold',
    polls(...every(5000, 4), 30_000),
    'passed',
  ],
  [
    'ORD-OPS-01',
    'it is longer than that',
    polls(...every(5000, 4), 30_001),
    [[paused('15', '5'), none, [15_000, 30_001]]],
  ],
  [
    'ORD-OPS-01',
    'the interval is the median of its pauses',
    polls(0, 6000, 7000, 12_000, 27_001),
    [[paused('15', '5'), none, [12_000, 27_001]]],
  ],
  [
    'ORD-OPS-01',
    'the interval is the median of its last 15 pauses',
    polls(...every(9000, 9), ...every(1000, 8, 73_000), 90_001),
    [[paused('10', '1'), none, [80_000, 90_001]]],
  ],
  [
    'ORD-OPS-01',
    'a pause begins at the end of a poll',
    [polls(0, 1000, 2000), polled(3000, [], { took: 500 }), polls(13_500)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'polls that overlap have no pause between them',
    [polled(500, [], { took: 100 }), polled(0, [], { took: 900 })],
    'not-exercised',
  ],
  [
    'ORD-OPS-01',
    'of polls that overlap the one that ends last begins the pause',
    [
      polls(0, 1000, 2000),
      [polled(3000, [], { took: 100 }), polled(2999, [], { took: 1000 })],
      polls(13_999),
    ],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'after a failed poll there is time to recover',
    [fourth({ status: 503 }), polls(123_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'not for ever',
    [fourth({ status: 503 }), polls(123_001)],
    [[paused('120', '1', 'its last poll got a 503'), none, [3000, 123_001]]],
  ],
  [
    'ORD-OPS-01',
    'that time begins when Retry-After is over',
    [fourth({ status: 503, retryAfter: '10' }), polls(133_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'it ends then',
    [fourth({ status: 503, retryAfter: '10' }), polls(133_001)],
    [[paused('120', '1', 'its last poll got a 503 with Retry-After: 10'), none, [3000, 133_001]]],
  ],
  [
    'ORD-OPS-01',
    'after a failed poll a pause that is no longer than usual',
    [fourth({ status: 503 }), { at: 13_000 }],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'after a failed poll a longer pause may still end',
    [fourth({ status: 503 }), { at: 13_001 }],
    'open',
  ],
  [
    'ORD-OPS-01',
    'it may still end while webhooks are answered',
    [
      fourth({ status: 503 }),
      emitted(4000, 'CREATED a'),
      webhook(5000, 'CREATED a'),
      webhook(50_000, 'CREATED a'),
      { at: 60_000 },
    ],
    'open',
  ],
  [
    'ORD-OPS-01',
    'webhooks take the place of no poll',
    [
      fourth({ status: 503 }),
      emitted(4000, 'CREATED a'),
      webhook(5000, 'CREATED a'),
      webhook(120_000, 'CREATED a'),
      { at: 123_001 },
    ],
    [[stopped('120', 'its last poll got a 503'), none, [3000]]],
  ],
  [
    'ORD-OPS-01',
    'a slow poll loop lives after a failed poll',
    [
      polls(...every(30_000, 4)),
      polled(120_000, [], { status: 503 }),
      webhook(150_000, 'CREATED a'),
      { at: 210_000 },
    ],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a hung poll counts from its start',
    [fourth({ status: 0, took: 60_000 }), polls(123_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a hung poll counts from its start, and no further',
    [fourth({ status: 0, took: 60_000 }), polls(123_001)],
    [[paused('120', '1', 'its last poll got no reply'), none, [3000, 123_001]]],
  ],
  [
    'ORD-OPS-01',
    'a poll that broke off counts from its end',
    [fourth({ status: 0, took: 60_000, failure: 'RESET' }), polls(183_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a fault distorted the poll',
    [fourth({ fault: 'slow on req(pollingEvents)' }), polls(123_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a fault was active, on another call',
    [fourth(), faultFired(3000, 'req(getOrder,o1)'), polls(33_000)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a fault was active, on another call, and the pause is too long for that too',
    [fourth(), faultFired(3000, 'req(getOrder,o1)'), polls(33_001)],
    [[paused('30', '1'), none, [3000, 33_001]]],
  ],
  ...['req(pollingEvents)', 'req(issueToken)'].flatMap((on) => [
    [
      'ORD-OPS-01',
      `${on} was distorted`,
      [fourth(), faultFired(3500, on), polls(123_500)],
      'passed',
    ] as const,
    [
      'ORD-OPS-01',
      `${on} was distorted, too long ago`,
      [fourth(), faultFired(3500, on), polls(123_501)],
      [[paused('120', '1'), none, [3000, 123_501]]],
    ] as const,
    [
      'ORD-OPS-01',
      `${on} was distorted before the last poll`,
      [polls(0, 1000, 2000), faultFired(2999, on), polls(3000, 33_001)],
      [[paused('30', '1'), none, [3000, 33_001]]],
    ] as const,
    [
      'ORD-OPS-01',
      `${on} was distorted as the last poll began`,
      [polls(0, 1000, 2000), faultFired(3000, on), polls(3000, 123_000)],
      'passed',
    ] as const,
  ]),
  [
    'ORD-OPS-01',
    'a token request failed after the last poll',
    [fourth(), token(3500, '', { status: 503 }), polls(123_500)],
    'passed',
  ],
  [
    'ORD-OPS-01',
    'a token request succeeded',
    [fourth(), token(3500, 't2'), polls(13_001)],
    [[paused('10', '1'), none, [3000, 13_001]]],
  ],
  [
    'ORD-OPS-01',
    'a poll hangs and was not given up',
    [fourth(), faultFired(4000, 'req(pollingEvents,o1)', hang), { at: 124_001 }],
    [[stopped('121', 'its last poll was never answered'), none, [3000]]],
  ],
  [
    'ORD-OPS-01',
    'another call hangs',
    [fourth(), faultFired(4000, 'req(getOrder,o1)', hang), { at: 124_001 }],
    [[stopped('121'), none, [3000]]],
  ],
  [
    'ORD-OPS-01',
    'a token request hangs',
    [fourth(), faultFired(4000, 'req(issueToken)', hang), { at: 124_001 }],
    [[stopped('121'), none, [3000]]],
  ],
  [
    'ORD-OPS-01',
    'a poll was distorted in another way',
    [fourth(), faultFired(4000, 'req(pollingEvents,o1)'), { at: 124_001 }],
    [[stopped('121'), none, [3000]]],
  ],
  [
    'ORD-OPS-01',
    'a poll hung and was given up',
    [
      fourth(),
      faultFired(4000, 'req(pollingEvents,o1)', hang),
      polled(4000, [], { status: 0, took: 10_000 }),
      { at: 124_001 },
    ],
    [[stopped('110', 'its last poll got no reply'), none, [4000]]],
  ],
])
