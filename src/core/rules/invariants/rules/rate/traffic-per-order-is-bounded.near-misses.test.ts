/** Near misses of RC-3. */
import {
  call,
  created,
  delivery,
  every,
  faultAdded,
  faultRemoved,
  moved,
  read,
} from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import { trafficPerOrderIsBounded } from './traffic-per-order-is-bounded.ts'

const reads = (times: readonly number[], order = 'a'): Steps =>
  times.map((at) => read(at, order, 'CREATED'))
const confirms = (times: readonly number[]): Steps => times.map((at) => call(at, 'confirmOrder a'))
const orders = [created(0, 'a'), created(0, 'b')]
const made = (within: string, gets: number): string =>
  `The service made 101 calls about o1 within ${within} (GETs: ${gets}), while the order did not change.`
/** Over at 100 s; its effects may last 10 s longer. */
const fault = [faultAdded(1), faultRemoved(100_000)]

nearMisses(trafficPerOrderIsBounded, [
  ['TRN-STA-10', 'a hundred calls at once', [orders, reads(every(0, 100))], 'passed'],
  [
    'TRN-STA-10',
    'one more',
    [orders, reads(every(100, 101))],
    [[made('10 s', 101), 'a', [0, 10_000]]],
  ],
  ['TRN-STA-10', 'one more, a minute after the first', [orders, reads(every(600, 101))], 'passed'],
  [
    'TRN-STA-10',
    'just before',
    [orders, reads(every(599, 101))],
    [[made('59.9 s', 101), 'a', [0, 59_900]]],
  ],
  [
    'TRN-STA-10',
    'of which some are GETs',
    [orders, reads(every(0, 10)), confirms(every(10, 91, 100))],
    [[made('1 s', 10), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-10',
    'of which the first is none',
    [orders, confirms([0]), reads(every(10, 100, 10))],
    [[made('1 s', 100), 'a', [0, 1000]]],
  ],
  [
    'TRN-STA-10',
    'of two orders',
    [orders, reads(every(0, 100)), reads(every(0, 100), 'b')],
    'passed',
  ],
  [
    'TRN-STA-10',
    'the order changed in between',
    [orders, reads(every(0, 100)), moved(1, 'a', 'CONFIRMED'), reads(every(0, 100, 1))],
    'passed',
  ],
  [
    'TRN-STA-10',
    'after the minute the count begins anew',
    [orders, reads(every(0, 100)), reads(every(0, 100, 60_000)), reads([60_001])],
    [[made('1 ms', 101), 'a', [60_000, 60_001]]],
  ],
  [
    'TRN-STA-10',
    'the order is over',
    [orders, moved(0, 'a', 'DELIVERED'), reads(every(0, 101))],
    'not-exercised',
  ],
  [
    'TRN-STA-10',
    'a fault is in force',
    [orders, faultAdded(0), reads(every(0, 101))],
    'not-exercised',
  ],
  [
    'TRN-STA-10',
    'a fault was in force',
    [orders, fault, reads(every(0, 101, 109_999))],
    'not-exercised',
  ],
  [
    'TRN-STA-10',
    'a fault is over',
    [orders, fault, reads(every(1, 101, 110_000))],
    [[made('100 ms', 101), 'a', [110_000, 110_100]]],
  ],
  [
    'TRN-STA-10',
    'a fault came in between',
    [orders, reads(every(0, 100)), faultAdded(1), faultRemoved(2), reads(every(0, 100, 10_002))],
    'passed',
  ],
  [
    'TRN-STA-10',
    'a call whose body names the order counts',
    [orders, reads(every(0, 100)), delivery(5, 'createDelivery a', 503)],
    [[made('5 ms', 100), 'a', [0, 5]]],
  ],
  ['TRN-STA-10', 'of an unknown order', reads(every(0, 101), 'x'), 'not-exercised'],
])
