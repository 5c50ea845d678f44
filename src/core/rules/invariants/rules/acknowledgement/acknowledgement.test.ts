// @module-tag slow
/** Rules about acknowledgments, AK-1 to AK-6. */
import {
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

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

testInvariants(`
  AK-1 [ORD-OPS-02, ORD-FLO-03] when four acknowledgments in a row fail
    with { faults: [{ fail: { operation: acknowledgeEvents, limit: 4 } }] }
    play order TAKEOUT; 30000
    acks-only-new-events: CREATED of o1 … 1## times … did not acknowledge it again => GET /events:polling  200 x2
    never-acks: CREATED of o1 … 1## times … never acknowledged => GET /events:polling  200 x2

  AK-2 [ORD-OPS-02] when an event tells of no status
    play order TAKEOUT; 1500; emit o1 PREPARATION_REQUESTED; 30000
    never-acks: PREPARATION_REQUESTED of o1 … no status … #+ times … never acknowledged => GET /events:polling  200 x2
    acks-known-types-only: PREPARATION_REQUESTED of o1 … no status … #+ times … never acknowledged => GET /events:polling  200 x2
    acks-filtered-batch: PREPARATION_REQUESTED of o1 … no status … #+ times … never acknowledged => GET /events:polling  200 x2

  AK-2 [ORD-OPS-02] when nobody knows the type of an event
    with { faults: [{ unknown-event: { event: CREATED } }] }
    play order TAKEOUT; 30000
    chokes-on-unknown-types: X_LOYALTY_HINT of o1 … unknown type … 1## times => GET /events:polling  200 x2
`)

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

testInvariants(`
  AK-4 [ORD-FLO-03, ORD-GEN-05] when the answer to an acknowledgment is an error after its effect
    with { faults: [{ fail: { operation: acknowledgeEvents, event: CREATED, effect: after, limit: 1 } }] }
    play order TAKEOUT; 30000
    acks-before-storing: acknowledged CREATED of o1 … never read => POST /events/acknowledgment  503

  AK-4 [ORD-FLO-03, ORD-GEN-05] when the first GETs fail
    with { faults: [{ fail: { operation: getOrder, limit: 4 } }] }
    play order TAKEOUT; 30000
    drops-unread-orders: acknowledged CREATED of o1 … GET failed … not retried => POST /events/acknowledgment  202; GET /orders/…  503

  AK-5 [ORD-OPS-02] when no faults are active
    play order TAKEOUT; 30000
    acks-at-end-of-order: CREATED of o1 … third time … 2 s after the first … not acknowledged => GET /events:polling  200 x2
    acks-every-fifth-poll: CREATED of o1 … third time … 2 s after the first … not acknowledged => GET /events:polling  200 x2
    acks-in-another-form: CREATED of o1 … third time … last acknowledgment got a 400 => GET /events:polling  200 x2

  AK-6 [ORD-OPS-02] when there is nothing to acknowledge
    play order TAKEOUT; 30000
    acks-nothing -: no event … 1 to 1000 => POST /events/acknowledgment  202
    acks-filtered-batch -: no event … 1 to 1000 => POST /events/acknowledgment  202
`)
