/** Near misses of SE-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { noCancellationUnasked } from './no-cancellation-unasked.ts'

nearMisses(noCancellationUnasked)(`
  orders := 0 created a, b
  failed(status=422) := orders; 0 confirmOrder a $status took=100
  unasked(when|what=confirmOrder|was=answered 422) := "The service requested the cancellation of o1 $when its $what was $was;
    no operator had cancelled the order."
  found := unasked(as soon as) a 0,100

  ORD-OPS-10 nothing failed | orders; 0 confirmOrder a; 100 requestCancellation a => not-exercised
  ORD-OPS-10 a call was refused | failed; 200 => passed
  ORD-OPS-10 at once | failed; 100 requestCancellation a => found
  ORD-OPS-10 shortly after | failed; 10099 requestCancellation a => unasked(10 s after) a 0,10099
  ORD-OPS-10 ten seconds after | failed; 10100 requestCancellation a => passed
  ORD-OPS-10 before the answer | orders; 0 confirmOrder a 422 took=100; 99 requestCancellation a took=10 => passed
  TRN-STA-12 no answer came | failed(0); 100 requestCancellation a => unasked(as soon as|confirmOrder|not answered (HUNG)) a 0,100
  AUT-TOK-04 a token was rejected | failed(401); 100 requestCancellation a => not-exercised
  ORD-OPS-10 a later call succeeded | failed; 100 read a CREATED & requestCancellation a => passed
  ORD-OPS-10 a later call failed | failed; 100 getOrder a 503 & requestCancellation a => unasked(as soon as|getOrder|answered 503) a 100,100
  ORD-OPS-10 a call about another order succeeded | failed; 100 read b CREATED & requestCancellation a => found
  ORD-OPS-10 of another order | failed; 100 requestCancellation b => passed
  ORD-OPS-10 an operator asked for it | failed; 100 operatorCancels a & requestCancellation a => passed
  ORD-OPS-10 an operator asked for another | failed; 100 operatorCancels b & requestCancellation a => found
  ORD-OPS-10 a delivery was refused | orders; 0 createDelivery a 422 & requestCancellation a => unasked(as soon as|createDelivery) a 0,0

  lag 100
  ORD-OPS-10 it may have been later | failed; 9900 requestCancellation a => unasked(9.8 s after) a 0,9900 inconclusive
  ORD-OPS-10 it was not | failed; 9899 requestCancellation a => unasked(9.8 s after) a 0,9899
`)
