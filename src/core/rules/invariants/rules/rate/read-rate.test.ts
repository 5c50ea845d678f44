// @module-tag slow
/** Rules about call rates, RC-1 to RC-3. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

const get = 'GET /orders/…  200'

/** An Ordering Application that is slow, or never concludes an order. */
const host = (habits: object): NonNullable<InvariantStory['session']> => ({
  counterparts: { 'ordering-application': { channel: 'polling', deliveries: false, ...habits } },
})

const oneOrder: InvariantStory['play'] = async (harness) => {
  await harness.order('TAKEOUT')
  await harness.pass(60_000)
}

testInvariants(`
  RC-1 [ORD-OPS-04, TRN-STA-10] when many events of an order come at once
    with { session: { counterparts: { ordering-application: { channel: polling, deliveries: false, processing: 100000 } } } }
    play order TAKEOUT; 20000; emit o1 PREPARATION_REQUESTED x12; 20000
    reads-per-event o1 advice: o1 9 times within 0 ms => GET /orders/…  200 x9

  RC-1 [ORD-OPS-04, TRN-STA-10] when many webhooks about an order come one after the other, and the user limits the reads
    with { channel: webhook, session: { tolerances: { reads: 8 }, counterparts: { ordering-application: { channel: webhook, processing: 100000, deliveries: false } } } }
    play order TAKEOUT; 20000; emit o1 PREPARATION_REQUESTED & 200 x12; 20000
    reads-in-a-loop: o1 10 times within 1.2 s … one webhook => GET /orders/…  200 x10

  RC-1 [ORD-OPS-04, TRN-STA-10] when what was accepted takes its time, and the user limits the reads
    with { session: { tolerances: { reads: 8 }, counterparts: { ordering-application: { channel: polling, deliveries: false, processing: 8000 } } } }
    play order TAKEOUT; 60000
    reads-in-a-loop: o1 9 times within 704 ms => GET /orders/…  200 x9
`)

testInvariant({
  id: 'RC-2',
  clauses: 'ORD-TRA-10, ORD-TRA-11, ORD-EVT-17',
  when: 'when an order comes to its end',
  story: { play: oneOrder },
  caught: {
    'reconciles-for-ever': {
      because: says(
        /o1 4 times within 4\d\.\d s/,
        'after it was over',
        /(?:read|acknowledged) DELIVERED/,
      ),
      lines: [get, get, get, get],
    },
  },
})

testInvariant({
  id: 'RC-2',
  clauses: 'ORD-TRA-10, ORD-TRA-11, ORD-EVT-17',
  when: 'when CONCLUDED never comes',
  story: { session: host({ concludeAfter: 600_000 }), play: oneOrder },
  caught: {
    'waits-for-concluded': {
      because: says(/o1 4 times within 4\d(?:\.\d)? s/, 'after it was over'),
      lines: [get, get, get, get],
    },
  },
})

testInvariants(`
  RC-3 [TRN-STA-10] when what was accepted takes its time
    with { session: { counterparts: { ordering-application: { channel: polling, deliveries: false, processing: 8000 } } } }
    play order TAKEOUT; 60000
    reads-in-a-loop: 101 calls about o1 … # s … GETs: #+ => GET /orders/…  200 x2

  RC-3 [TRN-STA-10] when an order does not move for a while
    with { session: { counterparts: { ordering-application: { channel: polling, deliveries: false, processing: 20000 } } } }
    play order TAKEOUT; 60000
    reconciles-ever-faster: 101 calls about o1 … # s … GETs: #+ => GET /orders/…  200 x2
`)
