/** Rules about cancelled orders and cancellation requests. */
import { expect, test } from 'vitest'
import { openHarness } from '../../../../../../test/support/in-process-harness.ts'
import { cancelByOriginator } from '../../../../../../test/support/invariant-cases.ts'
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

testInvariants(`
  SE-3 [ORD-CAN-02] when CANCELLED comes while somebody thinks about the order
    with { channel: webhook, pace: { thinkMs: 6000 } }
    play order TAKEOUT; 500; cancel o1; 60000
    timers-outlive-orders: confirmed o1 8.2 s after … webhook of CANCELLED … at 15:00:00.500 => POST /webhooks/orders  204; POST /orders/…/confirm  409

  SE-3 [ORD-CAN-02] when CANCELLED comes between two attempts of a call
    with { channel: webhook, faults: [{ fail: { operation: confirmOrder, burst: outlast } }] }
    play order TAKEOUT; 3000; cancel o1; 60000
    finishes-what-it-began: confirmed o1 5.1 s after … webhook of CANCELLED => POST /webhooks/orders  204; POST /orders/…/confirm  503

  SE-3 [ORD-CAN-02, ORD-EVR-01] when CANCELLED comes and the order cannot be read
    with { channel: webhook, pace: { thinkMs: 6000 }, faults: [{ fail: { operation: getOrder, after: CANCELLED } }] }
    play order TAKEOUT; 500; cancel o1; 60000
    acts-though-unread: confirmed o1 … # s after … webhook of CANCELLED => POST /webhooks/orders  204; POST /orders/…/confirm  409

  SE-4 [LOG-CON-04] when an order is cancelled whose delivery is under way
    with { delivers: true, faults: [{ slow-effect: { trigger: preparing, by: 60s } }] }
    play order DELIVERY; 8000; cancel o1; 60000
    never-compensates: o1 was cancelled at 15:00:08.000 … at 15:00:02.000 (answered 202) … not cancelled 185 s later … had read CANCELLED
      => POST /logistics/delivery  202; GET /orders/…  200

  SE-4 [LOG-CON-04, LOG-CON-03] when nobody has told the service that the delivery exists
    with { delivers: true, faults: [{ slow-effect: { trigger: preparing, by: 60s } }, { reset: { operation: createDelivery, effect: after } }] }
    play order DELIVERY; 8000; cancel o1; 60000
    undoes-only-what-was-answered: (not answered (RESET)) … not cancelled => POST /logistics/delivery  RESET; GET /orders/…  200

  SE-4 [LOG-CON-04, LOG-OPS-08] when cancelling the delivery fails
    with { delivers: true, faults: [{ slow-effect: { trigger: preparing, by: 60s } }, { fail: { operation: cancelDelivery, burst: 1 } }] }
    play order DELIVERY; 8000; cancel o1; 60000
    gives-up-undoing: not cancelled … Its last call of cancelDelivery failed
      => POST /logistics/delivery  202; GET /orders/…  200; POST /logistics/delivery/…/cancel  503

  SE-5 [ORD-OPS-10] when a call is refused, because the order has ended meanwhile
    with { pace: { thinkMs: 3000 }, faults: [{ delay: { event: CANCELLED, by: 20s } }] }
    play order TAKEOUT; 1200; cancel o1; 60000
    cancels-on-conflict: cancellation of o1 … confirmOrder was answered 409 => POST /orders/…/confirm  409; POST /orders/…/requestCancellation  202

  SE-5 [ORD-OPS-10, TRN-STA-12] when a call fails until the service has given up once
    with { faults: [{ fail: { operation: confirmOrder, burst: outlast } }] }
    play order TAKEOUT; 60000
    cancels-on-timeout: cancellation of o1 … confirmOrder was answered 503 => POST /orders/…/confirm  503; POST /orders/…/requestCancellation  202

  SE-12 [ORD-CAN-06] when a request to cancel is denied
    play order TAKEOUT; 2000; request o1; 300; deny o1; 60000
    never-resumes: o1 was denied at 15:00:02.300 … 185 s later … still CONFIRMED => POST /orders/…/requestCancellation  202; GET /orders/…  200
    takes-request-for-cancelled: o1 was denied at 15:00:02.300 … 185 s later … still CONFIRMED => POST /orders/…/requestCancellation  202

  SE-12 [ORD-CAN-06, ORD-EVR-06] when the denial itself is lost
    with { faults: [{ drop: { event: CANCELLATION_REQUEST_DENIED } }] }
    play order TAKEOUT; 2000; request o1; 300; deny o1; 60000
    never-resumes: o1 was denied at 15:00:02.300 … 185 s later … still CONFIRMED => POST /orders/…/requestCancellation  202; GET /orders/…  200

  SE-13 [ORD-EVT-14, ORD-CAN-04] when CANCELLATION_REQUEST_ACCEPTED comes and CANCELLED does not
    with { delivers: true, faults: [{ slow-effect: { trigger: preparing, by: 60s } }] }
    play order DELIVERY; 8000; emit o1 CANCELLATION_REQUEST_ACCEPTED; 10000; judge; 60000
    closes-on-request-accepted: o1 as CANCELLED at 15:00:18.000 … CANCELLATION_REQUEST_ACCEPTED (at 15:00:09.000) … the order is CONFIRMED
      => POST /events/acknowledgment  202; GET /orders/…  200
    compensates-on-request-accepted: cancelled the delivery of o1 at 15:00:09.000 … CANCELLATION_REQUEST_ACCEPTED
      => GET /events:polling  200; POST /logistics/delivery/…/cancel  202

  CV-8 [ORD-EVR-04, ORD-CAN-02] when CREATED comes long after CANCELLED
    with { faults: [{ delay: { event: CREATED, by: 10s } }] }
    play order TAKEOUT; cancel o1; 60000
    created-resets-order: confirmed o1 9.3 s after … accepted CANCELLED … CREATED had arrived => GET /events:polling  200 x2; POST /orders/…/confirm  409

  CV-8 [ORD-EVR-04, ORD-CAN-02] when CANCELLED and CREATED come together, the end first
    with { pace: { thinkMs: 3000 }, faults: [{ batch: { as: reverse } }] }
    play order TAKEOUT; cancel o1; 60000
    confirms-unread: confirmed o1 … CANCELLED had arrived before CREATED => GET /events:polling  200; POST /orders/…/confirm  409
`)

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
