/** Rules about acknowledgments, AK-1 to AK-6. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const poll = 'GET /events:polling  200'
const acknowledgment = 'POST /events/acknowledgment  202'

const oneOrder: InvariantStory['play'] = async (harness) => {
  await harness.order('TAKEOUT')
  await harness.pass(30_000)
}

/** With an event type that has no status. */
const informed: InvariantStory['play'] = async (harness) => {
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(1500)
  await harness.session.submit({ kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' })
  await harness.pass(30_000)
}

const requested = {
  because: says('PREPARATION_REQUESTED of o1', 'no status', /\d+ times/, 'never acknowledged'),
  lines: [poll, poll],
}

testInvariant({
  id: 'AK-1',
  clauses: 'ORD-OPS-02, ORD-FLO-03',
  when: 'when four acknowledgments in a row fail',
  story: { faults: [{ fail: { operation: 'acknowledgeEvents', limit: 4 } }], play: oneOrder },
  caught: {
    'acks-only-new-events': {
      because: says('CREATED of o1', /1\d\d times/, 'did not acknowledge it again'),
      lines: [poll, poll],
    },
    'never-acks': {
      because: says('CREATED of o1', /1\d\d times/, 'never acknowledged'),
      lines: [poll, poll],
    },
  },
})

testInvariant({
  id: 'AK-2',
  clauses: 'ORD-OPS-02',
  when: 'when an event tells of no status',
  story: { play: informed },
  caught: {
    'never-acks': requested,
    'acks-known-types-only': requested,
    'acks-filtered-batch': requested,
  },
})

testInvariant({
  id: 'AK-2',
  clauses: 'ORD-OPS-02',
  when: 'when nobody knows the type of an event',
  story: { faults: [{ 'unknown-event': { event: 'CREATED' } }], play: oneOrder },
  caught: {
    'chokes-on-unknown-types': {
      because: says('X_LOYALTY_HINT of o1', 'unknown type', /1\d\d times/),
      lines: [poll, poll],
    },
  },
})

testInvariant({
  id: 'AK-2',
  clauses: 'ORD-OPS-02, ORD-EVR-03',
  when: 'when an event comes again although its acknowledgment was accepted',
  story: {
    faults: [{ 'ack-lag': { event: 'PREPARATION_REQUESTED', limit: 1 } }],
    play: informed,
  },
  caught: {
    'acks-only-new-events': {
      because: says(
        'PREPARATION_REQUESTED of o1',
        'did not acknowledge it again',
        /event [\da-f-]{36}/,
      ),
      lines: [poll, poll],
    },
  },
})

testInvariant({
  id: 'AK-1',
  clauses: 'ORD-OPS-02, ORD-EVR-03',
  when: 'when an event comes again although its acknowledgment was accepted',
  story: { faults: [{ 'ack-lag': { event: 'CONFIRMED', limit: 1 } }], play: oneOrder },
  caught: {
    'acks-only-new-events': {
      because: says('CONFIRMED of o1', 'did not acknowledge it again', /event [\da-f-]{36}/),
      lines: [poll, poll],
    },
  },
})

testInvariant({
  id: 'AK-3',
  clauses: 'ORD-OPS-02',
  when: 'whatever comes',
  story: { faults: [{ 'unknown-event': { event: 'CREATED' } }], play: oneOrder },
  caught: {
    'acks-order-ids': {
      slot: null,
      because: says(/id "[\da-f-]{36}"/, 'no event', '202'),
      lines: [acknowledgment],
    },
    'acks-altered-ids': {
      slot: null,
      because: says(/id "[\dA-F-]{36}"/, 'no event', '202'),
      lines: [acknowledgment],
    },
  },
})

testInvariant({
  id: 'AK-4',
  clauses: 'ORD-FLO-03, ORD-GEN-05',
  when: 'when the answer to an acknowledgment is an error after its effect',
  story: {
    faults: [
      { fail: { operation: 'acknowledgeEvents', event: 'CREATED', effect: 'after', limit: 1 } },
    ],
    play: oneOrder,
  },
  caught: {
    'acks-before-storing': {
      because: says('acknowledged CREATED of o1', 'never read'),
      lines: ['POST /events/acknowledgment  503'],
    },
  },
})

testInvariant({
  id: 'AK-4',
  clauses: 'ORD-FLO-03, ORD-GEN-05',
  when: 'when the first GETs fail',
  story: { faults: [{ fail: { operation: 'getOrder', limit: 4 } }], play: oneOrder },
  caught: {
    'drops-unread-orders': {
      because: says('acknowledged CREATED of o1', 'GET failed', 'not retried'),
      lines: [acknowledgment, 'GET /orders/…  503'],
    },
  },
})

const third = {
  because: says('CREATED of o1', 'third time', '2 s after the first', 'not acknowledged'),
  lines: [poll, poll],
}

testInvariant({
  id: 'AK-5',
  clauses: 'ORD-OPS-02',
  when: 'when no faults are active',
  story: { play: oneOrder },
  caught: { 'acks-at-end-of-order': third, 'acks-every-fifth-poll': third },
})

const nothing = {
  slot: null,
  because: says('no event', '1 to 1000'),
  lines: [acknowledgment],
} as const

testInvariant({
  id: 'AK-6',
  clauses: 'ORD-OPS-02',
  when: 'when there is nothing to acknowledge',
  story: { play: oneOrder },
  caught: { 'acks-nothing': nothing, 'acks-filtered-batch': nothing },
})
