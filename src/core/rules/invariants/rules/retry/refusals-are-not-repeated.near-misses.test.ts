/** Near misses of RT-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { refusalsAreNotRepeated } from './refusals-are-not-repeated.ts'

nearMisses(refusalsAreNotRepeated)(`
  orders := 0 created a, b
  repeated(what=confirmOrder of o1|reply=a 422|after=1 s) := "The service repeated $what $after after $reply that refused it for good, without a new event
    or status in between."
  found := repeated a 0,1000

  TRN-ERB-01 a refusal | orders; 0 confirmOrder a 422 => passed
  TRN-ERB-01 the call is repeated | orders; 0,1000 confirmOrder a 422 => found
  TRN-ERB-01 again and again, reported once | orders; 0,1000,2000 confirmOrder a 422 => found
  TRN-ERB-01 with success | orders; 0 confirmOrder a 422; 1000 confirmOrder a => found
  TRN-ERB-01 once more after a success | orders; 0 confirmOrder a 422 & confirmOrder a; 1000 confirmOrder a 422
    => repeated(confirmOrder of o1|a 422|0 ms) a 0,0
  TRN-ERB-01 with another body | orders; 0 confirmOrder a 422; 1000 confirmOrder a 422 body={} => passed
  TRN-ERB-01 of another order | orders; 0 confirmOrder a 422; 1000 confirmOrder b 422 => passed
  TRN-ERB-01 another operation | orders; 0 confirmOrder a 422; 1000 setOrderPreparing a 422 => passed
  TRN-ERB-01 the call had begun before the refusal | orders; 0,999 confirmOrder a 422 took=1000 => passed
  TRN-STA-12 a temporary failure | orders; 0 confirmOrder a 503; 1000 confirmOrder a 422 => passed
  AUT-TOK-04 a rejected token | orders; 0,1000 confirmOrder a 401 => not-exercised
  TRN-ERB-01 a GET | orders; 0,1000 getOrder a 404 => not-exercised
  TRN-ERB-01 a call about no order | 0,1000 createPayment 422 => not-exercised
  TRN-ERB-01 an event came | orders; 0 confirmOrder a 422; 500 polled CREATED a; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 an event came by webhook | orders; 0 confirmOrder a 422; 500 webhook CREATED a; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 an event of another order came | orders; 0 confirmOrder a 422; 500 polled CREATED b; 1000 confirmOrder a 422 => found
  TRN-ERB-01 a GET showed a status | orders; 0 confirmOrder a 422; 500 read a CREATED; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 a GET showed the same status | orders; 0 read a CREATED & confirmOrder a 422; 500 read a CREATED; 1000 confirmOrder a 422 => found
  TRN-ERB-01 a GET showed another | orders; 0 read a CREATED & confirmOrder a 422; 500 read a CONFIRMED; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 a GET showed another last event | orders; 0 read a CREATED & confirmOrder a 422;
    500 read a CREATED answer={"status":"CREATED","lastEvent":"ITEM_CANCELLED"}; 1000 confirmOrder a 422 => passed
  LOG-RUL-02 a GET showed the delivery | orders; 0 confirmOrder a 422; 500 getDelivery a 200 answer={"status":"PENDING"}; 1000 confirmOrder a 422 => passed
  LOG-RUL-02 a GET of it failed | orders; 0 confirmOrder a 422; 500 getDelivery a 503 answer={"status":"PENDING"}; 1000 confirmOrder a 422 => found
  LOG-RUL-02 a GET showed the same of the delivery | orders; 0 getDelivery a 200 answer={"status":"PENDING"} & confirmOrder a 422;
    500 getDelivery a 200 answer={"status":"PENDING"}; 1000 confirmOrder a 422 => found
  TRN-ERB-01 a webhook was in flight when it was refused | orders; 0 emitted CONFIRMED a & webhook CONFIRMED a took=500 [0 confirmOrder a 422];
    1000 confirmOrder a 422 => passed
  TRN-ERB-01 a webhook was in flight when it was repeated | orders; 0 emitted CONFIRMED a & confirmOrder a 422;
    900 webhook CONFIRMED a took=500 [1000 confirmOrder a 422] => passed
  TRN-ERB-01 a webhook about another order was in flight | orders; 0 confirmOrder a 422; 900 webhook CREATED b took=500 [1000 confirmOrder a 422] => found
  TRN-ERB-01 a person asks for the cancellation again | orders; 0 requestCancellation a 422 key=one; 1000 requestCancellation a 422 key=two => passed
  TRN-ERB-01 the service does | orders; 0,1000 requestCancellation a 422 key=one => repeated(requestCancellation of o1) a 0,1000
  TRN-ERB-01 with another id it is the same call | orders; 0 confirmOrder a 422 key=one; 1000 confirmOrder a 422 key=two => found
  LOG-RUL-02 a request for a delivery names its order in the body | orders; 0,1000 createDelivery a 422 => repeated(createDelivery of o1) a 0,1000

  lag 100
  TRN-ERB-01 the call may have begun before | orders; 0,200 confirmOrder a 422 => repeated(confirmOrder of o1|a 422|200 ms) a 0,200 inconclusive
  TRN-ERB-01 it had not | orders; 0,201 confirmOrder a 422 => repeated(confirmOrder of o1|a 422|201 ms) a 0,201
`)
