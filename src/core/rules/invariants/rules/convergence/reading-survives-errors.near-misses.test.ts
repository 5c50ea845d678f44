/** Near misses of CV-4. */
import {
  call,
  created,
  faultAdded,
  known,
  moved,
  read,
  type More,
} from '../../../../../../test/support/near-miss-steps.ts'
import {
  nearMisses,
  type NearMiss,
  type Steps,
} from '../../../../../../test/support/near-misses.ts'
import { readingSurvivesErrors } from './reading-survives-errors.ts'

const due = 121_000
const late = due + 1
const failed = (status = 503, more: More = {}): Steps => [
  known(0, 'a'),
  call(1000, 'getOrder a', status, more),
]
const unread = (was = 'answered 503'): string =>
  `The service has not read o1 again since its GET at 15:00:01.000 was ${was}, 120 s ago; the order is CREATED.`
const found = [[unread(), 'a', [0, 1000]]] as const

nearMisses(readingSurvivesErrors, [
  ['ORD-EVR-06', 'it need not be read again yet', [failed(), { at: due }], 'open'],
  ['ORD-EVR-06', 'it was not read again', [failed(), { at: late }], found],
  [
    'ORD-EVR-06',
    'its time begins at the end of the GET',
    [failed(503, { took: 1000 }), { at: due + 1000 }],
    'open',
  ],
  ['TRN-STA-12', 'a fault is in force', [failed(), faultAdded(2000), { at: late }], 'open'],
  [
    'ORD-EVR-06',
    'it was read again',
    [failed(), read(2000, 'a', 'CREATED'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-06',
    'a GET that had begun before was answered',
    [failed(), read(999, 'a', 'CREATED', { took: 100 }), { at: late }],
    found,
  ],
  [
    'ORD-EVR-06',
    'a GET that began with it was answered',
    [failed(), read(1000, 'a', 'CREATED', { took: 100 }), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-06',
    'another was read',
    [failed(), created(1500, 'b'), read(2000, 'b', 'CREATED'), { at: late }],
    found,
  ],
  [
    'ORD-EVR-01',
    'the service went on',
    [failed(), call(2000, 'confirmOrder a'), { at: late }],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the service went on, and that failed',
    [failed(), call(2000, 'confirmOrder a', 503), { at: late }],
    'passed',
  ],
  [
    'TRN-STA-12',
    'it failed again',
    [failed(), call(2000, 'getOrder a', 500), { at: late + 1000 }],
    [[/GET at 15:00:02.000 was answered 500, 120 s ago/, 'a', [0, 2000]]],
  ],
  [
    'TRN-STA-12',
    'no reply came',
    [failed(0), { at: late }],
    [[unread('not answered (HUNG)'), 'a', [0, 1000]]],
  ],
  ...[404, 401, 429].map((status): NearMiss => [
    'TRN-STA-12',
    `a ${status} is no answer`,
    [failed(status), { at: late }],
    [[unread(`answered ${status}`), 'a', [0, 1000]]],
  ]),
  ['TRN-ERB-01', 'a 403 is final', [failed(403), { at: late }], 'not-exercised'],
  [
    'ORD-FLO-03',
    'it was never read before',
    [created(0, 'a'), call(1000, 'getOrder a', 503), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-STA-01',
    'it was over when the GET failed',
    [known(0, 'a'), moved(1, 'a', 'DELIVERED'), call(1000, 'getOrder a', 503), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-STA-01',
    'it came to its end',
    [failed(), moved(2000, 'a', 'DELIVERED'), { at: late }],
    'passed',
  ],
  [
    'AUT-MER-01',
    'it is of a merchant of another service',
    [known(0, 'a', { merchant: 'loja-2' }), call(1000, 'getOrder a', 503), { at: late }],
    'passed',
  ],
])
