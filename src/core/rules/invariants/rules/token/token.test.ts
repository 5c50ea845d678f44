/** Rules about tokens, TK-1 to TK-3. */
import { testInvariants } from '../../../../../../test/support/invariant-stories.ts'

testInvariants(`
  TK-1 [AUT-TOK-03, AUT-TOK-04] when all tokens end and new ones are slow to come
    with { faults: [{ unauthorized: { operation: getOrder, limit: 1, revoke: true } }, { slow-response: { operation: issueToken, by: 3000 } }] }
    play order TAKEOUT; 300; order TAKEOUT; 300; order TAKEOUT; 300; order TAKEOUT; 300; 60000
    token-per-call -: requested a token while … in progress => POST /oauth/token  200 x2
    token-stampede -: requested a token while … in progress => POST /oauth/token  200 x2

  TK-2 [AUT-TOK-04] when all tokens end
    with { faults: [{ unauthorized: { operation: confirmOrder, limit: 1, revoke: true } }] }
    play order TAKEOUT; 0; 60000
    keeps-rejected-token -: a token 4 more times … rejected => POST /orders/…/confirm  401; "  401"
    takes-401-for-refusal -: a token 4 more times … rejected => POST /orders/…/confirm  401; GET /events:polling  401
    retries-with-old-token: repeated confirmOrder of o1 … rejected 0 ms => POST /orders/…/confirm  401; POST /oauth/token  200; POST /orders/…/confirm  401

  TK-2 [AUT-TOK-04] when all tokens end while calls are tried again
    with { channel: webhook, faults: [{ fail: { operation: confirmOrder, nth: 1 } }, { unauthorized: { operation: confirmOrder, limit: 1, revoke: true } }] }
    play order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; order TAKEOUT; 0; 60000
    refreshes-only-at-first -: a token 4 more times … rejected => POST /orders/…/confirm  401 x2

  TK-3 [AUT-TOK-04] when all tokens end
    with { faults: [{ unauthorized: { operation: confirmOrder, limit: 1, revoke: true } }] }
    play order TAKEOUT; 0; 60000
    forgets-call-at-401: a 401 to confirmOrder of o1 … not repeated the call for 18# s => POST /orders/…/confirm  401
    takes-401-for-refusal: a 401 to confirmOrder of o1 … not repeated the call for 18# s => POST /orders/…/confirm  401
    retries-with-old-token: After a 401 to confirmOrder of o1 … new token … the old one
      => POST /orders/…/confirm  401; POST /oauth/token  200; POST /orders/…/confirm  401
`)
