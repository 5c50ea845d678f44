// @module-tag slow
/** Rules about what a service does once per order inside: the demo prints a kitchen ticket. */
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

testInvariants(`
  EF-1 [ORD-EVR-03] when CONFIRMED of a TAKEOUT order comes again after it was acknowledged
    with { faults: [{ duplicate-late: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    forgets-event-ids: o1 has tickets: 2 (counted at … where 1 is right; CONFIRMED came twice => GET /events:polling  200 x2

  EF-1 [ORD-EVR-03] when CONFIRMED of a DELIVERY order comes again in a session without logistics
    with { faults: [{ duplicate-late: { event: CONFIRMED } }] }
    play order DELIVERY; 60000
    forgets-event-ids: o1 has tickets: 2 … CONFIRMED came twice => GET /events:polling  200 x2

  EF-1 [ORD-EVR-03] when CONFIRMED comes again by webhook
    with { channel: webhook, faults: [{ duplicate-late: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    forgets-event-ids: o1 has tickets: 2 … CONFIRMED came twice => POST /webhooks/orders  204 x2

  EF-1 [ORD-EVR-03, ORD-CHN-01] when CONFIRMED comes by both channels
    with { channel: both }
    play order TAKEOUT; 60000
    dedupes-per-channel: o1 has tickets: 2 … CONFIRMED came twice
      => POST /webhooks/orders  204 x2; GET /events:polling  200; POST /webhooks/orders  204; GET /events:polling  200

  EF-1 [ORD-EVR-03] when two webhooks of CONFIRMED come at one instant
    with { channel: webhook, faults: [{ duplicate: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    checks-then-acts: o1 has tickets: 2 … CONFIRMED came twice => POST /webhooks/orders  204 x2

  EF-1 [ORD-EVR-03] when CONFIRMED is twice in one poll
    with { faults: [{ duplicate: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    checks-then-acts: o1 has tickets: 2 … CONFIRMED came twice => GET /events:polling  200

  EF-1 [ORD-EVR-03] when the service fails at CONFIRMED, which is sent again
    with { channel: webhook, faults: [{ fail: { operation: getOrder, nth: 3 } }] }
    play order TAKEOUT; 60000
    prints-before-it-fails: o1 has tickets: 2 … CONFIRMED came twice => POST /webhooks/orders  503; POST /webhooks/orders  204

  EF-1 [ORD-EVR-06] when the order is read again and again
    with { faults: [{ delay: { event: CONFIRMED, by: 25s } }, { slow-effect: { trigger: preparing, by: 60s } }] }
    play order TAKEOUT; 120000
    reconcile-reapplies: o1 has tickets => GET /events:polling  200; POST /orders/…/preparing  202

  EF-2 [ORD-EVR-06] when CONFIRMED is lost
    with { faults: [{ drop: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    prints-by-event-alone: o1 has tickets: 0 … after the service confirmed it
      => GET /events:polling  200; POST /orders/…/confirm  202; GET /orders/…  200

  EF-2 [ORD-EVR-06] when the webhook of CONFIRMED is lost
    with { channel: webhook, faults: [{ drop: { event: CONFIRMED } }] }
    play order TAKEOUT; 60000
    prints-by-event-alone: o1 has tickets: 0 … after the service confirmed it
      => POST /webhooks/orders  204; POST /orders/…/confirm  202; GET /orders/…  200

  EF-2 [ORD-GEN-05] when the service fails at CONFIRMED, which is sent again
    with { channel: webhook, faults: [{ fail: { operation: getOrder, nth: 3 } }] }
    play order TAKEOUT; 60000
    dedupes-before-handling: o1 has tickets: 0 … after the service confirmed it
      => POST /webhooks/orders  204; POST /orders/…/confirm  202; GET /orders/…  200

  EF-2 [ORD-GEN-05] when the service fails at CONFIRMED, which the next poll brings again
    with { faults: [{ fail: { operation: getOrder, nth: 3 } }] }
    play order TAKEOUT; 60000
    dedupes-before-handling: o1 has tickets: 0 … after the service confirmed it
      => GET /events:polling  200; POST /orders/…/confirm  202; GET /orders/…  200

  EF-3 [ORD-CAN-02, ORD-EVR-01] when CREATED comes after the order was cancelled
    with { faults: [{ delay: { event: CREATED, by: 5s } }] }
    play order TAKEOUT; 2000; cancel o1; 60000
    prints-unread: o1 has tickets: 1 … the service never read it open => GET /events:polling  200; GET /orders/…  200

  EF-3 [ORD-CAN-02, ORD-EVR-01] when the webhook of CREATED comes after the order was cancelled
    with { channel: webhook, faults: [{ delay: { event: CREATED, by: 5s } }] }
    play order TAKEOUT; 2000; cancel o1; 60000
    prints-unread: o1 has tickets: 1 … the service never read it open => POST /webhooks/orders  204; GET /orders/…  200

  EF-3 [ORD-CAN-02] when an order is cancelled that the service has just confirmed
    with { faults: [{ slow-effect: { trigger: preparing, by: 60s } }] }
    play order TAKEOUT; 4000; cancel o1; 60000
    print-jobs-outlive-orders: o1 has tickets: 1 … and had 0 at … had
      => GET /events:polling  200; GET /orders/…  200 x2

  EF-3 [ORD-CAN-02] when a webhook tells of the cancellation
    with { channel: webhook, faults: [{ slow-effect: { trigger: preparing, by: 60s } }] }
    play order TAKEOUT; 4000; cancel o1; 60000
    print-jobs-outlive-orders: o1 has tickets: 1 … and had 0 at … had
      => POST /webhooks/orders  204; GET /orders/…  200 x2
`)
