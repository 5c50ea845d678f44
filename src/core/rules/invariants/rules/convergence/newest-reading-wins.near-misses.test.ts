/** Near misses of CV-7. */
import { call, created, moved, read } from '../../../../../../test/support/near-miss-steps.ts'
import { nearMisses, type Steps } from '../../../../../../test/support/near-misses.ts'
import type { OrderStatus } from '../../../../protocol/orders/order.ts'
import { newestReadingWins } from './newest-reading-wins.ts'

const orders = [created(0, 'a'), created(0, 'b')]
const newer = (status: OrderStatus = 'READY'): Steps => read(100, 'a', status, { took: 100 })
const older = (status: OrderStatus = 'CONFIRMED', from = 50): Steps =>
  read(from, 'a', status, { took: 450 })
const overtaken = [orders, newer(), older(), moved(500, 'a', 'READY')]
const prepare = (at: number): Steps => call(at, 'setOrderPreparing a')
const old = (what = 'reported o1 as being prepared', at = '01.201'): string =>
  `The service ${what} at 15:00:${at}, based on CONFIRMED: that reply arrived last, but its GET (at 15:00:00.050) was sent before the one that returned READY (at 15:00:00.100).`
const found = [[old(), 'a', [100, 50, 1201]]] as const

nearMisses(newestReadingWins, [
  [
    'ORD-EVR-01',
    'the replies came in order',
    [orders, read(0, 'a', 'CONFIRMED'), newer(), prepare(1201)],
    'not-exercised',
  ],
  ['ORD-EVR-01', 'an older one came last', overtaken, 'passed'],
  ['ORD-EVR-01', 'an older one came last and is followed', [overtaken, prepare(1201)], found],
  [
    'ORD-EVR-01',
    'it is followed within a moment of the newer one',
    [overtaken, prepare(1200)],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the newer one is followed',
    [overtaken, call(1201, 'setOrderDelivered a')],
    'passed',
  ],
  ['ORD-EVR-01', 'neither is', [overtaken, call(1201, 'confirmOrder a')], 'passed'],
  [
    'ORD-EVR-01',
    'each operation is reported once',
    [overtaken, prepare(1201), prepare(1202), call(1203, 'setOrderReadyForPickup a')],
    [
      [old(), 'a', [100, 50, 1201]],
      [old('reported o1 as ready', '01.203'), 'a', [100, 50, 1203]],
    ],
  ],
  [
    'ORD-EVR-01',
    'the call began before the older one had come',
    [
      orders,
      newer(),
      read(50, 'a', 'CONFIRMED', { took: 1450 }),
      moved(1500, 'a', 'READY'),
      call(1499, 'setOrderPreparing a', 202, { took: 10 }),
    ],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'the call began as it came',
    [
      orders,
      newer(),
      read(50, 'a', 'CONFIRMED', { took: 1450 }),
      moved(1500, 'a', 'READY'),
      prepare(1500),
    ],
    [[old('reported o1 as being prepared', '01.500'), 'a', [100, 50, 1500]]],
  ],
  [
    'ORD-EVR-01',
    'the GETs began together',
    [orders, newer(), older('CONFIRMED', 100), moved(550, 'a', 'READY'), prepare(1201)],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'the replies came together',
    [
      orders,
      newer(),
      read(50, 'a', 'CONFIRMED', { took: 150 }),
      moved(500, 'a', 'READY'),
      prepare(1201),
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'of two newer ones that show the same the first counts',
    [
      [orders, newer(), read(300, 'a', 'READY', { took: 100 }), older('CONFIRMED', 250)],
      [moved(700, 'a', 'READY'), prepare(1500)],
    ],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'both show the same',
    [orders, newer('CONFIRMED'), older(), moved(500, 'a', 'READY'), prepare(1201)],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'the older one shows more',
    [orders, newer('CONFIRMED'), older('READY'), moved(500, 'a', 'READY'), prepare(1201)],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'the order is what the older one shows',
    [orders, newer(), older(), moved(500, 'a', 'CONFIRMED'), prepare(1201)],
    'passed',
  ],
  [
    'ORD-EVR-01',
    'a reply shows no status',
    [orders, newer(), read(50, 'a', 'CONFIRMED', { took: 450, answer: {} }), prepare(1201)],
    'not-exercised',
  ],
  [
    'ORD-EVR-01',
    'it goes further than the newer one shows',
    [
      orders,
      newer('CONFIRMED'),
      older('CREATED'),
      moved(500, 'a', 'CONFIRMED'),
      call(1201, 'setOrderPreparing a'),
    ],
    'passed',
  ],
  ['ORD-EVR-01', 'of another order', [overtaken, call(1201, 'setOrderPreparing b')], 'passed'],
])

nearMisses(
  newestReadingWins,
  [
    [
      'ORD-EVR-01',
      'it may have been a moment',
      [overtaken, prepare(1400)],
      [[old('reported o1 as being prepared', '01.400'), 'a', [100, 50, 1400], 'inconclusive']],
    ],
    [
      'ORD-EVR-01',
      'it was not',
      [overtaken, prepare(1401)],
      [[old('reported o1 as being prepared', '01.401'), 'a', [100, 50, 1401]]],
    ],
  ],
  { lagMs: 100 },
)
