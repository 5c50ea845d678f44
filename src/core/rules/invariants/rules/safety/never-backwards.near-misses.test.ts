/** Near misses of SE-8. */
import { call, created, moved } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { neverBackwards } from './never-backwards.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, order = 'a'): Steps => call(at, `confirmOrder ${order}`)
const ready = (at: number): Steps => call(at, 'setOrderReadyForPickup a')
const prepare = (at: number): Steps => call(at, 'setOrderPreparing a')
const back = (did = 'confirmed o1', at = '01.001', before = '00.000'): string =>
  `The service ${did} at 15:00:${at}, after it had reported it as ready at 15:00:${before}.`

nearMisses(neverBackwards, [
  ['ORD-EVR-04', 'one call', [orders, ready(0)], 'not-exercised'],
  ['ORD-EVR-04', 'the next step', [orders, confirm(0), ready(5000)], 'passed'],
  ['ORD-EVR-04', 'the same step', [orders, ready(0), ready(5000)], 'passed'],
  ['ORD-EVR-04', 'an earlier step in flight', [orders, ready(0), confirm(1000)], 'passed'],
  [
    'ORD-EVR-04',
    'an earlier step later',
    [orders, ready(0), confirm(1001)],
    [[back(), 'a', [0, 1001]]],
  ],
  [
    'ORD-EVR-04',
    'each operation is reported once',
    [orders, ready(0), confirm(1001), confirm(2000), prepare(2001)],
    [
      [back(), 'a', [0, 1001]],
      [back('reported o1 as being prepared', '02.001'), 'a', [0, 2001]],
    ],
  ],
  [
    'ORD-EVR-04',
    'the furthest step counts',
    [orders, ready(0), confirm(500), prepare(2000)],
    [[back('reported o1 as being prepared', '02.000'), 'a', [0, 2000]]],
  ],
  [
    'ORD-EVR-04',
    'the first call of the furthest step counts',
    [orders, ready(0), ready(900), confirm(1001)],
    [[back(), 'a', [0, 1001]]],
  ],
  ['ORD-EVR-04', 'of another order', [orders, ready(0), confirm(5000, 'b')], 'not-exercised'],
  [
    'ORD-UND-05',
    'the order was forced back',
    [orders, ready(0), moved(1, 'a', 'CREATED', true), confirm(5000)],
    'not-exercised',
  ],
  [
    'ORD-UND-05',
    'the order moved by itself',
    [orders, ready(0), moved(1, 'a', 'READY'), confirm(1001)],
    [[back(), 'a', [0, 1001]]],
  ],
  [
    'ORD-UND-05',
    'another was forced back',
    [orders, ready(0), moved(1, 'b', 'CREATED', true), confirm(1001)],
    [[back(), 'a', [0, 1001]]],
  ],
  [
    'ORD-EVR-01',
    'an unknown order',
    [call(0, 'setOrderReadyForPickup x'), confirm(5000, 'x')],
    'not-exercised',
  ],
])

nearMisses(
  neverBackwards,
  [
    [
      'ORD-EVR-04',
      'it may have been in flight',
      [orders, ready(0), confirm(1200)],
      [[back('confirmed o1', '01.200'), 'a', [0, 1200], 'inconclusive']],
    ],
    [
      'ORD-EVR-04',
      'it was not',
      [orders, ready(0), confirm(1201)],
      [[back('confirmed o1', '01.201'), 'a', [0, 1201]]],
    ],
  ],
  { lagMs: 100 },
)
