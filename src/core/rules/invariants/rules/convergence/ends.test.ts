/** Rules about orders being read and completed despite losses and failures. */
import type { InProcessHarness } from '../../../../../../test/support/in-process-harness.ts'
import { testInvariant } from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const poll = 'GET /events:polling  200'
const read = 'GET /orders/…  200'

const one = async (harness: InProcessHarness): Promise<void> => {
  await harness.order('TAKEOUT')
  await harness.pass(60_000)
}

const stuckIn = (status: string): RegExp =>
  says(`o1 is still ${status}`, /1\d\d s after/, 'The last call')

testInvariant({
  id: 'CV-1',
  clauses: 'ORD-GEN-05, ORD-EVR-06',
  when: 'when CONFIRMED is lost',
  story: { faults: [{ drop: { event: 'CONFIRMED' } }], play: one },
  caught: {
    'never-reconciles': {
      because: stuckIn('CONFIRMED'),
      lines: [poll, 'POST /orders/…/confirm  202'],
    },
  },
})

testInvariant({
  id: 'CV-1',
  clauses: 'ORD-GEN-05, ORD-EVR-06',
  when: 'when PREPARING is lost',
  story: { faults: [{ drop: { event: 'PREPARING' } }], play: one },
  caught: {
    'reconciles-only-created': {
      because: stuckIn('PREPARING'),
      lines: [poll, 'POST /orders/…/preparing  202'],
    },
  },
})

testInvariant({
  id: 'CV-1',
  clauses: 'ORD-GEN-05',
  when: 'when nothing goes wrong',
  story: {
    async play(harness) {
      await harness.order('DELIVERY')
      await harness.pass(60_000)
    },
  },
  caught: {
    'dispatches-when-preparing': { because: stuckIn('PREPARING'), lines: [poll, read] },
  },
})

testInvariant({
  id: 'CV-1',
  clauses: 'ORD-CAN-06',
  when: 'when a request to cancel is denied',
  story: {
    async play(harness) {
      const orderId = await harness.order('TAKEOUT')
      await harness.pass(2000)
      const asked = harness.requestCancellation(orderId)
      await harness.pass(300)
      await harness.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
      await harness.pass(60_000)
      await asked
    },
  },
  caught: {
    'never-resumes': { because: stuckIn('CONFIRMED'), lines: [poll, read] },
    'takes-request-for-cancelled': {
      because: stuckIn('CONFIRMED'),
      lines: [poll, 'POST /orders/…/requestCancellation  202'],
    },
  },
})

testInvariant({
  id: 'CV-1',
  clauses: 'ORD-GEN-05, TRN-STA-12',
  when: 'when a call fails until the service has given up once',
  story: { faults: [{ fail: { operation: 'confirmOrder', burst: 'outlast' } }], play: one },
  caught: {
    'fire-and-forget': { because: stuckIn('CREATED'), lines: [poll, read] },
    'gives-up-after-four': { because: stuckIn('CREATED'), lines: [poll, read] },
  },
})

testInvariant({
  id: 'CV-1',
  clauses: 'ORD-GEN-05',
  when: 'when a call is never answered',
  story: {
    faults: [{ hang: { operation: 'confirmOrder', limit: 1 } }],
    faultsExpire: true,
    play: one,
  },
  caught: { 'no-client-timeout': { because: stuckIn('CREATED'), lines: [poll, read] } },
})

const neverRead = (slot: string, eventType = 'CREATED'): RegExp =>
  says(`never read ${slot}`, eventType, /at \d/, 'no GET')

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03, ORD-EVR-04',
  when: 'when CREATED never comes, and another event does',
  story: {
    faults: [{ drop: { event: 'CREATED', even: 'revealing' } }],
    async play(harness) {
      const orderId = await harness.order('TAKEOUT')
      const eventType = 'PREPARATION_REQUESTED'
      await harness.session.submit({ kind: 'event.emit', orderId, eventType })
      await harness.pass(60_000)
    },
  },
  caught: {
    'drops-events-of-unknown-orders': {
      because: neverRead('o1', 'PREPARATION_REQUESTED'),
      lines: [poll],
      advice: true,
    },
  },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03',
  when: 'when the acknowledgment is accepted, and its answer never comes',
  story: {
    faults: [
      {
        hang: {
          operation: 'acknowledgeEvents',
          event: 'CREATED',
          effect: 'after',
          limit: 1,
        },
      },
    ],
    faultsExpire: true,
    play: one,
  },
  caught: { 'acks-before-storing': { because: neverRead('o1'), lines: [poll] } },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03',
  when: 'when the order cannot be read at first',
  story: { faults: [{ fail: { operation: 'getOrder', limit: 4 } }], play: one },
  caught: {
    'drops-unread-orders': { because: neverRead('o1'), lines: [poll, 'GET /orders/…  503'] },
  },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03',
  when: 'when a webhook comes and the order cannot be read at first',
  story: {
    channel: 'webhook',
    faults: [{ fail: { operation: 'getOrder', limit: 2 } }],
    play: one,
  },
  caught: {
    'answers-before-storing': {
      because: neverRead('o1'),
      lines: ['POST /webhooks/orders  204', 'GET /orders/…  503'],
    },
  },
})

testInvariant({
  id: 'CV-2',
  clauses: 'ORD-FLO-03, ORD-EVR-03',
  when: 'when a webhook is forged first, and comes with its true signature later',
  story: {
    channel: 'webhook',
    faults: [{ 'wrong-signature': { event: 'CREATED', limit: 1 } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(120_000)
    },
  },
  caught: {
    'remembers-before-checking': {
      because: neverRead('o1'),
      lines: ['POST /webhooks/orders  204'],
    },
  },
})

testInvariant({
  id: 'CV-3',
  clauses: 'ORD-EVR-06',
  when: 'when CONFIRMED is lost',
  story: { faults: [{ drop: { event: 'CONFIRMED' } }], play: one },
  caught: {
    'never-reconciles': {
      because: says('CONFIRMED of o1', /at \d/, 'never reached', /18\d s/),
      lines: [poll, 'POST /orders/…/confirm  202'],
    },
  },
})

testInvariant({
  id: 'CV-3',
  clauses: 'ORD-EVR-06',
  when: 'when PREPARING is lost',
  story: { faults: [{ drop: { event: 'PREPARING' } }], play: one },
  caught: {
    'reconciles-only-created': {
      because: says('PREPARING of o1', /at \d/, 'never reached', /18\d s/),
      lines: [poll, 'POST /orders/…/preparing  202'],
    },
  },
})

testInvariant({
  id: 'CV-4',
  clauses: 'ORD-EVR-06',
  when: 'when an event is lost, and the reading that would make up for it fails',
  story: {
    faults: [{ drop: { event: 'CONFIRMED' } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(4000)
      harness.session.faults.add({ fail: { operation: 'getOrder', burst: 4 } })
      await harness.pass(90_000)
    },
  },
  caught: {
    'reconcile-dies-on-error': {
      because: says('not read o1 again', /GET at \d/, 'answered 503', /\d s ago/),
      lines: [read, 'GET /orders/…  503'],
    },
    'reconcile-gives-up': {
      because: says('not read o1 again', /GET at \d/, 'answered 503', /\d s ago/),
      lines: [read, 'GET /orders/…  503'],
    },
  },
})
