/** Near misses of TK-2. */
import { call, created, token } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { rejectedTokensAreDropped } from './rejected-tokens-are-dropped.ts'

const orders = ['a', 'b', 'c', 'd', 'e'].map((order) => created(0, order))
const confirm = (at: number, status: number, name = 't1', order = 'a'): Steps =>
  call(at, `confirmOrder ${order}`, status, { token: name })
/** A call of each further order, at these times, with the rejected token. */
const others = (...times: readonly number[]): Steps =>
  times.map((at, index) => confirm(at, 401, 't1', 'bcde'[index]))
const used = (later: string): string =>
  `used a token 4 more times after it had been rejected, and was rejected each time, the last time ${later} later.`
const repeated = (before: string): string =>
  `repeated confirmOrder of o1 with the token that had been rejected ${before} before, although it had requested a new one.`
const renewed = [orders, token(0, 't1'), confirm(10, 401), token(20, 't2')]
const none = undefined

nearMisses(rejectedTokensAreDropped, [
  [
    'AUT-TOK-04',
    'no call was rejected',
    [orders, confirm(0, 202), confirm(0, 503)],
    'not-exercised',
  ],
  ['AUT-TOK-04', 'three uses later', [orders, confirm(0, 401), others(1000, 1001, 1002)], 'passed'],
  [
    'AUT-TOK-04',
    'four',
    [orders, confirm(0, 401), others(1000, 1001, 1002, 1003)],
    [[used('1 s'), none, [0, 1003]]],
  ],
  [
    'AUT-TOK-04',
    'it is reported once',
    [orders, confirm(0, 401), others(1000, 1001, 1002, 1003), confirm(1004, 401)],
    [[used('1 s'), none, [0, 1003]]],
  ],
  [
    'AUT-TOK-04',
    'four of which one was in flight',
    [orders, confirm(0, 401), others(999, 1000, 1001, 1002)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'uses that fail in another way do not count',
    [orders, confirm(0, 401), others(1000, 1001, 1002), confirm(1003, 503, 't1', 'e')],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'with a token of its own each',
    [
      orders,
      ['a', 'b', 'c', 'd', 'e'].map((order, index) =>
        confirm(index * 2000, 401, `t${index}`, order),
      ),
    ],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the host accepted it again',
    [
      orders,
      confirm(0, 401),
      others(1000, 1001),
      confirm(1002, 202),
      others(3000, 4001, 4002, 4003),
    ],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'a failure in between shows nothing of the token',
    [orders, confirm(0, 401), others(1000, 1001), confirm(1002, 503), others(3000, 4001)],
    [[used('4 s'), none, [0, 4001]]],
  ],
  ['AUT-TOK-04', 'the call came with the new token', [renewed, confirm(30, 202, 't2')], 'passed'],
  [
    'AUT-TOK-04',
    'the call came with the old one',
    [renewed, confirm(30, 401)],
    [[repeated('20 ms'), 'a', [10, 20, 30]]],
  ],
  [
    'AUT-TOK-04',
    'it did, again and again, reported once',
    [renewed, confirm(30, 401), confirm(5000, 401), confirm(9000, 401)],
    [[repeated('20 ms'), 'a', [10, 20, 30]]],
  ],
  [
    'AUT-TOK-04',
    'whatever the reply',
    [renewed, confirm(30, 202)],
    [[repeated('20 ms'), 'a', [10, 20, 30]]],
  ],
  ['AUT-TOK-04', 'another call did', [renewed, confirm(30, 401, 't1', 'b')], 'passed'],
  [
    'AUT-TOK-04',
    'a call that was rejected later as well',
    [renewed, confirm(30, 401, 't1', 'b'), token(40, 't3'), confirm(50, 401, 't1', 'b')],
    [
      [
        'repeated confirmOrder of o2 with the token that had been rejected 20 ms before',
        'b',
        [30, 40, 50],
      ],
    ],
  ],
  [
    'AUT-TOK-04',
    'there is no new token',
    [orders, token(0, 't1'), confirm(10, 401), confirm(30, 401)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the new one was requested before',
    [orders, token(0, 't1'), token(5, 't2'), confirm(10, 401), confirm(30, 401)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the request for it failed',
    [orders, token(0, 't1'), confirm(10, 401), token(20, '', { status: 503 }), confirm(30, 401)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the new one has other credentials',
    [
      orders,
      token(0, 't1'),
      confirm(10, 401),
      token(20, 't2', { body: 'client_id=other' }),
      confirm(30, 401),
    ],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the new one came after the call had begun',
    [
      [orders, token(0, 't1'), confirm(10, 401), token(20, 't2', { took: 20 })],
      call(39, 'confirmOrder a', 401, { token: 't1', took: 10 }),
    ],
    'passed',
  ],
])

nearMisses(
  rejectedTokensAreDropped,
  [
    [
      'AUT-TOK-04',
      'all may have been in flight',
      [orders, confirm(0, 401), others(1199, 1199, 1199, 1199)],
      [[used('1.2 s'), none, [0, 1199], 'inconclusive']],
    ],
    [
      'AUT-TOK-04',
      'one may have been',
      [orders, confirm(0, 401), others(1199, 1200, 1200, 1200)],
      [[used('1.2 s'), none, [0, 1200], 'inconclusive']],
    ],
    [
      'AUT-TOK-04',
      'none can have been',
      [orders, confirm(0, 401), others(1200, 1200, 1200, 1200)],
      [[used('1.2 s'), none, [0, 1200]]],
    ],
    [
      'AUT-TOK-04',
      'the new token may have come later',
      [renewed, confirm(220, 401)],
      [[repeated('210 ms'), 'a', [10, 20, 220], 'inconclusive']],
    ],
    [
      'AUT-TOK-04',
      'it had come',
      [renewed, confirm(221, 401)],
      [[repeated('211 ms'), 'a', [10, 20, 221]]],
    ],
  ],
  { lagMs: 100 },
)
