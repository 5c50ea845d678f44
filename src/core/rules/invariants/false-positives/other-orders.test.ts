/** Content and target of calls: SE-9, SE-11 and SE-14. */
import { says } from '../../../../../test/support/says.ts'
import { minimalOrder } from '../../../../../test/support/minimal-order.ts'
import { testInvariant } from '../../../../../test/support/invariant-cases.ts'
import { testInvariants } from '../../../../../test/support/invariant-stories.ts'

testInvariant({
  id: 'SE-9',
  clauses: 'LOG-FLD-02, LOG-FLD-04',
  when: 'when two orders are delivered at the same time',
  story: {
    delivers: true,
    async play(harness) {
      await harness.order('DELIVERY')
      await harness.order('DELIVERY')
      await harness.pass(60_000)
    },
  },
  caught: {
    'mixes-orders': {
      slot: 'o2',
      because: says('a delivery for o2 at', /the merchant \S+ instead of/),
      lines: ['GET /orders/…  200', 'POST /logistics/delivery  202'],
    },
    'swaps-addresses': {
      slot: 'o2',
      because: says('a delivery for o2 at', 'the address Rua Augusta, 100 instead of'),
      lines: ['GET /orders/…  200', 'POST /logistics/delivery  202'],
    },
  },
})

testInvariant({
  id: 'SE-9',
  clauses: 'ORD-EVR-01',
  when: 'when times of an order are written in local time',
  story: {
    delivers: true,
    async play(harness) {
      await harness.session.createOrder({ type: 'DELIVERY', sample: 'scheduled-in-local-time' })
      await harness.pass(60_000)
    },
  },
  caught: {
    'reads-local-times-as-utc': {
      because: says('a delivery for o1 at', /preparationStartDateTime \S+Z instead of \S+-03:00/),
      lines: ['GET /orders/…  200', 'POST /logistics/delivery  202'],
    },
  },
})

testInvariant({
  id: 'SE-14',
  clauses: 'ORD-EVR-01',
  when: 'when an order with nested options is paid in the app, and another at the door',
  story: {
    delivers: true,
    async play(harness) {
      for (const sample of ['options-five-deep', 'prepaid', 'prepaid-and-pending'] as const)
        await harness.session.createOrder({ type: 'DELIVERY', sample })
      await harness.pass(60_000)
    },
  },
  caught: {
    'adds-up-without-options': {
      slot: 'o2',
      because: says('a delivery for o2 at', /the price \S+ instead of \d/),
      lines: ['GET /orders/…  200', 'POST /logistics/delivery  202'],
    },
    'collects-what-is-paid': {
      slot: 'o2',
      because: says('a delivery for o2 at', 'to collect at the door, and all of it is paid'),
      lines: ['GET /orders/…  200', 'POST /logistics/delivery  202'],
    },
  },
})

testInvariants(`
  SE-11 [ORD-GEN-03] when two orders are dealt with at the same time
    play order TAKEOUT x2; 60000
    shares-the-current-order o2: confirmed o2 at … X-Request-Id … another order, o1 => GET /orders/…  200; POST /orders/…/confirm  202
`)

testInvariant({
  id: 'SE-11',
  clauses: 'AUT-MER-01',
  when: 'when an order of a merchant comes that is not its own',
  story: {
    async play(harness) {
      const order = minimalOrder('o-foreign', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
      await harness.session.createOrder({ order })
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  },
  caught: {
    'acts-for-any-merchant': {
      because: says('confirmed o1 at', 'the merchant somebody-else', 'GET /merchants'),
      lines: ['GET /merchants?page=1&pageSize=200  200', 'POST /orders/o-foreign/confirm  202'],
    },
  },
})
