/** Rules about cancelled orders and cancellation requests. */
import { expect, test } from 'vitest'
import { openHarness } from '../../../../../../test/support/in-process-harness.ts'
import {
  cancelByOriginator,
  testInvariant,
  type InvariantStory,
} from '../../../../../../test/support/invariant-cases.ts'
import { says } from '../../../../../../test/support/says.ts'

const takenCancelled = 'POST /webhooks/orders  204'

testInvariant({
  id: 'SE-3',
  clauses: 'ORD-CAN-02',
  when: 'when CANCELLED comes while somebody thinks about the order',
  story: {
    channel: 'webhook',
    pace: { thinkMs: 6000 },
    async play(harness) {
      const orderId = await harness.order('TAKEOUT')
      await harness.pass(500)
      await cancelByOriginator(harness, orderId)
      await harness.pass(60_000)
    },
  },
  caught: {
    'timers-outlive-orders': {
      because: says('confirmed o1 8.2 s after', 'webhook of CANCELLED', 'at 15:00:00.500'),
      lines: [takenCancelled, 'POST /orders/…/confirm  409'],
    },
  },
})

testInvariant({
  id: 'SE-3',
  clauses: 'ORD-CAN-02',
  when: 'when CANCELLED comes between two attempts of a call',
  story: {
    channel: 'webhook',
    faults: [{ fail: { operation: 'confirmOrder', burst: 'outlast' } }],
    async play(harness) {
      const orderId = await harness.order('TAKEOUT')
      await harness.pass(3000)
      await cancelByOriginator(harness, orderId)
      await harness.pass(60_000)
    },
  },
  caught: {
    'finishes-what-it-began': {
      because: says('confirmed o1 5.1 s after', 'webhook of CANCELLED'),
      lines: [takenCancelled, 'POST /orders/…/confirm  503'],
    },
  },
})

testInvariant({
  id: 'SE-3',
  clauses: 'ORD-CAN-02, ORD-EVR-01',
  when: 'when CANCELLED comes and the order cannot be read',
  story: {
    channel: 'webhook',
    pace: { thinkMs: 6000 },
    faults: [{ fail: { operation: 'getOrder', after: 'CANCELLED' } }],
    async play(harness) {
      const orderId = await harness.order('TAKEOUT')
      await harness.pass(500)
      await cancelByOriginator(harness, orderId)
      await harness.pass(60_000)
    },
  },
  caught: {
    'acts-though-unread': {
      because: says('confirmed o1', /\d s after/, 'webhook of CANCELLED'),
      lines: [takenCancelled, 'POST /orders/…/confirm  409'],
    },
  },
})

/** The order stays unchanged once its delivery was requested, and is cancelled there. */
const cancelledOnTheWay = (...faults: NonNullable<InvariantStory['faults']>): InvariantStory => ({
  delivers: true,
  faults: [{ 'slow-effect': { trigger: 'preparing', by: '60s' } }, ...faults],
  async play(harness) {
    const orderId = await harness.order('DELIVERY')
    await harness.pass(8000)
    await cancelByOriginator(harness, orderId)
    await harness.pass(60_000)
  },
})

const readCancelled = 'GET /orders/…  200'

testInvariant({
  id: 'SE-4',
  clauses: 'LOG-CON-04',
  when: 'when an order is cancelled whose delivery is under way',
  story: cancelledOnTheWay(),
  caught: {
    'never-compensates': {
      because: says(
        'o1 was cancelled at 15:00:08.000',
        'at 15:00:02.000 (answered 202)',
        'not cancelled 185 s later',
        'had read CANCELLED',
      ),
      lines: ['POST /logistics/delivery  202', readCancelled],
    },
  },
})

testInvariant({
  id: 'SE-4',
  clauses: 'LOG-CON-04, LOG-CON-03',
  when: 'when nobody has told the service that the delivery exists',
  story: cancelledOnTheWay({ reset: { operation: 'createDelivery', effect: 'after' } }),
  caught: {
    'undoes-only-what-was-answered': {
      because: says('(not answered (RESET))', 'not cancelled'),
      lines: ['POST /logistics/delivery  RESET', readCancelled],
    },
  },
})

testInvariant({
  id: 'SE-4',
  clauses: 'LOG-CON-04, LOG-OPS-08',
  when: 'when cancelling the delivery fails',
  story: cancelledOnTheWay({ fail: { operation: 'cancelDelivery', burst: 1 } }),
  caught: {
    'gives-up-undoing': {
      because: says('not cancelled', 'Its last call of cancelDelivery failed'),
      lines: [
        'POST /logistics/delivery  202',
        readCancelled,
        'POST /logistics/delivery/…/cancel  503',
      ],
    },
  },
})

testInvariant({
  id: 'SE-5',
  clauses: 'ORD-OPS-10',
  when: 'when a call is refused, because the order has ended meanwhile',
  story: {
    pace: { thinkMs: 3000 },
    faults: [{ delay: { event: 'CANCELLED', by: '20s' } }],
    async play(harness) {
      const orderId = await harness.order('TAKEOUT')
      await harness.pass(1200)
      await cancelByOriginator(harness, orderId)
      await harness.pass(60_000)
    },
  },
  caught: {
    'cancels-on-conflict': {
      because: says('cancellation of o1', 'confirmOrder was answered 409'),
      lines: ['POST /orders/…/confirm  409', 'POST /orders/…/requestCancellation  202'],
    },
  },
})

