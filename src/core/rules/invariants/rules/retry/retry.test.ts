// @module-tag slow
/** Rules about retries, RT-1 to RT-8. */
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

testInvariants(`
  RT-1 [TRN-STA-12] when confirmations fail four times
    with { faults: [{ fail: { operation: confirmOrder, burst: 4 } }] }
    play order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; 60000
    retries-without-pause o4: confirmOrder of o# 3 times within 0 ms … a 503 => POST /orders/…/confirm  503 x3
    retries-in-every-layer o4: confirmOrder of o# 3 times within 0 ms … a 503 => POST /orders/…/confirm  503 x3

  RT-1 [TRN-STA-12] when an order cannot be read, with short pauses
    with { faults: [{ fail: { operation: getOrder } }], pace: { retryMs: 300 } }
    play order TAKEOUT; 0; 60000
    no-cool-down: the GET of o1 5 times within 2 s … a 503 => GET /orders/…  503 x5

  RT-2 [TRN-STA-12] when confirmations fail again and again
    with { faults: [{ fail: { operation: confirmOrder } }] }
    play order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; 60000
    retries-at-fixed-pace: other calls likewise … pauses do not grow => POST /orders/…/confirm  503 x12
    retries-without-pause: other calls likewise … pauses do not grow => POST /orders/…/confirm  503 x12

  RT-2 [TRN-STA-12] when seven confirmations fail together
    with { faults: [{ fail: { operation: confirmOrder, burst: 1 } }] }
    play order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; 60000
    retries-in-step - advice: 6 calls 1 s after … within 2 % of each other => POST /orders/…/confirm  503 x6; POST /orders/…/confirm  202 x6

  RT-3 [TRN-STA-12] when a confirmation fails for ever
    with { faults: [{ fail: { operation: confirmOrder } }] }
    play order TAKEOUT; 0; 60000
    retries-for-ever o1 advice: confirmOrder of o1 7 times … pause of 10 s … 6 tries => POST /orders/…/confirm  503 x7
    retries-in-every-layer o1 advice: confirmOrder of o1 9 times … pause of 10 s => POST /orders/…/confirm  503 x8

  RT-3 [TRN-STA-12] when an order cannot be read, and the user limits the tries
    with { faults: [{ fail: { operation: getOrder } }], session: { tolerances: { tries: 6 } } }
    play order TAKEOUT; 0; 60000
    no-cool-down: the GET of o1 7 times … pause of 10 s => GET /orders/…  503 x7

  RT-4 [TRN-STA-10] when a confirmation is answered 429 with seconds
    with { faults: [{ rate-limit: { operation: confirmOrder, by: 20000, retry: seconds, limit: 1 } }] }
    play order TAKEOUT; 1500; order TAKEOUT; 1500; order TAKEOUT; 1500; 60000
    ignores-retry-after: confirmOrder of o1 … after a 429 … Retry-After: 20 => POST /orders/…/confirm  429; POST /orders/…/confirm  202
    retry-after-in-milliseconds: confirmOrder of o1 … after a 429 … Retry-After: 20 => POST /orders/…/confirm  429; POST /orders/…/confirm  202
    retry-after-per-call o2: confirmOrder of o2 1.4 s after a 429 … Retry-After: 20 => POST /orders/…/confirm  429; POST /orders/…/confirm  202

  RT-4 [TRN-STA-10] when a confirmation is answered 429 with a date
    with { faults: [{ rate-limit: { operation: confirmOrder, by: 20000, retry: date, limit: 1 } }] }
    play order TAKEOUT; 1500; order TAKEOUT; 1500; order TAKEOUT; 1500; 60000
    ignores-retry-after: confirmOrder of o1 … Retry-After: Mon, 05 Jan 2026  => POST /orders/…/confirm  429; POST /orders/…/confirm  202

  RT-5 [TRN-ERB-01] when a confirmation is refused for good
    with { faults: [{ refuse: { operation: confirmOrder } }] }
    play order TAKEOUT; 0; 60000
    retries-refusals advice: repeated confirmOrder of o1 … a 409 => POST /orders/…/confirm  409 x2
    repeats-refused-at-reconcile advice: repeated confirmOrder of o1 … a 409 => POST /orders/…/confirm  409 x2

  RT-6 [TRN-STA-11, TRN-STA-12] when a confirmation fails once
    with { faults: [{ fail: { operation: confirmOrder, burst: 1 } }] }
    play order TAKEOUT; 0; 60000
    fire-and-forget: confirmOrder of o1 once … a 503 … not retried => POST /orders/…/confirm  503

  RT-6 [TRN-STA-11, TRN-STA-12] when a confirmation fails four times
    with { faults: [{ fail: { operation: confirmOrder, burst: 4 } }] }
    play order TAKEOUT; 0; 60000
    gives-up-after-four: confirmOrder of o1 4 times … a 503 … not retried => POST /orders/…/confirm  503

  RT-6 [TRN-STA-12] when a delivery cannot be asked for
    with { delivers: true, faults: [{ fail: { operation: createDelivery, limit: 4 } }] }
    play order DELIVERY; 0; 60000
    takes-failure-for-created: createDelivery of o1 4 times … a 503 … not retried => POST /logistics/delivery  503

  RT-7 [ORD-GEN-05] when a confirmation is never answered, not even when all faults are over
    with { faults: [{ hang: { operation: confirmOrder, limit: 1 } }] }
    play order TAKEOUT; 150000
    no-client-timeout: waiting for 274 s … a call of o1 =>

  RT-7 [ORD-GEN-05] when the connection of a confirmation breaks after ten minutes
    with { faults: [{ hang: { operation: confirmOrder, limit: 1 } }] }
    play order TAKEOUT; 620000
    no-client-timeout: waited 600 s … confirmOrder of o1 => POST /orders/…/confirm  HUNG

  RT-8 [TRN-STA-10, TRN-STA-12] when a 429 comes after a 503
    with { faults: [{ fail: { operation: confirmOrder, nth: 1 } }, { rate-limit: { operation: confirmOrder, limit: 1 } }] }
    play order TAKEOUT; 0; 60000
    retries-one-kind-only: After a 503 … a 429 … confirmOrder of o1 … not retried => POST /orders/…/confirm  503; POST /orders/…/confirm  429

  RT-8 [TRN-STA-12, AUT-TOK-04] when a 401 comes after a 503
    with { channel: webhook, faults: [{ fail: { operation: confirmOrder, nth: 1 } }, { unauthorized: { operation: confirmOrder, limit: 1, revoke: true } }] }
    play order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; 60000
    refreshes-only-at-first o2: After a 503 … a 401 … confirmOrder of o2 … the same token => POST /orders/…/confirm  503; POST /orders/…/confirm  401 x2
`)
