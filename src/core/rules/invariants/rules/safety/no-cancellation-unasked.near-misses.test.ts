/** Near misses of SE-5. */
import { call, created, delivery, read } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { noCancellationUnasked } from './no-cancellation-unasked.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const failed = (status = 422): Steps => [orders, call(0, 'confirmOrder a', status, { took: 100 })]
const cancel = (at: number, order = 'a'): Steps => call(at, `requestCancellation ${order}`)
const unasked = (when: string, what = 'confirmOrder', was = 'answered 422'): string =>
  `The service requested the cancellation of o1 ${when} its ${what} was ${was}; no operator had cancelled the order.`
const found = [[unasked('as soon as'), 'a', [0, 100]]] as const

nearMisses(noCancellationUnasked, [
  [
    'ORD-OPS-10',
    'nothing failed',
    [orders, call(0, 'confirmOrder a'), cancel(100)],
    'not-exercised',
  ],
  ['ORD-OPS-10', 'a call was refused', [failed(), { at: 200 }], 'passed'],
  ['ORD-OPS-10', 'at once', [failed(), cancel(100)], found],
  [
    'ORD-OPS-10',
    'shortly after',
    [failed(), cancel(10_099)],
    [[unasked('10 s after'), 'a', [0, 10_099]]],
  ],
  ['ORD-OPS-10', 'ten seconds after', [failed(), cancel(10_100)], 'passed'],
  [
    'ORD-OPS-10',
    'before the answer',
    [
      orders,
      call(0, 'confirmOrder a', 422, { took: 100 }),
      call(99, 'requestCancellation a', 202, { took: 10 }),
    ],
    'passed',
  ],
  [
    'TRN-STA-12',
    'no answer came',
    [failed(0), cancel(100)],
    [[unasked('as soon as', 'confirmOrder', 'not answered (HUNG)'), 'a', [0, 100]]],
  ],
  ['AUT-TOK-04', 'a token was rejected', [failed(401), cancel(100)], 'not-exercised'],
  [
    'ORD-OPS-10',
    'a later call succeeded',
    [failed(), read(100, 'a', 'CREATED'), cancel(100)],
    'passed',
  ],
  [
    'ORD-OPS-10',
    'a later call failed',
    [failed(), call(100, 'getOrder a', 503), cancel(100)],
    [[unasked('as soon as', 'getOrder', 'answered 503'), 'a', [100, 100]]],
  ],
  [
    'ORD-OPS-10',
    'a call about another order succeeded',
    [failed(), read(100, 'b', 'CREATED'), cancel(100)],
    found,
  ],
  ['ORD-OPS-10', 'of another order', [failed(), cancel(100, 'b')], 'passed'],
  [
    'ORD-OPS-10',
    'an operator asked for it',
    [failed(), { at: 100, operatorCancels: 'a' }, cancel(100)],
    'passed',
  ],
  [
    'ORD-OPS-10',
    'an operator asked for another',
    [failed(), { at: 100, operatorCancels: 'b' }, cancel(100)],
    found,
  ],
  [
    'ORD-OPS-10',
    'a delivery was refused',
    [orders, delivery(0, 'createDelivery a', 422), cancel(0)],
    [[unasked('as soon as', 'createDelivery'), 'a', [0, 0]]],
  ],
])

nearMisses(
  noCancellationUnasked,
  [
    [
      'ORD-OPS-10',
      'it may have been later',
      [failed(), cancel(9900)],
      [[unasked('9.8 s after'), 'a', [0, 9900], 'inconclusive']],
    ],
    [
      'ORD-OPS-10',
      'it was not',
      [failed(), cancel(9899)],
      [[unasked('9.8 s after'), 'a', [0, 9899]]],
    ],
  ],
  { lagMs: 100 },
)
