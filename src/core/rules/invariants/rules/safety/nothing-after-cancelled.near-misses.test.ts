/** Near misses of SE-3. */
import {
  acknowledged,
  call,
  created,
  delivery,
  emitted,
  moved,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { nothingAfterCancelled } from './nothing-after-cancelled.ts'

const cancelled = [created(0, 'a'), moved(0, 'a', 'CANCELLED'), emitted(0, 'CANCELLED a')]
const known = [cancelled, polled(0, ['CANCELLED a']), acknowledged(0, ['CANCELLED a'])]
const confirm = (at: number): Steps => call(at, 'confirmOrder a')
const after = (what = 'confirmed o1', how = 'acknowledged CANCELLED (at 15:00:00.000)'): string =>
  `The service ${what} 1 s after it had ${how}.`

nearMisses(nothingAfterCancelled, [
  ['ORD-CAN-02', 'a call in flight', [known, confirm(1000)], 'passed'],
  ['ORD-CAN-02', 'a later one', [known, confirm(1001)], [[after(), 'a', [0, 1001]]]],
  [
    'ORD-CAN-02',
    'each operation is reported once',
    [known, confirm(1001), confirm(1002), call(1003, 'cancelOrderItem a')],
    [
      [after(), 'a', [0, 1001]],
      [after('cancelled an item of o1'), 'a', [0, 1003]],
    ],
  ],
  [
    'LOG-CON-04',
    'a delivery was requested',
    [known, delivery(1001, 'createDelivery a')],
    [[after('requested a delivery for o1'), 'a', [0, 1001]]],
  ],
  ['ORD-CAN-02', 'a GET is no progress', [known, read(5000, 'a', 'CANCELLED')], 'passed'],
  [
    'ORD-CAN-02',
    'the service does not know it yet',
    [cancelled, polled(0, ['CANCELLED a']), confirm(5000)],
    'not-exercised',
  ],
  [
    'ORD-EVT-16',
    'a GET showed it',
    [cancelled, read(0, 'a', 'CANCELLED'), confirm(1001)],
    [[after('confirmed o1', 'read CANCELLED (GET at 15:00:00.000)'), 'a', [0, 1001]]],
  ],
  [
    'ORD-EVT-16',
    'a webhook showed it',
    [cancelled, webhook(0, 'CANCELLED a'), confirm(1001)],
    [
      [
        after('confirmed o1', 'accepted the webhook of CANCELLED (at 15:00:00.000)'),
        'a',
        [0, 1001],
      ],
    ],
  ],
  [
    'ORD-EVT-16',
    'a webhook that it refused',
    [cancelled, webhook(0, 'CANCELLED a', { status: 503 }), confirm(5000)],
    'not-exercised',
  ],
  [
    'ORD-EVT-16',
    'of another event',
    [cancelled, webhook(0, 'CREATED a'), confirm(5000)],
    'not-exercised',
  ],
  ['ORD-CAN-02', 'the host had it go on', [known, moved(1, 'a', 'READY'), confirm(5000)], 'passed'],
  [
    'ORD-CAN-02',
    'the host never cancelled it',
    [created(0, 'a'), emitted(0, 'CANCELLED a'), acknowledged(0, ['CANCELLED a']), confirm(5000)],
    'not-exercised',
  ],
  [
    'ORD-CAN-02',
    'it was concluded then',
    [known, moved(1, 'a', 'CONCLUDED'), confirm(1001)],
    [[after(), 'a', [0, 1001]]],
  ],
])

nearMisses(
  nothingAfterCancelled,
  [
    [
      'ORD-CAN-02',
      'it may have been in flight',
      [known, confirm(1200)],
      [[/confirmed o1 1.2 s after/, 'a', [0, 1200], 'inconclusive']],
    ],
    [
      'ORD-CAN-02',
      'it was not',
      [known, confirm(1201)],
      [[/confirmed o1 1.2 s after/, 'a', [0, 1201]]],
    ],
  ],
  { lagMs: 100 },
)
