/** Near misses of CV-13. */
import {
  call,
  cancellationRequested,
  created,
  delivery,
  faultFired,
  known,
  moved,
  planned,
  read,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { failingOrderDelaysNoOther } from './failing-order-delays-no-other.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const fails = (...times: readonly number[]): Steps => times.map((at) => call(at, 'getOrder a', 503))
const three = [orders, fails(0, 1, 2)]
const due = 120_000
/** A reply with it holds back the calls about all orders for half a minute. */
const wait = { retryAfter: '30' } as const
const late = due + 1
const delayed = (calls = 4, last = '02:00.000', how = 'is still CREATED 120 s'): string =>
  `o2, which no fault touched, ${how} after it was created, while o1 fails (${calls} failed calls in a row, the last at 15:${last}).`
/** Its calls still fail when two minutes are nearly over. */
const failing = [three, fails(due)]
const found = [[delayed(), 'b', [due]]] as const

nearMisses(failingOrderDelaysNoOther, [
  ['ORD-GEN-05', 'two calls failed', [orders, fails(0, 1), { at: late }], 'not-exercised'],
  [
    'ORD-GEN-05',
    'three failed, of the only order',
    [created(0, 'a'), fails(0, 1, 2), { at: late }],
    'not-exercised',
  ],
  ['ORD-GEN-05', 'three failed, and the other has time', [three, { at: due }], 'open'],
  ['ORD-GEN-05', 'three failed, and no more for two minutes', [three, { at: due + 3 }], 'passed'],
  [
    'ORD-GEN-05',
    'three failed, and the other stands still',
    [three, { at: late }],
    [[delayed(3, '00:00.002'), 'b', [2]]],
  ],
  ['ORD-GEN-05', 'four failed, and the other has time', failing, 'open'],
  ['ORD-GEN-05', 'four failed, and the other stands still', [failing, { at: late }], found],
  [
    'ORD-GEN-05',
    'it is found at the next failure',
    [three, fails(late), moved(late, 'b', 'DELIVERED')],
    [[delayed(4, '02:00.001'), 'b', [late]]],
  ],
  [
    'ORD-GEN-05',
    'the other came to its end too late',
    [three, fails(due), moved(late, 'b', 'DELIVERED')],
    [[delayed(4, '02:00.000', 'reached its end only 120 s'), 'b', [due]]],
  ],
  [
    'ORD-GEN-05',
    'the other came to its end in time',
    [three, fails(due), moved(due, 'b', 'DELIVERED'), { at: late }],
    'passed',
  ],
  [
    'ORD-GEN-05',
    'the other was cancelled in time',
    [failing, moved(due, 'b', 'CANCELLED'), { at: late }],
    'passed',
  ],
  [
    'ORD-GEN-05',
    'a call succeeded in between',
    [orders, fails(0, 1), read(1, 'a', 'CREATED'), fails(2, 3), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-GEN-05',
    'a call succeeded at last',
    [failing, read(due, 'a', 'CREATED'), { at: late }],
    'passed',
  ],
  [
    'TRN-ERB-01',
    'a call was refused in between',
    [orders, fails(0, 1), call(1, 'getOrder a', 404), fails(2, 3), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-GEN-05',
    'calls about both failed',
    [orders, fails(0, 1), call(2, 'getOrder b', 503), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-GEN-05',
    'polls fail',
    [orders, [0, 1, 2].map((at) => call(at, 'pollingEvents', 503)), { at: late }],
    'not-exercised',
  ],
  [
    'LOG-CON-03',
    'calls fail whose body names the order',
    [orders, [0, 1, 2].map((at) => delivery(at, 'createDelivery a', 503)), { at: late }],
    [[delayed(3, '00:00.002'), 'b', [2]]],
  ],
  [
    'ORD-GEN-05',
    'the time begins with the failures',
    [orders, fails(1000, 1001, 1002), { at: 1000 + due }],
    'open',
  ],
  [
    'ORD-GEN-05',
    'the failures began long enough ago',
    [orders, fails(1000, 1001, 1002), { at: 1000 + late }],
    [[delayed(3, '00:01.002', 'is still CREATED 121 s'), 'b', [1002]]],
  ],
  [
    'ORD-GEN-05',
    'the other came later',
    [created(0, 'a'), fails(0, 1, 2), created(5000, 'b'), fails(due), { at: 5000 + due }],
    'open',
  ],
  [
    'ORD-GEN-05',
    'the other came later, and stands still',
    [created(0, 'a'), fails(0, 1, 2), created(5000, 'b'), fails(due), { at: 5000 + late }],
    found,
  ],
  [
    'TRN-STA-12',
    'a fault touched the other',
    [failing, faultFired(due, 'req(getOrder,o2)', { orderId: 'b' }), { at: late }],
    'passed',
  ],
  [
    'TRN-STA-12',
    'a fault touched the failing one',
    [three, faultFired(5000, 'req(getOrder,o1)', { orderId: 'a' }), fails(due), { at: late }],
    found,
  ],
  [
    'TRN-STA-12',
    'a fault touched a call about no order',
    [three, faultFired(5000, 'req(pollingEvents)'), fails(due), { at: 5000 + due }],
    'open',
  ],
  [
    'TRN-STA-12',
    'a fault touched a call about no order, long enough ago',
    [three, faultFired(5000, 'req(pollingEvents)'), fails(due), { at: 5000 + late }],
    [[delayed(4, '02:00.000', 'is still CREATED 125 s'), 'b', [due]]],
  ],
  [
    'TRN-STA-10',
    'a reply asked to wait before any call of its kind',
    [orders, call(0, 'getOrder a', 429, wait), fails(1, 2, 3), fails(due), { at: 30_000 + due }],
    'open',
  ],
  [
    'TRN-STA-10',
    'a reply asked to wait, long enough ago',
    [orders, call(0, 'getOrder a', 429, wait), fails(1, 2, 3), fails(due), { at: 30_000 + late }],
    [[delayed(5, '02:00.000', 'is still CREATED 150 s'), 'b', [due]]],
  ],
  [
    'ORD-CAN-04',
    'the cancellation of the other was asked for',
    [failing, cancellationRequested(due, 'b'), fails(late), { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'the cancellation of the other was granted late',
    [three, cancellationRequested(5000, 'b'), fails(due), moved(late, 'b', 'CANCELLED')],
    'passed',
  ],
  [
    'ORD-RUL-02',
    'an accepted call about the other takes effect later',
    [
      failing,
      planned(due, { kind: 'order.apply', orderId: 'b', trigger: 'confirm' }),
      { at: late },
    ],
    'passed',
  ],
  [
    'ORD-RUL-02',
    'the other waited for the host for a while',
    [
      three,
      call(5000, 'confirmOrder b'),
      moved(6000, 'b', 'CONFIRMED'),
      fails(due),
      { at: 1000 + due },
    ],
    'open',
  ],
  [
    'ORD-RUL-02',
    'the other waited for the host for a while, and stands still',
    [
      three,
      call(5000, 'confirmOrder b'),
      moved(6000, 'b', 'CONFIRMED'),
      fails(due),
      { at: 1000 + late },
    ],
    [[delayed(4, '02:00.000', 'is still CONFIRMED 121 s'), 'b', [5000, due]]],
  ],
  [
    'ORD-RUL-02',
    'the other waits for the host',
    [three, call(5000, 'confirmOrder b'), fails(due, late), moved(late, 'b', 'CONFIRMED')],
    'open',
  ],
  [
    'ORD-STA-01',
    'the failing one came to its end',
    [failing, moved(due, 'a', 'DELIVERED'), { at: late }],
    'passed',
  ],
  [
    'ORD-STA-01',
    'both came to their ends',
    [failing, moved(due, 'a', 'DELIVERED'), moved(late, 'b', 'DELIVERED')],
    'passed',
  ],
  [
    'AUT-MER-01',
    'the other is of a merchant of another service',
    [created(0, 'a'), created(0, 'b', { merchant: 'loja-2' }), fails(0, 1, 2), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-GEN-05',
    'the event and the last call of the other are shown',
    [created(0, 'a'), known(0, 'b'), fails(1, 2, 3), fails(due), { at: 1 + late }],
    [[delayed(), 'b', [0, 0, due]]],
  ],
])

nearMisses(
  failingOrderDelaysNoOther,
  [
    [
      'ORD-GEN-05',
      'our lag may have delayed it',
      [failing, { at: due + 200 }],
      [[delayed(), 'b', [due], 'inconclusive']],
    ],
    ['ORD-GEN-05', 'it cannot have', [failing, { at: due + 201 }], found],
  ],
  { lagMs: 100 },
)
