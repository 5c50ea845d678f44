/** Rules about webhooks, WH-1 to WH-5. */
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

testInvariants(`
  WH-1 [ORD-OPS-03, ORD-GEN-05] when the first GET fails
    with { channel: webhook, faults: [{ fail: { operation: getOrder, limit: 1 } }] }
    play order TAKEOUT; 30000
    answers-before-storing: webhook of CREATED of o1 with 204 … never read => POST /webhooks/orders  204

  WH-1 [ORD-OPS-03, ORD-GEN-05] when four GETs in a row fail
    with { channel: webhook, faults: [{ fail: { operation: getOrder, limit: 4 } }] }
    play order TAKEOUT; 30000
    drops-unread-orders: webhook of CREATED of o1 with 204 … GET failed => POST /webhooks/orders  204; GET /orders/…  503

  WH-2 [ORD-OPS-03] when GET is slow
    with { channel: webhook, faults: [{ slow-response: { operation: getOrder, by: 7000 } }] }
    play order TAKEOUT; 30000
    webhook-reads-first: 7 s to answer the webhook receiveOrderEvent of o1 => POST /webhooks/orders  204
    webhook-waits-for-order: 7.# s to answer the webhook receiveOrderEvent of o1 => POST /webhooks/orders  204

  WH-3 [AUT-GEN-02, TRN-STA-05] when a signature fits nothing
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, nth: 1, how: signature } }] }
    play order TAKEOUT; 30000
    ignores-signature: forged webhook of o1 with 204 … wrong-signature on => POST /webhooks/orders  204
    acts-before-checking: forged webhook of o1 with 401 … the GET of o1 => POST /webhooks/orders  401; GET /orders/…  200; POST /webhooks/orders  204

  WH-3 [AUT-GEN-02, TRN-STA-05] when a signature is short
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, nth: 1, how: short } }] }
    play order TAKEOUT; 30000
    throws-at-strange-signatures: forged webhook of o1 with 500 in place of 401 … wrong-signature on => POST /webhooks/orders  500

  WH-3 [AUT-GEN-02, TRN-STA-05] when a signature has bytes beyond ASCII
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, nth: 1, how: bytes } }] }
    play order TAKEOUT; 30000
    throws-at-strange-signatures: forged webhook of o1 with 500 in place of 401 … wrong-signature on => POST /webhooks/orders  500

  WH-3 [AUT-GEN-02, TRN-STA-05] when there is no signature
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, nth: 1, how: none } }] }
    play order TAKEOUT; 30000
    signature-optional: forged webhook of o1 with 204 … wrong-signature on => POST /webhooks/orders  204

  WH-3 [AUT-GEN-02, TRN-STA-05] when a webhook names another store
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, nth: 1, how: merchant } }] }
    play order TAKEOUT; 30000
    acts-for-any-merchant advice: forged webhook of o1 with 204 … wrong-signature on => POST /webhooks/orders  204

  WH-4 [ORD-EVR-03, ORD-OPS-03] when a webhook is turned away and comes again
    with { channel: webhook, faults: [{ wrong-signature: { event: CREATED, nth: 1, how: signature } }] }
    play order TAKEOUT; 30000
    remembers-before-checking: webhook of CREATED of o1 with 401 … never read => POST /webhooks/orders  401; POST /webhooks/orders  204
    acts-before-checking: webhook of CREATED of o1 with 401 … read it again
      => POST /webhooks/orders  401; GET /orders/…  200; POST /webhooks/orders  204; GET /orders/…  200

  WH-5 [ORD-OPS-03, ORD-EVR-03, ORD-EVR-04] when an event comes once more, after later ones
    with { channel: webhook, faults: [{ duplicate-late: { event: CREATED, when: later-events, k: 2 } }] }
    play order TAKEOUT; 150000
    refuses-known-events: webhook of CREATED of o1 7 times … answered 409 => POST /webhooks/orders  409 x2
    fails-on-late-events: webhook of CREATED of o1 7 times … answered 500 => POST /webhooks/orders  500 x2

  WH-5 [ORD-OPS-03, AUT-GEN-02] when a partner writes its JSON otherwise
    with { channel: webhook, faults: [{ evolve: { how: blanks } }] }
    play order TAKEOUT; 150000
    signs-what-it-parsed: webhook of CREATED of o1 14 times … answered 401 => POST /webhooks/orders  401 x2
`)