testInvariant({
  id: 'SE-5',
  clauses: 'ORD-OPS-10, TRN-STA-12',
  when: 'when a call fails until the service has given up once',
  story: {
    faults: [{ fail: { operation: 'confirmOrder', burst: 'outlast' } }],
    async play(harness) {
      await harness.order('TAKEOUT')
      await harness.pass(60_000)
    },
  },
  caught: {
    'cancels-on-timeout': {
      because: says('cancellation of o1', 'confirmOrder was answered 503'),
      lines: ['POST /orders/…/confirm  503', 'POST /orders/…/requestCancellation  202'],
    },
  },
})

const denied: InvariantStory = {
  async play(harness) {
    const orderId = await harness.order('TAKEOUT')
    await harness.pass(2000)
    const asked = harness.requestCancellation(orderId)
    await harness.pass(300)
    await harness.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
    await harness.pass(60_000)
    await asked
  },
}

const stillConfirmed = says('o1 was denied at 15:00:02.300', '185 s later', 'still CONFIRMED')

testInvariant({
  id: 'SE-12',
  clauses: 'ORD-CAN-06',
  when: 'when a request to cancel is denied',
  story: denied,
  caught: {
    'never-resumes': {
      because: stillConfirmed,
      lines: ['POST /orders/…/requestCancellation  202', 'GET /orders/…  200'],
    },
    'takes-request-for-cancelled': {
      because: stillConfirmed,
      lines: ['POST /orders/…/requestCancellation  202'],
    },
  },
})

testInvariant({
  id: 'SE-12',
  clauses: 'ORD-CAN-06, ORD-EVR-06',
  when: 'when the denial itself is lost',
  story: { ...denied, faults: [{ drop: { event: 'CANCELLATION_REQUEST_DENIED' } }] },
  caught: {
    'never-resumes': {
      because: stillConfirmed,
      lines: ['POST /orders/…/requestCancellation  202', 'GET /orders/…  200'],
    },
  },
})

testInvariant({
  id: 'SE-13',
  clauses: 'ORD-EVT-14, ORD-CAN-04',
  when: 'when CANCELLATION_REQUEST_ACCEPTED comes and CANCELLED does not',
  story: {
    delivers: true,
    faults: [{ 'slow-effect': { trigger: 'preparing', by: '60s' } }],
    async play(harness) {
      const orderId = await harness.order('DELIVERY')
      await harness.pass(8000)
      const eventType = 'CANCELLATION_REQUEST_ACCEPTED'
      await harness.session.submit({ kind: 'event.emit', orderId, eventType })
      await harness.pass(10_000)
      await harness.session.judge()
      await harness.pass(60_000)
    },
  },
  caught: {
    'closes-on-request-accepted': {
      because: says(
        'o1 as CANCELLED at 15:00:18.000',
        'CANCELLATION_REQUEST_ACCEPTED (at 15:00:09.000)',
        'the order is CONFIRMED',
      ),
      lines: ['POST /events/acknowledgment  202', 'GET /orders/…  200'],
    },
    'compensates-on-request-accepted': {
      because: says(
        'cancelled the delivery of o1 at 15:00:09.000',
        'CANCELLATION_REQUEST_ACCEPTED',
      ),
      lines: ['GET /events:polling  200', 'POST /logistics/delivery/…/cancel  202'],
    },
  },
})

testInvariant({
  id: 'CV-8',
  clauses: 'ORD-EVR-04, ORD-CAN-02',
  when: 'when CREATED comes long after CANCELLED',
  story: {
    faults: [{ delay: { event: 'CREATED', by: '10s' } }],
    async play(harness) {
      await cancelByOriginator(harness, await harness.order('TAKEOUT'))
      await harness.pass(60_000)
    },
  },
  caught: {
    'created-resets-order': {
      because: says('confirmed o1 9.3 s after', 'accepted CANCELLED', 'CREATED had arrived'),
      lines: [
        'GET /events:polling  200',
        'GET /events:polling  200',
        'POST /orders/…/confirm  409',
      ],
    },
  },
})

testInvariant({
  id: 'CV-8',
  clauses: 'ORD-EVR-04, ORD-CAN-02',
  when: 'when CANCELLED and CREATED come together, the end first',
  story: {
    pace: { thinkMs: 3000 },
    faults: [{ batch: { as: 'reverse' } }],
    async play(harness) {
      await cancelByOriginator(harness, await harness.order('TAKEOUT'))
      await harness.pass(60_000)
    },
  },
  caught: {
    'confirms-unread': {
      because: says('confirmed o1', 'CANCELLED had arrived before CREATED'),
      lines: ['GET /events:polling  200', 'POST /orders/…/confirm  409'],
    },
  },
})

test('[ORD-EVR-04] CV-8 is not put to the test by CREATED when CONCLUDED has come between it and CANCELLED', async () => {
  const outcomes: (string | undefined)[] = []
  for (const concludeAfter of ['2s', '1h']) {
    await using harness = await openHarness({
      faults: [{ delay: { event: 'CREATED', by: '10s' } }],
      session: {
        counterparts: {
          'ordering-application': { channel: 'polling', deliveries: false, concludeAfter },
        },
      },
    })
    await cancelByOriginator(harness, await harness.order('TAKEOUT'))
    await harness.pass(60_000)
    const verdicts = await harness.session.judge()
    outcomes.push(verdicts.find(({ id }) => id === 'CV-8')?.outcome)
  }
  expect(outcomes).toEqual(['not-exercised', 'passed'])
})
