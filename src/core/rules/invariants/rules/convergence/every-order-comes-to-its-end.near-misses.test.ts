/** Near misses of CV-1. */
import {
  call,
  cancellationAnswered,
  cancellationRequested,
  created,
  emitted,
  faultAdded,
  moved,
  planned,
  polled,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { everyOrderComesToItsEnd } from './every-order-comes-to-its-end.ts'

const due = 120_000
const late = due + 1
const heard = [created(0, 'a'), polled(0, ['CREATED a'])]
const stuck = (status = 'CREATED', since = '120 s'): string =>
  `o1 is still ${status}, ${since} after it reached that status. The service made no call about it.`
const found = [[stuck(), 'a', [0]]] as const
/** It was over, and an operator opened it again. */
const reopened = [heard, moved(1000, 'a', 'DELIVERED'), moved(2000, 'a', 'CONFIRMED', true)]
const again = (at: number) => [emitted(at, 'CONFIRMED a'), polled(at, ['CONFIRMED a'])]

nearMisses(everyOrderComesToItsEnd, [
  ['ORD-GEN-05', 'it has time', [heard, { at: due }], 'open'],
  ['ORD-GEN-05', 'it stands still', [heard, { at: late }], found],
  ['ORD-GEN-05', 'a fault is in force', [heard, faultAdded(1), { at: late }], 'open'],
  ['ORD-STA-01', 'it was delivered', [heard, moved(due, 'a', 'DELIVERED'), { at: late }], 'passed'],
  ['ORD-STA-01', 'it was cancelled', [heard, moved(due, 'a', 'CANCELLED'), { at: late }], 'passed'],
  [
    'ORD-FLO-04',
    'another was',
    [heard, created(0, 'b'), moved(due, 'b', 'DELIVERED'), { at: late }],
    found,
  ],
  [
    'ORD-FLO-04',
    'each step gives it time',
    [heard, moved(5000, 'a', 'READY'), { at: 5000 + due }],
    'open',
  ],
  [
    'ORD-FLO-04',
    'it stands still after a step',
    [heard, moved(5000, 'a', 'READY'), { at: 5000 + late }],
    [[stuck('READY'), 'a', [0]]],
  ],
  [
    'ORD-FLO-04',
    'its time begins with the event',
    [created(0, 'a'), polled(5000, ['CREATED a']), { at: 5000 + due }],
    'open',
  ],
  [
    'ORD-FLO-04',
    'it stands still since the event',
    [created(0, 'a'), polled(5000, ['CREATED a']), { at: 5000 + late }],
    [[stuck('CREATED', '125 s'), 'a', [5000]]],
  ],
  [
    'ORD-GEN-05',
    'the last call about it is named',
    [heard, call(10, 'getOrder a', 503), call(20, 'confirmOrder a', 422), { at: late }],
    [
      [
        'The last call of the service about it was SS > OA  POST /orders/a/confirm  422 at 15:00:00.020.',
        'a',
        [0, 20],
      ],
    ],
  ],
  ['ORD-GEN-03', 'no event of it came', [created(0, 'a'), { at: late }], 'not-exercised'],
  [
    'ORD-OPS-03',
    'a webhook brought one',
    [created(0, 'a'), webhook(0, 'CREATED a'), { at: late }],
    found,
  ],
  [
    'ORD-OPS-03',
    'the service refused it',
    [created(0, 'a'), webhook(0, 'CREATED a', { status: 503 }), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-STA-01',
    'one came after its end',
    [created(0, 'a'), moved(0, 'a', 'DELIVERED'), polled(0, ['CREATED a']), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-MER-01',
    'it is of a merchant of another service',
    [created(0, 'a', { merchant: 'loja-2' }), polled(0, ['CREATED a']), { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-04',
    'its cancellation was asked for',
    [heard, cancellationRequested(1, 'a'), { at: late }],
    'open',
  ],
  [
    'ORD-CAN-04',
    'its cancellation was granted',
    [
      heard,
      cancellationRequested(1, 'a'),
      cancellationAnswered(2, 'a', 'accept'),
      { at: late + 2 },
    ],
    'open',
  ],
  [
    'ORD-CAN-06',
    'it was denied, and it has time',
    [
      heard,
      cancellationRequested(1, 'a'),
      cancellationAnswered(5000, 'a', 'deny'),
      { at: 5000 + due },
    ],
    'open',
  ],
  [
    'ORD-CAN-06',
    'it was denied, and it stands still',
    [
      heard,
      cancellationRequested(1, 'a'),
      cancellationAnswered(5000, 'a', 'deny'),
      { at: 5000 + late },
    ],
    [[stuck('CREATED', '125 s'), 'a', [0]]],
  ],
  [
    'ORD-RUL-02',
    'an accepted call takes effect later',
    [heard, planned(1, { kind: 'order.apply', orderId: 'a', trigger: 'confirm' }), { at: late }],
    'open',
  ],
  [
    'ORD-RUL-02',
    'the host only concludes it later',
    [heard, planned(1, { kind: 'order.apply', orderId: 'a', trigger: 'conclude' }), { at: late }],
    found,
  ],
  [
    'ORD-RUL-02',
    'one about another order does',
    [heard, planned(1, { kind: 'order.apply', orderId: 'b', trigger: 'confirm' }), { at: late }],
    found,
  ],
  [
    'ORD-STA-01',
    'it was opened again, and no event said so',
    [reopened, { at: 2000 + late }],
    'passed',
  ],
  [
    'ORD-STA-01',
    'an event said so',
    [reopened, again(3000), { at: 2000 + late }],
    [[stuck('CONFIRMED'), 'a', [0]]],
  ],
])
