/** Rules about call rates, RC-1 to RC-3. */
import { rehearse, type Story } from '../../../../test/support/invariant-cases.ts'

const get = 'GET /orders/…  200'
const nine = Array.from({ length: 9 }, () => get)

/** An Ordering Application that is slow, or never concludes an order. */
const host = (habits: object): NonNullable<Story['session']> => ({
  counterparts: { 'ordering-application': { channel: 'polling', deliveries: false, ...habits } },
})

const oneOrder: Story['tell'] = async (duel) => {
  await duel.order('TAKEOUT')
  await duel.pass(60_000)
}

/** Twelve events without a status in one batch. */
const informed: Story['tell'] = async (duel) => {
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(20_000)
  for (let count = 0; count < 12; count++)
    await duel.session.submit({ kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' })
  await duel.pass(20_000)
}

rehearse({
  id: 'RC-1',
  clauses: 'ORD-OPS-04, TRN-STA-10',
  when: 'when many events of an order come at once',
  story: { session: host({ processing: 100_000 }), tell: informed },
  caught: {
    'reads-per-event': {
      because: 'The service read o1 9 times within 0 ms, and was answered each time.',
      lines: nine,
    },
  },
})

/** The same number as single webhooks, each of which justifies a read. */
const informedOneByOne: Story['tell'] = async (duel) => {
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(20_000)
  for (let count = 0; count < 12; count++) {
    await duel.session.submit({ kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' })
    await duel.pass(200)
  }
  await duel.pass(20_000)
}

rehearse({
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
    tell: informedOneByOne,
  },
  caught: {
    'reads-in-a-loop': {
      because:
        /^The service read o1 10 times within 1\.2 s, and was answered each time, though no more than one webhook about it came in that time\.$/,
      lines: [...nine, get],
    },
  },
})

const slowHost: Story = { session: host({ processing: 8000 }), tell: oneOrder }

rehearse({
  id: 'RC-1',
  clauses: 'ORD-OPS-04, TRN-STA-10',
  when: 'when what was accepted takes its time',
  story: slowHost,
  caught: {
    'reads-in-a-loop': {
      because: /^The service read o1 9 times within 704 ms, and was answered each time\.$/,
      lines: nine,
    },
  },
})

rehearse({
  id: 'RC-2',
  clauses: 'ORD-TRA-10, ORD-TRA-11, ORD-EVT-17',
  when: 'when an order comes to its end',
  story: { tell: oneOrder },
  caught: {
    'reconciles-for-ever': {
      because:
        /^The service read o1 4 times within 4\d\.\d s after it was over and without any news of it, though the service had (read|acknowledged) DELIVERED/,
      lines: [get, get, get, get],
    },
  },
})

rehearse({
  id: 'RC-2',
  clauses: 'ORD-TRA-10, ORD-TRA-11, ORD-EVT-17',
  when: 'when CONCLUDED never comes',
  story: { session: host({ concludeAfter: 600_000 }), tell: oneOrder },
  caught: {
    'waits-for-concluded': {
      because:
        /^The service read o1 4 times within 4\d(\.\d)? s after it was over and without any news/,
      lines: [get, get, get, get],
    },
  },
})

const looping = {
  because:
    /^The service made 101 calls about o1 within .* s, \d+ of them to read it, while nothing/,
  lines: [get, get],
}

rehearse({
  id: 'RC-3',
  clauses: 'TRN-STA-10',
  when: 'when what was accepted takes its time',
  story: slowHost,
  caught: { 'reads-in-a-loop': looping },
})

rehearse({
  id: 'RC-3',
  clauses: 'TRN-STA-10',
  when: 'when an order does not move for a while',
  story: { session: host({ processing: 20_000 }), tell: oneOrder },
  caught: { 'reconciles-ever-faster': looping },
})
