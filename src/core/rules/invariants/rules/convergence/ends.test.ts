/** Rules about orders being read and completed despite losses and failures. */
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

testInvariants(`
  CV-1 [ORD-GEN-05, ORD-EVR-06] when CONFIRMED is lost
    with { faults: [{ drop: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    never-reconciles: o1 is still CONFIRMED … 1## s after … The last call => GET /events:polling  200; POST /orders/…/confirm  202

  CV-1 [ORD-GEN-05, ORD-EVR-06] when PREPARING is lost
    with { faults: [{ drop: { event: PREPARING } }] }
    play order TAKEOUT; 60000
    reconciles-only-created: o1 is still PREPARING … 1## s after … The last call => GET /events:polling  200; POST /orders/…/preparing  202

  CV-1 [ORD-GEN-05] when nothing goes wrong
    play order DELIVERY; 60000
    dispatches-when-preparing: o1 is still PREPARING … 1## s after … The last call => GET /events:polling  200; GET /orders/…  200

  CV-1 [ORD-CAN-06] when a request to cancel is denied
    play order TAKEOUT; 2000; request o1; 300; deny o1; 60000
    never-resumes: o1 is still CONFIRMED … 1## s after … The last call => GET /events:polling  200; GET /orders/…  200
    takes-request-for-cancelled: o1 is still CONFIRMED … 1## s after … The last call => GET /events:polling  200; POST /orders/…/requestCancellation  202

  CV-1 [ORD-GEN-05, TRN-STA-12] when a call fails until the service has given up once
    with { faults: [{ fail: { operation: confirmOrder, burst: outlast } }] }
    play order TAKEOUT; 60000
    fire-and-forget: o1 is still CREATED … 1## s after … The last call => GET /events:polling  200; GET /orders/…  200
    gives-up-after-four: o1 is still CREATED … 1## s after … The last call => GET /events:polling  200; GET /orders/…  200

  CV-1 [ORD-GEN-05] when a call is never answered
    with { faults: [{ hang: { operation: confirmOrder, limit: 1 } }], faultsExpire: true }
    play order TAKEOUT; 60000
    no-client-timeout: o1 is still CREATED … 1## s after … The last call => GET /events:polling  200; GET /orders/…  200

  CV-2 [ORD-FLO-03, ORD-EVR-04] when CREATED never comes, and another event does
    with { faults: [{ drop: { event: CREATED, even: revealing } }] }
    play order TAKEOUT; emit o1 PREPARATION_REQUESTED; 60000
    drops-events-of-unknown-orders advice: never read o1 … PREPARATION_REQUESTED … at # … no GET => GET /events:polling  200

  CV-2 [ORD-FLO-03] when the acknowledgment is accepted, and its answer never comes
    with { faults: [{ hang: { operation: acknowledgeEvents, event: CREATED, effect: after, limit: 1 } }], faultsExpire: true }
    play order TAKEOUT; 60000
    acks-before-storing: never read o1 … CREATED … at # … no GET => GET /events:polling  200

  CV-2 [ORD-FLO-03] when the order cannot be read at first
    with { faults: [{ fail: { operation: getOrder, limit: 4 } }] }
    play order TAKEOUT; 60000
    drops-unread-orders: never read o1 … CREATED … at # … no GET => GET /events:polling  200; GET /orders/…  503

  CV-2 [ORD-FLO-03] when a webhook comes and the order cannot be read at first
    with { channel: webhook, faults: [{ fail: { operation: getOrder, limit: 2 } }] }
    play order TAKEOUT; 60000
    answers-before-storing: never read o1 … CREATED … at # … no GET => POST /webhooks/orders  204; GET /orders/…  503

  CV-2 [ORD-FLO-03, ORD-EVR-03] when a webhook is forged first, and comes with its true signature later
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, limit: 1 } }] }
    play order TAKEOUT; 120000
    remembers-before-checking: never read o1 … CREATED … at # … no GET => POST /webhooks/orders  204

  CV-3 [ORD-EVR-06] when CONFIRMED is lost
    with { faults: [{ drop: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    never-reconciles: CONFIRMED of o1 … at # … never reached … 18# s => GET /events:polling  200; POST /orders/…/confirm  202

  CV-3 [ORD-EVR-06] when PREPARING is lost
    with { faults: [{ drop: { event: PREPARING } }] }
    play order TAKEOUT; 60000
    reconciles-only-created: PREPARING of o1 … at # … never reached … 18# s => GET /events:polling  200; POST /orders/…/preparing  202

  CV-4 [ORD-EVR-06] when an event is lost, and the reading that would make up for it fails
    with { faults: [{ drop: { event: CONFIRMED } }] }
    play order TAKEOUT; 4000; fault { fail: { operation: getOrder, burst: 4 } }; 90000
    reconcile-dies-on-error: not read o1 again … GET at # … answered 503 … # s ago => GET /orders/…  200; GET /orders/…  503
    reconcile-gives-up: not read o1 again … GET at # … answered 503 … # s ago => GET /orders/…  200; GET /orders/…  503

  CV-14 [ORD-GEN-05, ORD-FLO-04] when the partner cancels what is not confirmed within two minutes, and a confirm fails
    with { session: { conduct: { confirmWithin: 2m } }, faults: [{ fail: { operation: confirmOrder, limit: 4 } }], faultsExpire: true }
    play order TAKEOUT; 60000
    fire-and-forget: partner cancelled o1 … not confirmed within 120 s … nothing kept => GET /events:polling  200; GET /orders/…  200
    gives-up-after-four: partner cancelled o1 … not confirmed within 120 s … nothing kept => GET /events:polling  200; GET /orders/…  200
`)
