// @module-tag slow
/** Rules about call rates, RC-1 to RC-3. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const get = 'GET /orders/…  200'
const nine = Array.from({ length: 9 }, () => get)

/** An Ordering Application that is slow, or never concludes an order. */
const host = (habits: object): NonNullable<InvariantStory['session']> => ({
  counterparts: { 'ordering-application': { channel: 'polling', deliveries: false, ...habits } },
})

const oneOrder: InvariantStory['play'] = async (harness) => {
  await harness.order('TAKEOUT')
  await harness.pass(60_000)
}

/** Twelve events without a status in one batch. */
const informed: InvariantStory['play'] = async (harness) => {
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(20_000)
  for (let count = 0; count < 12; count++)
    await harness.session.submit({
      kind: 'event.emit',
      orderId,
      eventType: 'PREPARATION_REQUESTED',
    })
  await harness.pass(20_000)
}

testInvariant({
  id: 'RC-1',
  clauses: 'ORD-OPS-04, TRN-STA-10',
  when: 'when many events of an order come at once',
  story: { session: host({ processing: 100_000 }), play: informed },
  caught: {
    'reads-per-event': {
      because: says('o1 9 times within 0 ms'),
      lines: nine,
    },
  },
})

/** The same number as single webhooks, each of which justifies a read. */
const informedOneByOne: InvariantStory['play'] = async (harness) => {
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(20_000)
  for (let count = 0; count < 12; count++) {
    await harness.session.submit({
      kind: 'event.emit',
      orderId,
      eventType: 'PREPARATION_REQUESTED',
    })
    await harness.pass(200)
  }
  await harness.pass(20_000)
}

testInvariant({
  id: 'RC-1',
  clauses: 'ORD-OPS-04, TRN-STA-10',
  when: 'when many webhooks about an order come one after the other',
  story: {
    channel: 'webhook',
    session: {
      counterparts: {
        'ordering-application': { channel: 'webhook', processing: 100_000, deliveries: false },
      },
    },
    play: informedOneByOne,
  },
  caught: {
    'reads-in-a-loop': {
      because: says('o1 10 times within 1.2 s', 'one webhook'),
      lines: [...nine, get],
    },
  },
})

const slowHost: InvariantStory = { session: host({ processing: 8000 }), play: oneOrder }

testInvariant({
  id: 'RC-1',
  clauses: 'ORD-OPS-04, TRN-STA-10',
  when: 'when what was accepted takes its time',
  story: slowHost,
  caught: {
    'reads-in-a-loop': {
      because: says('o1 9 times within 704 ms'),
      lines: nine,
    },
  },
})

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

const looping = {
  because: says('101 calls about o1', /\d s/, /GETs: \d+/),
  lines: [get, get],
}

testInvariant({
  id: 'RC-3',
  clauses: 'TRN-STA-10',
  when: 'when what was accepted takes its time',
  story: slowHost,
  caught: { 'reads-in-a-loop': looping },
})

testInvariant({
  id: 'RC-3',
  clauses: 'TRN-STA-10',
  when: 'when an order does not move for a while',
  story: { session: host({ processing: 20_000 }), play: oneOrder },
  caught: { 'reconciles-ever-faster': looping },
})
