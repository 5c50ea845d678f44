/** Near misses of SE-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { sameKeyOnRetry } from './same-key-on-retry.ts'

nearMisses(sameKeyOnRetry)(`
  orders := 0 created a, b
  retried(how|was=answered 503) := "The retry of the delivery request for o1 at 15:00:01.000 $how. The attempt at 15:00:00.000 was $was, so it may have
    taken effect."
  otherKey := retried(came with X-Request-Id two instead of one)
  both(status) := orders; 0 createDelivery a $status key=one; 1000 createDelivery a 503 key=two
  ended(to) := orders; 0 createDelivery a 503 key=one; 500 deliveryMoved a $to; 1000 createDelivery a 503 key=two

  TRN-HDR-04 one attempt | orders; 0 createDelivery a 503 key=one => not-exercised
  TRN-HDR-04 the same attempt | orders; 0,1000 createDelivery a 503 key=one => passed
  TRN-HDR-04 another id | both(503) => otherKey a 0,1000
  TRN-HDR-04 it is reported once for an order | both(503); 2000 createDelivery a 503 key=three => otherKey a 0,1000
  TRN-HDR-04 no id after one | orders; 0 createDelivery a 503 key=one; 1000 createDelivery a 503
    => retried(came without X-Request-Id instead of one) a 0,1000
  TRN-HDR-04 an id after none | orders; 0 createDelivery a 503; 1000 createDelivery a 503 key=two
    => retried(came with X-Request-Id two instead of none) a 0,1000
  TRN-HDR-04 none after none | orders; 0,1000 createDelivery a 503 => passed
  TRN-HDR-04 another body | orders; 0 createDelivery a 503 key=one; 1000 createDelivery a key=one body={"orderId":"a","displayId":"2"}
    => retried(had another body) a 0,1000
  TRN-HDR-04 of another order | orders; 0 createDelivery a 503 key=one; 1000 createDelivery b key=two => not-exercised
  TRN-HDR-04 after a success | both(202) => not-exercised
  TRN-HDR-04 after a refusal | both(422) => not-exercised
  TRN-STA-10 after a 429, which had no effect | both(429) => not-exercised
  AUT-TOK-04 after a 401, which had none | both(401) => not-exercised
  TRN-STA-12 after a {408|500} | both($each) => retried(came with X-Request-Id two instead of one|answered $each) a 0,1000
  LOG-CON-03 after no reply | both(0) => retried(came with X-Request-Id two instead of one|not answered) a 0,1000
  TRN-STA-10 a 429 after a failure leaves that open | orders; 0 createDelivery a 503 key=one; 500 createDelivery a 429 key=one;
    1000 createDelivery a 503 key=two => otherKey a 0,1000
  TRN-HDR-04 a success ended it | orders; 0 createDelivery a 503 key=one; 500 createDelivery a key=one; 1000 createDelivery a 503 key=two => passed
  TRN-HDR-04 a refusal ended it | orders; 0 createDelivery a 503 key=one; 500 createDelivery a 422 key=one; 1000 createDelivery a 503 key=two => passed
  LOG-CON-03 the delivery was cancelled in between | ended(CANCELLED) => not-exercised
  LOG-CON-03 the delivery failed in between | ended(FAILED) => not-exercised
  LOG-CON-03 the delivery was made in between | ended(DELIVERED) => otherKey a 0,1000
`)
