/** Near misses of SE-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { oneEffectPerPurpose } from './one-effect-per-purpose.ts'

nearMisses(oneEffectPerPurpose)(`
  orders := 0 created a, b
  twice(first|second) := "Duplicate delivery request for o1: first at 15:00:00.000 $first, again at 15:00:01.000 $second."
  other := twice(with X-Request-Id one|with X-Request-Id two)
  ended(to) := orders; 0 deliveryCreated a & createDelivery a key=one; 500 deliveryMoved a $to; 1000 createDelivery a key=two

  ORD-EVR-03 one delivery | orders; 0 createDelivery a key=one => passed
  TRN-HDR-04 the same request again | orders; 0,1000 createDelivery a key=one => passed
  TRN-HDR-04 another request | orders; 0 createDelivery a key=one; 1000 createDelivery a key=two => other a 0,1000
  TRN-HDR-04 another request, though it failed | orders; 0 createDelivery a key=one; 1000 createDelivery a 503 key=two => other a 0,1000
  TRN-HDR-04 each further id is reported once | orders; 0 createDelivery a key=one; 1000,2000 createDelivery a key=two & createDelivery a key=three
    => other a 0,1000; twice(with X-Request-Id one|with X-Request-Id three) a 0,1000
  TRN-HDR-04 a request for another order | orders; 0 createDelivery a key=one; 1000 createDelivery b key=two => passed
  TRN-HDR-04 after a failed one | orders; 0 createDelivery a 503 key=one; 1000 createDelivery a key=two => passed
  LOG-CON-03 after a failed one that took effect | orders; 0 deliveryCreated a & createDelivery a 503 key=one;
    1000 createDelivery a key=two => other a 0,1000
  TRN-HDR-04 without an id after one with | orders; 0 createDelivery a key=one; 1000 createDelivery a
    => twice(with X-Request-Id one|without X-Request-Id) a 0,1000
  TRN-HDR-04 with an id after one without | orders; 0 createDelivery a; 1000 createDelivery a key=two
    => twice(without X-Request-Id|with X-Request-Id two) a 0,1000
  TRN-HDR-04 both without an id, after a success | orders; 0,1000 createDelivery a => twice(without X-Request-Id|without X-Request-Id) a 0,1000
  TRN-HDR-04 both without an id, after a failure that took effect | orders; 0 deliveryCreated a & createDelivery a 503; 1000 createDelivery a => passed
  TRN-HDR-04 a third without an id, after such a retry | orders; 0 deliveryCreated a & createDelivery a 503; 500,1000 createDelivery a
    => twice(without X-Request-Id|without X-Request-Id) a 0,1000
  TRN-HDR-04 a third without an id, after a retry that failed | orders; 0 deliveryCreated a; 0,500 createDelivery a 503; 1000 createDelivery a => passed
  ORD-EVR-06 the delivery was cancelled in between | ended(CANCELLED) => passed
  ORD-EVR-06 the delivery failed in between | ended(FAILED) => passed
  ORD-EVR-06 the delivery was made in between | ended(DELIVERED) => other a 0,1000
  ORD-EVR-06 after a cancelled one a request failed | orders; 0 deliveryCreated a & createDelivery a key=one; 1 deliveryMoved a CANCELLED;
    2 createDelivery a 503 key=two; 1000 createDelivery a key=three => passed
`)
