/** Near misses of SE-12. */
import {
  call,
  cancellationAnswered,
  cancellationRequested,
  created,
  faultAdded,
  moved,
  planned,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { resumesAfterDenial } from './resumes-after-denial.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const late = 121_001
const asked: Steps = [orders, cancellationRequested(0, 'a'), call(0, 'requestCancellation a')]
const answered = (answer: 'deny' | 'accept'): Steps => cancellationAnswered(1000, 'a', answer)
const denied = [asked, answered('deny')]
const stuck =
  'The cancellation request for o1 was denied at 15:00:01.000, and 120 s later the order is still CREATED.'

nearMisses(resumesAfterDenial, [
  ['ORD-CAN-04', 'the request is not answered', [asked, { at: late }], 'not-exercised'],
  ['ORD-CAN-04', 'it was granted', [asked, answered('accept'), { at: late }], 'not-exercised'],
  ['ORD-CAN-06', 'it was denied, and the order has time', [denied, { at: late - 1 }], 'open'],
  ['ORD-CAN-06', 'the order stands still', [denied, { at: late }], [[stuck, 'a', [0]]]],
  ['ORD-CAN-06', 'a fault is in force', [denied, faultAdded(2000), { at: late }], 'open'],
  [
    'ORD-CAN-06',
    'the order is on its way',
    [denied, moved(2000, 'a', 'READY'), { at: late }],
    [['120 s later the order is still READY', 'a', [0]]],
  ],
  [
    'ORD-CAN-06',
    'the order came to its end',
    [denied, moved(late - 1, 'a', 'DELIVERED'), { at: late }],
    'passed',
  ],
  [
    'ORD-CAN-06',
    'another did',
    [denied, moved(2000, 'b', 'DELIVERED'), { at: late }],
    [[stuck, 'a', [0]]],
  ],
  [
    'ORD-CAN-06',
    'the last call about it is shown, and the last request',
    [denied, call(500, 'requestCancellation a'), call(2000, 'getOrder a', 503), { at: late }],
    [[stuck, 'a', [500, 2000]]],
  ],
  [
    'ORD-CAN-06',
    'the service had not asked',
    [orders, cancellationRequested(0, 'a'), answered('deny'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-CAN-06',
    'the order was over when it was denied',
    [asked, moved(500, 'a', 'DELIVERED'), answered('deny'), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-RUL-02',
    'an accepted call has not taken effect yet',
    [
      denied,
      planned(2000, { kind: 'order.apply', orderId: 'a', trigger: 'confirm' }),
      { at: late },
    ],
    'open',
  ],
])
