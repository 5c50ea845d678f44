/** Near misses of WH-1. */
import {
  acknowledged,
  call,
  created,
  emitted,
  polled,
  read,
  webhook,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { webhooksAreSafeOnceAnswered } from './webhooks-are-safe-once-answered.ts'

const due = 120_000
const late = due + 1
const taken = [created(0, 'a'), webhook(0, 'CREATED a')]
const never =
  'answered the webhook of CREATED of o1 with 204, so the event will not come again; the service never read the order.'

nearMisses(webhooksAreSafeOnceAnswered, [
  ['ORD-OPS-03', 'it need not be read yet', [taken, { at: due }], 'open'],
  ['ORD-OPS-03', 'it was never read', [taken, { at: late }], [[never, 'a', [0]]]],
  ['ORD-OPS-03', 'it was read', [taken, read(due, 'a', 'CREATED'), { at: late }], 'passed'],
  [
    'ORD-GEN-05',
    'its GET failed',
    [taken, call(1, 'getOrder a', 503), { at: late }],
    [['its GET failed and was not retried', 'a', [0, 1]]],
  ],
  [
    'ORD-OPS-03',
    'the webhook was refused',
    [created(0, 'a'), webhook(0, 'CREATED a', { status: 503 }), { at: late }],
    'not-exercised',
  ],
  [
    'ORD-OPS-03',
    'the webhook was of another event',
    [created(0, 'a'), emitted(0, 'CONFIRMED a'), webhook(0, 'CONFIRMED a'), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-GEN-02',
    'the webhook was forged',
    [
      created(0, 'a'),
      webhook(0, 'CREATED a', { fault: 'wrong-signature on ev(o1)' }),
      { at: late },
    ],
    'not-exercised',
  ],
  [
    'ORD-OPS-02',
    'the event was polled and acknowledged',
    [created(0, 'a'), polled(0, ['CREATED a']), acknowledged(0, ['CREATED a']), { at: late }],
    'not-exercised',
  ],
  [
    'AUT-MER-01',
    'the order is of a merchant of another service',
    [created(0, 'a', { merchant: 'loja-2' }), webhook(0, 'CREATED a'), { at: late }],
    'not-exercised',
  ],
])
