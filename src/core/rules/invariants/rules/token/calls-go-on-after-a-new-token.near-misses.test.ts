/** Near misses of TK-3. */
import {
  call,
  created,
  faultAdded,
  moved,
  token,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { callsGoOnAfterANewToken } from './calls-go-on-after-a-new-token.ts'

const due = 120_000
const late = due + 1
const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, status: number, more: More = {}): Steps =>
  call(at, 'confirmOrder a', status, more)
const rejected = [orders, confirm(0, 401)]
const dropped = (ago = '120 s'): string =>
  `got a 401 to confirmOrder of o1, and has not repeated the call for ${ago}.`
const old =
  'After a 401 to confirmOrder of o1 the service got a new token, but repeated the call with the old one.'
const renewed = [orders, token(0, 't1'), confirm(10, 401), token(20, 't2')]

nearMisses(callsGoOnAfterANewToken, [
  ['AUT-TOK-04', 'it need not be repeated yet', [rejected, { at: due }], 'open'],
  ['AUT-TOK-04', 'it was not repeated', [rejected, { at: late }], [[dropped(), 'a', [0]]]],
  ['AUT-TOK-04', 'a fault is in force', [rejected, faultAdded(1), { at: late }], 'open'],
  [
    'AUT-TOK-04',
    'it has time from the end of the call',
    [orders, confirm(0, 401, { took: 1000 }), { at: 1000 + due }],
    'open',
  ],
  [
    'AUT-TOK-04',
    'it was repeated',
    [rejected, confirm(1, 202, { token: 't2' }), { at: late }],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'it was repeated and failed',
    [rejected, confirm(1, 503, { token: 't2' }), { at: late }],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'it was repeated and rejected again',
    [rejected, confirm(1000, 401, { token: 't2' }), { at: 1000 + late }],
    [[dropped(), 'a', [1000]]],
  ],
  [
    'AUT-TOK-04',
    'another order was confirmed',
    [rejected, call(1, 'confirmOrder b'), { at: late }],
    [[dropped(), 'a', [0]]],
  ],
  [
    'AUT-TOK-04',
    'calls of both orders were rejected',
    [rejected, call(0, 'confirmOrder b', 401), { at: late }],
    [
      [dropped(), 'a', [0]],
      ['confirmOrder of o2', 'b', [0]],
    ],
  ],
  [
    'AUT-TOK-04',
    'a call that had begun before the 401 came succeeded',
    [orders, confirm(0, 401, { took: 10 }), confirm(9, 202, { took: 10 }), { at: 10 + late }],
    [[dropped(), 'a', [0]]],
  ],
  [
    'AUT-TOK-04',
    'a call that began then succeeded',
    [orders, confirm(0, 401, { took: 10 }), confirm(10, 202, { took: 10 }), { at: 20 + late }],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the order has moved on',
    [rejected, moved(1, 'a', 'CONFIRMED'), { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'no order needs the call',
    [orders, call(0, 'requestCancellation a', 401), { at: late }],
    'not-exercised',
  ],
  [
    'TRN-STA-12',
    'it failed in another way',
    [orders, confirm(0, 503), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-TOK-04',
    'it came with the new token',
    [renewed, confirm(30, 202, { token: 't2' })],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'it came with the old token',
    [renewed, confirm(30, 202)],
    [[old, 'a', [10, 20, 30]]],
  ],
  [
    'AUT-TOK-04',
    'it came with the old token at once',
    [renewed, confirm(20, 202)],
    [[old, 'a', [10, 20, 20]]],
  ],
  [
    'AUT-TOK-04',
    'another call did',
    [renewed, call(30, 'confirmOrder b'), confirm(31, 202, { token: 't2' })],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'there is no new token',
    [orders, token(0, 't1'), confirm(10, 401), confirm(30, 202)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the new token was requested before',
    [orders, token(0, 't1'), token(5, 't2'), confirm(10, 401), confirm(30, 202)],
    'passed',
  ],
  [
    'AUT-TOK-04',
    'the new token came after it had begun',
    [
      [orders, token(0, 't1'), confirm(10, 401), token(20, 't2', { took: 20 })],
      confirm(39, 202, { took: 10 }),
    ],
    'passed',
  ],
])

nearMisses(
  callsGoOnAfterANewToken,
  [
    [
      'AUT-TOK-04',
      'it may have begun before the new token came',
      [renewed, confirm(220, 202)],
      [[old, 'a', [10, 20, 220], 'inconclusive']],
    ],
    ['AUT-TOK-04', 'it had not', [renewed, confirm(221, 202)], [[old, 'a', [10, 20, 221]]]],
  ],
  { lagMs: 100 },
)
