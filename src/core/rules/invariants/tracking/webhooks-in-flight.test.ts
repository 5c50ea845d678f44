// @module-tag slow
/** Events that arrive late, simultaneously or in large batches: CV-3, CV-9 and CV-10. */
import { testInvariants } from '../../../../../test/support/invariant-stories.ts'

testInvariants(`
  CV-9 [ORD-EVR-04] when an event comes that is older than one of another order
    with { faults: [{ delay: { event: CREATED, order: o1, by: 5s } }] }
    play order TAKEOUT; 1000; order TAKEOUT; 60000
    global-watermark: not process CREATED of o1 => GET /events:polling  200

  CV-9 [ORD-EVR-03] when two orders are made in the same moment
    play order TAKEOUT x2; 60000
    equal-times-are-duplicates o2: not process CREATED of o2 => GET /events:polling  200

  CV-10 [ORD-OPS-01] when thirty orders wait to be polled
    play order TAKEOUT x30; 60000
    handles-first-twenty o21: not process CREATED of o21 => GET /events:polling  200

  CV-10 [ORD-OPS-01] when an order comes right after sixty others
    play 100; order TAKEOUT x60; 1000; order TAKEOUT; 60000
    skips-page-after-full-page o61: not process CREATED of o61 => GET /events:polling  200

  CV-2 [ORD-FLO-03, ORD-EVR-04] when an event comes that is older than one of another order
    with { faults: [{ delay: { event: CREATED, order: o1, by: 5s } }] }
    play order TAKEOUT; 1000; order TAKEOUT; 60000
    global-watermark: never read o1: => GET /events:polling  200

  CV-2 [ORD-FLO-03, ORD-EVR-03] when orders are made in the same moment
    play order TAKEOUT x30; 60000
    equal-times-are-duplicates o2: never read o2: => GET /events:polling  200
    handles-first-twenty o21: never read o21: => GET /events:polling  200

  CV-2 [ORD-FLO-03, ORD-OPS-01] when an order comes right after sixty others
    play 100; order TAKEOUT x60; 1000; order TAKEOUT; 60000
    skips-page-after-full-page o61: never read o61: => GET /events:polling  200
`)
