/** Near misses of TK-1. */
import { call, token, type More } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { oneTokenPerRejection } from './one-token-per-rejection.ts'

const tokens = (...times: readonly number[]): Steps =>
  times.map((at, index) => token(at, `t${index + 1}`))
const together =
  'requested a token while its request for the same token was in progress or had just been answered.'
const needless = (after: string): string =>
  `requested another token ${after} after it had received one (a 200) that had not been rejected, and not for the first time.`
const none = undefined
const rejected = (at: number, name: string): Steps => call(at, 'getOrder a', 401, { token: name })
const lasting = (expires_in: unknown): More => ({ answer: { access_token: 't', expires_in } })
const other = { body: 'grant_type=client_credentials&client_id=other' }
const fault = 'slow on req(issueToken)'

nearMisses(oneTokenPerRejection, [
  ['AUT-TOK-03', 'one token', tokens(0), 'passed'],
  ['AUT-TOK-03', 'another within a moment', tokens(0, 999), [[together, none, [0, 999]]]],
  ['AUT-TOK-03', 'another after a moment, as after a restart', tokens(0, 1000), 'passed'],
  ['AUT-TOK-03', 'it is reported once', tokens(0, 1, 2), [[together, none, [0, 1]]]],
  [
    'AUT-TOK-03',
    'another with other credentials',
    [tokens(0), token(1, 't2', other), token(2, 't3', { to: 'delivery-platform' })],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'another at another address',
    [tokens(0), token(1, 't2', { origin: 'http://other.test' })],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'a third within a minute of the second',
    tokens(0, 5000, 64_999),
    [[needless('60 s'), none, [5000, 64_999]]],
  ],
  ['AUT-TOK-03', 'a third later than that', tokens(0, 5000, 65_000), 'passed'],
  [
    'AUT-TOK-03',
    'half of the lifetime is over',
    [token(0, 't1'), token(5000, 't2', lasting(20)), token(15_000, 't3')],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'it is not',
    [token(0, 't1'), token(5000, 't2', lasting(20)), token(14_999, 't3')],
    [[needless('10 s'), none, [5000, 14_999]]],
  ],
  ...[undefined, 'soon'].map(
    (lifetime) =>
      [
        'AUT-TOK-03',
        `a lifetime of ${lifetime} is an hour`,
        [
          [token(0, 't1', lasting(lifetime)), token(1_799_000, 't2', lasting(lifetime))],
          [token(1_799_000 + 10_000, 't3')],
        ],
        [[needless('10 s'), none, [1_799_000, 1_809_000]]],
      ] as const,
  ),
  [
    'AUT-TOK-03',
    'after half an hour of an hour',
    [token(0, 't1', lasting(undefined)), tokens(1_800_000, 1_810_000)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the last token was rejected',
    [tokens(0, 5000), rejected(6000, 't2'), token(6001, 't3')],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'an earlier one was',
    [tokens(0, 5000), rejected(6000, 't1'), token(6100, 't3')],
    [[needless('1.1 s'), none, [5000, 6100]]],
  ],
  [
    'AUT-TOK-04',
    'one that it never got was',
    [tokens(0, 5000), rejected(6000, 't9'), token(6100, 't3')],
    [[needless('1.1 s'), none, [5000, 6100]]],
  ],
  [
    'AUT-TOK-04',
    'a call was refused for another reason',
    [tokens(0, 5000), call(6000, 'getOrder a', 403, { token: 't2' }), token(6100, 't3')],
    [[needless('1.1 s'), none, [5000, 6100]]],
  ],
  [
    'AUT-TOK-04',
    'a rejection justifies one token',
    [tokens(0, 5000), rejected(6000, 't2'), token(6001, 't3'), token(8000, 't4')],
    [[needless('2 s'), none, [5000, 6001, 8000]]],
  ],
  ['AUT-TOK-03', 'the request failed', [token(0, '', { status: 503 }), token(1, 't2')], 'passed'],
  [
    'AUT-TOK-03',
    'a fault distorted the reply',
    [token(0, 't1', { fault }), token(1, 't2')],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'two requests overlap',
    [token(0, '', { status: 503, took: 1000 }), token(999, 't2', { took: 1000 })],
    [[together, none, [0, 999]]],
  ],
  [
    'AUT-TOK-03',
    'the second begins at the end of the first, which failed',
    [token(0, '', { status: 503, took: 1000 }), token(1000, 't2', { took: 1000 })],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'one ends within the other',
    [token(400, '', { status: 503, took: 100 }), token(0, 't2', { took: 600 })],
    [[together, none, [400, 0]]],
  ],
  [
    'AUT-TOK-03',
    'one begins at the end of the other',
    [token(600, '', { status: 503 }), token(0, 't2', { took: 600 })],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'they overlap because a fault delayed the first',
    [token(0, '', { status: 503, took: 5000, fault }), token(1000, 't2', { took: 5000 })],
    'passed',
  ],
  [
    'AUT-TOK-03',
    'a fault delayed the first, and they began at the same time',
    [token(0, '', { status: 503, took: 5000, fault }), token(999, 't2', { took: 5000 })],
    [[together, none, [0, 999]]],
  ],
])

nearMisses(
  oneTokenPerRejection,
  [
    [
      'AUT-TOK-03',
      'our lag may have made it a moment',
      tokens(0, 800),
      [[together, none, [0, 800], 'inconclusive']],
    ],
    ['AUT-TOK-03', 'it was one', tokens(0, 799), [[together, none, [0, 799]]]],
    [
      'AUT-TOK-03',
      'they may not have overlapped',
      [token(0, '', { status: 503, took: 1000 }), token(800, 't2', { took: 1000 })],
      [[together, none, [0, 800], 'inconclusive']],
    ],
    [
      'AUT-TOK-03',
      'they did',
      [token(0, '', { status: 503, took: 1000 }), token(799, 't2', { took: 1000 })],
      [[together, none, [0, 799]]],
    ],
    [
      'AUT-TOK-03',
      'they did for as long as the second took',
      [token(0, '', { status: 503, took: 1000 }), token(790, 't2', { took: 210 })],
      [[together, none, [0, 790]]],
    ],
    [
      'AUT-TOK-03',
      'the reply may have come too late for the service',
      [tokens(0), token(5000, 't2', { took: 200 }), token(9000, 't3')],
      [[needless('3.8 s'), none, [5000, 9000], 'inconclusive']],
    ],
    [
      'AUT-TOK-03',
      'it took longer than that',
      [tokens(0), token(5000, 't2', { took: 201 }), token(9000, 't3')],
      [[needless('3.8 s'), none, [5000, 9000]]],
    ],
  ],
  { lagMs: 100 },
)

const atTheSameTime = [token(0, 't1', { took: 2500 }), token(500, 't2', { took: 2000 })]

nearMisses(
  oneTokenPerRejection,
  [
    [
      'AUT-TOK-03',
      'we were so late that the service may have given up the first',
      atTheSameTime,
      [[together, none, [0, 500], 'inconclusive']],
    ],
  ],
  { lagMs: 500 },
)

nearMisses(
  oneTokenPerRejection,
  [
    [
      'AUT-TOK-03',
      'we were late, but no service gives up so soon',
      atTheSameTime,
      [[together, none, [0, 500]]],
    ],
  ],
  { lagMs: 499 },
)
