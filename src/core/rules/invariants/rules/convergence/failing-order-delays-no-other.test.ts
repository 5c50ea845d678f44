/** CV-13: one order that can never be read, and healthy ones beside it. */
import type { InProcessHarness } from '../../../../../../test/support/in-process-harness.ts'
import { testInvariant } from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const unreadable = (slot: string) => ({ hang: { operation: 'getOrder', order: slot } })

testInvariant({
  id: 'CV-13',
  clauses: 'ORD-GEN-05',
  when: 'when the first of two orders cannot be read for good',
  story: {
    faults: [unreadable('o1')],
    async play(harness: InProcessHarness) {
      await harness.order('TAKEOUT')
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
      await harness.order('TAKEOUT')
      await harness.pass(140_000)
    },
  },
  caught: {
    'one-queue': {
      slot: 'o2',
      because: says(/^o2\b/, /is still [A-Z_]+ \d+ s after/, 'o1 fails', /\d+ failed calls/),
      lines: ['GET /events:polling  200', ' /orders/…', 'GET /orders/…  HUNG'],
    },
  },
})

testInvariant({
  id: 'CV-13',
  clauses: 'ORD-GEN-05',
  when: 'when one order after the other comes that cannot be read',
  story: {
    // A service that misses events recovers by reconciliation, but not that soon.
    pace: { reconcileMs: 60_000 },
    faults: Array.from({ length: 12 }, (_, number) => unreadable(`o${number + 3}`)).concat(
      unreadable('o1'),
    ),
    async play(harness: InProcessHarness) {
      for (let number = 0; number < 14; number++) {
        await harness.order('TAKEOUT')
        await harness.pass(number === 0 ? 1500 : 15_000)
      }
    },
  },
  caught: {
    'poll-waits-for-orders': {
      slot: 'o2',
      because: says(/^o2\b/, /\d+ s after/, 'o1 fails'),
      lines: ['GET /events:polling  200', ' /orders/…', 'GET /orders/…  HUNG'],
    },
  },
})
