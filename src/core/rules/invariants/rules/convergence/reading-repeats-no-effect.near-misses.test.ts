/** Near misses of CV-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { readingRepeatsNoEffect } from './reading-repeats-no-effect.ts'

nearMisses(readingRepeatsNoEffect)(`
  orders := 0 created a, b type=DELIVERY
  # An event came, the order was read, and its delivery was requested.
  done := orders; 0 emitted CONFIRMED a#0 & polled CONFIRMED a#0; 100 read a CONFIRMED; 200 createDelivery a key=one
  again(why) := "Second delivery request for o1 at 15:00:01.000, $why; the first was at 15:00:00.200."
  reread := again(after it had read the order again (GET at 15:00:00.500) without a new event)

  ORD-EVR-06 one request | done => not-exercised
  ORD-EVR-06 the order is read again | done; 500 read a CONFIRMED => passed
  ORD-EVR-06 and its delivery is requested again | done; 500 read a CONFIRMED; 1000 createDelivery a key=two => reread a 200,500,1000
  ORD-EVR-06 though that fails | done; 500 read a CONFIRMED; 1000 createDelivery a 503 key=two => reread a 200,500,1000
  ORD-EVR-06 each further id is reported once | done; 500 read a CONFIRMED; 1000,1000 createDelivery a key=two; 1000 createDelivery a key=three
    => reread a 200,500,1000; reread a 200,500,1000
  TRN-HDR-04 with the same id | done; 500 read a CONFIRMED; 1000 createDelivery a key=one => passed
  ORD-EVR-03 an event came in between | done; 400 emitted CONFIRMED a#400 & polled CONFIRMED a#400; 500 read a CONFIRMED;
    1000 createDelivery a key=two => passed
  ORD-EVR-03 an event came after the GET | done; 500 read a CONFIRMED; 600 emitted CONFIRMED a#600 & polled CONFIRMED a#600;
    1000 createDelivery a key=two => passed
  ORD-EVR-03 the first was requested after a GET without an event | orders; 0 emitted CONFIRMED a#0 & polled CONFIRMED a#0; 50,100 read a CONFIRMED;
    200 createDelivery a key=one; 400 emitted CONFIRMED a#400 & polled CONFIRMED a#400; 500 read a CONFIRMED; 1000 createDelivery a key=two
    => again(after an event with what it had read before) a 200,500,1000
  ORD-EVR-03 the first was requested right after an event | orders; 0 emitted CONFIRMED a#0 & polled CONFIRMED a#0; 50,100 read a CONFIRMED;
    150 emitted CONFIRMED a#150 & polled CONFIRMED a#150; 200 createDelivery a key=one; 400 emitted CONFIRMED a#400 & polled CONFIRMED a#400;
    500 read a CONFIRMED; 1000 createDelivery a key=two => passed
  ORD-EVR-06 both were requested without any GET | orders; 200 createDelivery a key=one; 1000 createDelivery a key=two => not-exercised
  ORD-EVR-06 the GET failed | done; 500 read a CONFIRMED 503; 1000 createDelivery a key=two => not-exercised
  ORD-EVR-06 the first request failed | orders; 0 emitted CONFIRMED a#0 & polled CONFIRMED a#0; 100 read a CONFIRMED; 200 createDelivery a 503 key=one;
    500 read a CONFIRMED; 1000 createDelivery a key=two => not-exercised
  ORD-EVR-06 another order was read | done; 500 read b CONFIRMED; 1000 createDelivery a key=two => not-exercised
  ORD-EVR-06 the delivery was cancelled | done; 300 deliveryMoved a CANCELLED; 500 read a CONFIRMED; 1000 createDelivery a key=two => not-exercised
  ORD-EVR-06 the delivery failed | done; 300 deliveryMoved a FAILED; 500 read a CONFIRMED; 1000 createDelivery a key=two => not-exercised
  ORD-EVR-06 the delivery was made | done; 300 deliveryMoved a DELIVERED; 500 read a CONFIRMED; 1000 createDelivery a key=two => reread a 200,500,1000
  ORD-STA-01 the order is over when it is read again | done; 300 moved a DELIVERED; 500 read a CONFIRMED => not-exercised
`)
