/** Near misses of SE-7. */
import {
  call,
  created,
  delivery,
  polled,
  read,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { readsBeforeItActs } from './reads-before-it-acts.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const confirm = (at: number, took = 0): Steps => call(at, 'confirmOrder a', 202, { took })
const unread = (heard = ''): string =>
  `The service confirmed o1 at 15:00:00.100 without reading it first: no GET of it had been answered 200 by then.${heard}`

nearMisses(readsBeforeItActs, [
  [
    'ORD-FLO-03',
    'it was read',
    [orders, read(0, 'a', 'CREATED', { took: 100 }), confirm(100)],
    'passed',
  ],
  ['ORD-FLO-03', 'it was not', [orders, confirm(100)], [[unread(), 'a', [100]]]],
  [
    'ORD-FLO-03',
    'another was',
    [orders, read(0, 'b', 'CREATED'), confirm(100)],
    [[unread(), 'a', [100]]],
  ],
  [
    'ORD-FLO-03',
    'the GET failed',
    [orders, call(0, 'getOrder a', 503), confirm(100)],
    [[unread(), 'a', [100]]],
  ],
  [
    'ORD-FLO-03',
    'the GET was answered after the call had begun',
    [orders, read(0, 'a', 'CREATED', { took: 101 }), confirm(100, 1)],
    [[unread(), 'a', [100]]],
  ],
  [
    'ORD-GEN-03',
    'only an event of it had come',
    [orders, polled(50, ['CREATED a']), confirm(100)],
    [[unread(' It had only received CREATED (at 15:00:00.050).'), 'a', [50, 100]]],
  ],
  [
    'ORD-FLO-03',
    'only the first call counts',
    [orders, read(0, 'a', 'CREATED'), confirm(100), delivery(200, 'createDelivery a')],
    'passed',
  ],
  [
    'ORD-FLO-03',
    'it is reported once',
    [orders, confirm(100), confirm(200)],
    [[unread(), 'a', [100]]],
  ],
  [
    'ORD-FLO-03',
    'the first call requested a delivery',
    [orders, delivery(100, 'createDelivery a')],
    [['The service requested a delivery for o1 at 15:00:00.100 without', 'a', [100]]],
  ],
  ['ORD-FLO-03', 'an unknown order', call(0, 'confirmOrder x'), 'not-exercised'],
])

nearMisses(
  readsBeforeItActs,
  [
    [
      'ORD-FLO-03',
      'it may have been read before',
      [orders, read(0, 'a', 'CREATED', { took: 300 }), confirm(100, 300)],
      [[unread(), 'a', [100], 'inconclusive']],
    ],
    [
      'ORD-FLO-03',
      'it was not yet',
      [orders, read(0, 'a', 'CREATED', { took: 301 }), confirm(100, 300)],
      [[unread(), 'a', [100]]],
    ],
    ['ORD-FLO-03', 'it never was', [orders, confirm(100, 300)], [[unread(), 'a', [100]]]],
  ],
  { lagMs: 100 },
)
