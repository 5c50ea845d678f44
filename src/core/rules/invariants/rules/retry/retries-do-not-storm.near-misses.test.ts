/** Near misses of RT-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { retriesDoNotStorm } from './retries-do-not-storm.ts'

nearMisses(retriesDoNotStorm)(`
  orders := 0 created a, b
  tried(count|within|reply=a 503) := "The service tried confirmOrder of o1 $count times within $within, although the first try got $reply."

  TRN-STA-12 one try | orders; 0 confirmOrder a 503 => not-exercised
  TRN-STA-12 two tries at once | orders; 0,0 confirmOrder a 503 => passed
  TRN-STA-12 three in half a second | orders; 0,250,500 confirmOrder a 503 => passed
  TRN-STA-12 three in less | orders; 0,250,499 confirmOrder a 503 => tried(3|499 ms) a 0,250,499
  TRN-STA-12 five in three seconds | orders; 0,+600x3,3000 confirmOrder a 503 => passed
  TRN-STA-12 five in less | orders; 0,+600x3,2999 confirmOrder a 503 => tried(5|3 s) a 0,+600x3,2999
  TRN-STA-12 it is reported once for each call | orders; 0,+100x5 confirmOrder a 503 => tried(3|200 ms) a 0,100,200
  TRN-STA-12 the last succeeds | orders; 0,1 confirmOrder a 503; 2 confirmOrder a => tried(3|2 ms) a 0,1,2
  TRN-STA-12 after a success a chain begins anew | orders; 0 confirmOrder a 503; 1 confirmOrder a; 2,3 confirmOrder a 503 => passed
  TRN-STA-12 of two orders, and of two operations | orders; 0,1 confirmOrder a 503 & confirmOrder b 503 & setOrderPreparing a 503 => passed
  TRN-STA-12 each event that it sends is a call of its own | orders; 0 receiveAccountEvent 503 body={"eventId":"event-0","orderId":"a"};
    1 receiveAccountEvent 503 body={"eventId":"event-1","orderId":"a"}; 2 receiveAccountEvent 503 body={"eventId":"event-2","orderId":"a"};
    3 receiveAccountEvent 503 body={"eventId":"event-3","orderId":"a"}; 4 receiveAccountEvent 503 body={"eventId":"event-4","orderId":"a"} => not-exercised
  TRN-STA-12 the same event again and again | orders; 0,1,2 receiveAccountEvent 503 body={"eventId":"event","orderId":"a"}
    => "The service tried receiveAccountEvent 3 times within 2 ms" - 0,1,2
  TRN-STA-12 polls have rules of their own | 0,+1x4 polled 503 => not-exercised
  TRN-STA-12 acknowledgments have not | 0 acknowledgeEvents 503 body=["0"]; 1 acknowledgeEvents 503 body=["1"]; 2 acknowledgeEvents 503 body=["2"]
    => "tried an acknowledgment 3 times within 2 ms" - 0,1,2
  TRN-ERB-01 what was refused for good is no failed call | orders; 0,1,2 confirmOrder a 422 => not-exercised
  TRN-STA-10 a 429 is | orders; 0,1,2 confirmOrder a 429 => tried(3|2 ms|a 429) a 0,1,2
  TRN-STA-12 a {408|425|500} is | orders; 0,1,2 confirmOrder a $each => tried(3|2 ms|a $each) a 0,1,2
  TRN-STA-12 a 499 is not | orders; 0,1,2 confirmOrder a 499 => not-exercised
  TRN-STA-12 no reply is | orders; 0,1,2 confirmOrder a 0 => tried(3|2 ms|no reply) a 0,1,2
  TRN-STA-12 an incomplete one is | orders; 0,1,2 confirmOrder a 200 failure=TRUNCATED => tried(3|2 ms|an incomplete reply) a 0,1,2
  TRN-ERB-01 a 422 that may be retried is | orders; 0,1,2 confirmOrder a 422 answer={"error":{"retryable":true}} => tried(3|2 ms|a 422) a 0,1,2
  TRN-ERB-01 a 503 that may not is not | orders; 0,1,2 confirmOrder a 503 answer={"error":{"retryable":false}} => not-exercised
  AUT-TOK-04 a 401 is not | orders; 0,1,2 confirmOrder a 401 => not-exercised
  ORD-OPS-04 a GET that was refused is, since it may succeed later | orders; 0,1,2 getOrder a 404
    => "tried the GET of o1 3 times within 2 ms, although the first try got a 404" a 0,1,2
  TRN-STA-12 a call that began before the end of the last is no retry of it | orders; 0,1,2 confirmOrder a 503 took=10 => not-exercised
  ORD-OPS-03 a webhook in between is a reason of its own | orders; 0 confirmOrder a 503; 1 webhook CREATED a; 2,3 confirmOrder a 503 => passed
  ORD-OPS-03 the one before is the reason of the first try | orders; 0 webhook CREATED a; 0,1,2 confirmOrder a 503 => tried(3|2 ms) a 0,1,2
  ORD-OPS-03 one about another order is none | orders; 0 confirmOrder a 503; 1 webhook CREATED b; 2,3 confirmOrder a 503 => tried(3|3 ms) a 0,2,3
  ORD-OPS-03 with a webhook four at once are too many | orders; 0 confirmOrder a 503; 1 webhook CREATED a; 2,3,4 confirmOrder a 503
    => tried(4|4 ms) a 0,2,3,4

  lag 100
  TRN-STA-12 by no more than our lag may explain | orders; 0,1,300 confirmOrder a 503 => tried(3|300 ms) a 0,1,300 inconclusive
  TRN-STA-12 by more | orders; 0,1,299 confirmOrder a 503 => tried(3|299 ms) a 0,1,299
  TRN-STA-12 one limit by no more and the other by more | orders; 0,600,1790,1900,2100 confirmOrder a 503 => tried(5|2.1 s) a 0,600,1790,1900,2100
`)
