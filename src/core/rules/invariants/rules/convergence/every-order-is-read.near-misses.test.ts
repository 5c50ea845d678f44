/** Near misses of CV-2. */
import {
  call,
  created,
  emitted,
  faultAdded,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { everyOrderIsRead } from './every-order-is-read.ts'

const due = 120_000
const late = due + 1
const heard = [created(0, 'a'), polled(0, ['CREATED a'])]
const never =
  'The service never read o1: it received CREATED at 15:00:00.000, and no GET of it was answered 200 in the 120 s since.'
const found = [[never, 'a', [0]]] as const

nearMisses(everyOrderIsRead, [
  ['ORD-FLO-03', 'it need not be read yet', [heard, { at: due }], 'open'],
  ['ORD-FLO-03', 'it was not read', [heard, { at: late }], found],
  ['ORD-FLO-03', 'a fault is in force', [heard, faultAdded(1), { at: late }], 'open'],
  ['ORD-FLO-03', 'it was read', [heard, read(due, 'a', 'CREATED'), { at: late }], 'passed'],
  [
    'ORD-FLO-03',
    'it was read before',
    [created(0, 'a'), read(0, 'a', 'CREATED'), polled(0, ['CREATED a']), { at: late }],
    'passed',
  ],
  [
    'ORD-FLO-03',
    'another was read',
    [heard, created(0, 'b'), read(1, 'b', 'CREATED'), { at: late }],
    found,
  ],
  [
    'ORD-GEN-05',
    'its GET failed',
    [heard, call(1, 'getOrder a', 503), { at: late }],
    [[never, 'a', [0, 1]]],
  ],
  [
    'ORD-FLO-03',
    'it was confirmed without',
    [heard, call(1, 'confirmOrder a'), { at: late }],
    [[never, 'a', [0, 1]]],
  ],
  [
    'ORD-FLO-03',
    'the first event counts',
    [heard, emitted(5000, 'CONFIRMED a'), polled(5000, ['CONFIRMED a']), { at: late }],
    found,
  ],
  [
    'ORD-FLO-03',
    'an event announced its end',
    [heard, emitted(1, 'CANCELLED a'), polled(1, ['CANCELLED a']), { at: late }],
    'passed',
  ],
  [
    'ORD-OPS-03',
    'a webhook brought the event',
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
    'AUT-MER-01',
    'it is of a merchant of another service',
    [created(0, 'a', { merchant: 'loja-2' }), polled(0, ['CREATED a']), { at: late }],
    'not-exercised',
  ],
  ['ORD-GEN-03', 'no event came', [created(0, 'a'), { at: late }], 'not-exercised'],
])
