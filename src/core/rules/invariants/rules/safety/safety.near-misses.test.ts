/** Near misses of the rules SE-1 to SE-14. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('SE-1')(`
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
  TRN-HDR-04 the same request by a new process | orders; 0 createDelivery a key=one; 10 died; 500 renewed; 1000 createDelivery a key=one => passed
  TRN-HDR-04 another request by a new process | orders; 0 createDelivery a key=one; 10 died; 500 renewed; 1000 createDelivery a key=two => other a 0,1000
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

nearMisses('SE-2')(`
  orders := 0 created a, b
  retried(how|was=answered 503) := "The retry of the delivery request for o1 at 15:00:01.000 $how. The attempt at 15:00:00.000 was $was, so it may have
    taken effect."
  otherKey := retried(came with X-Request-Id two instead of one)
  both(status) := orders; 0 createDelivery a $status key=one; 1000 createDelivery a 503 key=two
  ended(to) := orders; 0 createDelivery a 503 key=one; 500 deliveryMoved a $to; 1000 createDelivery a 503 key=two

  TRN-HDR-04 one attempt | orders; 0 createDelivery a 503 key=one => not-exercised
  TRN-HDR-04 the same attempt | orders; 0,1000 createDelivery a 503 key=one => passed
  TRN-HDR-04 another id | both(503) => otherKey a 0,1000
  TRN-HDR-04 the same id by a new process | orders; 0 createDelivery a 503 key=one; 10 died; 500 renewed; 1000 createDelivery a key=one => passed
  TRN-HDR-04 another id by a new process | orders; 0 createDelivery a 503 key=one; 10 died; 500 renewed; 1000 createDelivery a key=two
    => otherKey a 0,1000
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

nearMisses('SE-3')(`
  cancelled := 0 created a & moved a CANCELLED & emitted CANCELLED a
  known := cancelled; 0 polled CANCELLED a & acknowledged CANCELLED a
  after(what=confirmed o1|how=acknowledged CANCELLED (at 15:00:00.000)) := "The service $what 1 s after it had $how."

  ORD-CAN-02 a call in flight | known; 1000 confirmOrder a => passed
  ORD-CAN-02 a later one | known; 1001 confirmOrder a => after a 0,1001
  ORD-CAN-02 each operation is reported once | known; 1001,1002 confirmOrder a; 1003 cancelOrderItem a
    => after a 0,1001; after(cancelled an item of o1) a 0,1003
  LOG-CON-04 a delivery was requested | known; 1001 createDelivery a => after(requested a delivery for o1) a 0,1001
  ORD-CAN-02 a GET is no progress | known; 5000 read a CANCELLED => passed
  ORD-CAN-02 the service does not know it yet | cancelled; 0 polled CANCELLED a; 5000 confirmOrder a => not-exercised
  ORD-EVT-16 a GET showed it | cancelled; 0 read a CANCELLED; 1001 confirmOrder a => after(confirmed o1|read CANCELLED (GET at 15:00:00.000)) a 0,1001
  ORD-CAN-02 at once after its own GET | cancelled; 0 webhook CANCELLED a; 10 read a CANCELLED; 17 confirmOrder a
    => "The service confirmed o1 7 ms after it had read CANCELLED (GET at 15:00:00.010): so soon that the call may have been under way." a 10,17 advice
  ORD-CAN-02 while GET is answered | cancelled; 0 webhook CANCELLED a; 17 confirmOrder a; 10 read a CANCELLED took=10 => passed
  ORD-EVT-16 a webhook showed it | cancelled; 0 webhook CANCELLED a; 1001 confirmOrder a
    => after(confirmed o1|accepted the webhook of CANCELLED (at 15:00:00.000)) a 0,1001
  ORD-EVT-16 a webhook that it refused | cancelled; 0 webhook CANCELLED a 503; 5000 confirmOrder a => not-exercised
  ORD-EVT-16 of another event | cancelled; 0 webhook CREATED a; 5000 confirmOrder a => not-exercised
  ORD-CAN-02 the host had it go on | known; 1 moved a READY; 5000 confirmOrder a => passed
  ORD-CAN-02 the host never cancelled it | 0 created a & emitted CANCELLED a & acknowledged CANCELLED a; 5000 confirmOrder a => not-exercised
  ORD-CAN-02 it was concluded then | known; 1 moved a CONCLUDED; 1001 confirmOrder a => after a 0,1001

  lag 100
  ORD-CAN-02 it may have been in flight | known; 1200 confirmOrder a => /confirmed o1 1.2 s after/ a 0,1200 inconclusive
  ORD-CAN-02 it was not | known; 1201 confirmOrder a => /confirmed o1 1.2 s after/ a 0,1201
`)

nearMisses('SE-4')(`
  orders := 0 created a, b type=DELIVERY
  requested(status=202) := orders; 0 deliveryCreated a & createDelivery a $status
  cancelled := 1000 moved a CANCELLED
  stands(more=|outcome=answered 202) := "o1 was cancelled at 15:00:01.000, and its delivery, requested by the service at 15:00:00.000 ($outcome), is still
    not cancelled 120 s later.$more"
  found := stands a 0
  # An order of which only its delivery and its ticket are known.
  elsewhere := 0 deliveryCreated x & createDelivery x

  LOG-CON-04 the order goes on | requested; 121001 => not-exercised
  LOG-CON-04 the delivery need not be cancelled yet | requested; cancelled; 121000 => open
  LOG-CON-04 it was not cancelled | requested; cancelled; 121001 => found
  LOG-CON-04 a fault is in force | requested; cancelled; 2000 faultAdded; 121001 => open
  LOG-CON-04 it was cancelled | requested; cancelled; 2000 cancelDelivery a; 121001 => passed
  LOG-CON-04 it was cancelled before the order was | requested; 500 cancelDelivery a; cancelled; 121001 => not-exercised
  LOG-CON-04 another was cancelled | requested; cancelled; 2000 cancelDelivery b; 121001 => found
  LOG-RUL-02 the platform refused to cancel it | requested; cancelled; 2000 cancelDelivery a 409; 121001 => passed
  LOG-OPS-08 its cancellation got {404|401|503|0} | requested; cancelled; 2000 cancelDelivery a $each; 121001
    => stands( Its last call of cancelDelivery failed.) a 0,2000
  LOG-CON-03 the request was never answered | requested(0); cancelled; 121001 => stands(|not answered (HUNG)) a 0
  LOG-CON-03 the request was refused | requested(422); cancelled; 121001 => not-exercised
  LOG-CON-03 another side requested it | orders; 0 deliveryCreated a; cancelled; 121001 => not-exercised
  LOG-CON-03 the platform never created it | orders; 0 createDelivery a; cancelled; 121001 => not-exercised
  LOG-CON-03 it was created after the order was cancelled | orders; 0 moved a CANCELLED; 1000 deliveryCreated a; 0 createDelivery a took=1000;
    121001 => found
  LOG-CON-03 it was created after the order was cancelled, and after its request had ended | orders; 0 createDelivery a 0; 500 moved a CANCELLED;
    1000 deliveryCreated a; 121001
    => stands(|not answered (HUNG)) a 0
  LOG-CON-03 a new one was created after the first was cancelled | requested; 500 cancelDelivery a; 600 deliveryCreated a; cancelled; 121001 => found
  ORD-CAN-02 the cancellation of the order was reverted | requested; cancelled; 2000 moved a READY; 121001 => passed
  ORD-CAN-02 the order was concluded then | requested; cancelled; 2000 moved a CONCLUDED; 121001 => found
  ORD-CAN-02 the order was delivered | requested; 1000 moved a DELIVERED; 121001 => not-exercised
  LOG-CON-04 it ended CANCELLED before the order was cancelled | requested; 500 deliveryMoved a CANCELLED; cancelled; 121001 => not-exercised
  LOG-CON-04 it ended CANCELLED at the deadline | requested; cancelled; 121000 deliveryMoved a CANCELLED; 242002 => passed
  LOG-CON-04 it ended CANCELLED later | requested; cancelled; 121001 deliveryMoved a CANCELLED => found
  LOG-CON-04 it ended FAILED before the order was cancelled | requested; 500 deliveryMoved a FAILED; cancelled; 121001 => not-exercised
  LOG-CON-04 it ended FAILED at the deadline | requested; cancelled; 121000 deliveryMoved a FAILED; 242002 => passed
  LOG-CON-04 it ended FAILED later | requested; cancelled; 121001 deliveryMoved a FAILED => found
  LOG-CON-04 it ended DELIVERED before the order was cancelled | requested; 500 deliveryMoved a DELIVERED; cancelled; 121001 => not-exercised
  LOG-CON-04 it ended DELIVERED at the deadline | requested; cancelled; 121000 deliveryMoved a DELIVERED; 242002 => passed
  LOG-CON-04 it ended DELIVERED later | requested; cancelled; 121001 deliveryMoved a DELIVERED => found
  LOG-CON-04 it is in transit | requested; cancelled; 2000 deliveryMoved a IN_TRANSIT; 121001 => found
  ORD-EVT-16 the service knew | requested; cancelled; 1000 emitted CANCELLED a; 1500 acknowledged CANCELLED a; 121001
    => stands( The service had acknowledged CANCELLED (at 15:00:01.500).) a 0,1500
  LOG-CON-04 an order that only its ticket shows as cancelled | elsewhere; 1000 ticketRead x CANCELLED; 121001
    => /order x was cancelled at 15:00:01.000/ x 0
  LOG-CON-04 its ticket shows another status | elsewhere; 1000 ticketRead x READY; 121001 => not-exercised
  LOG-CON-04 its ticket shows that it goes on again | 0 deliveryCreated x & ticketRead x CANCELLED; 1 ticketRead x READY; 2 createDelivery x;
    121001 => not-exercised
  LOG-CON-04 a ticket says what the host does not | requested; 1000 ticketRead a CANCELLED; 121001 => not-exercised

  lag 100
  LOG-CON-04 our lag may have kept its end from us | requested; cancelled; 121200 deliveryMoved a CANCELLED; 242002 => passed
  LOG-CON-04 it cannot have | requested; cancelled; 121201 deliveryMoved a CANCELLED => found
`)

nearMisses('SE-5')(`
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

nearMisses('SE-6')(`
  order := 0 created a type=DELIVERY
  shown := order; 0 polled CREATED a
  unshown := "The service confirmed o1 at 15:00:00.100: no status of the order had been shown to it."
  early(more=) := "The service reported o1 as being prepared at 15:00:00.200: the last status shown to it was CREATED (at 15:00:00.000)$more."

  ORD-RUL-02 a poll showed CREATED | shown; 100 confirmOrder a => passed
  ORD-RUL-02 nothing did | order; 100 confirmOrder a => unshown a 100
  ORD-RUL-02 a poll did as the call began | order; 0 polled CREATED a took=100; 100 confirmOrder a => passed
  ORD-RUL-02 a poll did after the call had begun | order; 0 polled CREATED a took=101; 100 confirmOrder a took=10 => unshown a 100
  ORD-RUL-02 of another order | order; 0 created b & polled CREATED b; 100 confirmOrder a => unshown a 100
  ORD-EVR-01 a webhook in flight did | order; 0 webhook CREATED a took=200 [100 confirmOrder a] => passed
  ORD-RUL-02 the next call follows the accepted one | shown; 100 confirmOrder a; 200 setOrderPreparing a
    => early(, and the 202 to its confirmOrder only says that the call was accepted) a 0,100,200
  ORD-RUL-02 it follows a refused one | shown; 100 confirmOrder a 422; 200 setOrderPreparing a => early a 0,200
  ORD-RUL-02 each operation is reported once | shown; 200,201 setOrderPreparing a; 202 setOrderReadyForPickup a
    => early a 0,200; "The service reported o1 as ready" a 0,201,202
  ORD-EVR-01 the event that was in flight has no evidence | order; 0 webhook CREATED a took=300 [200 setOrderPreparing a]
    => "at 15:00:00.200: the last status shown to it was CREATED." a 200
  ORD-EVR-01 the highest status before the call counts | shown; 0 emitted CONFIRMED a; 50 polled CONFIRMED a; 60 read a READY took=500;
    200 dispatchOrder a took=500
    => "o1 at 15:00:00.200: the last status shown to it was CONFIRMED (at 15:00:00.050)" a 50,200
  ORD-EVR-01 confirmOrder in {CREATED|CONFIRMED|PREPARING|CANCELLED} | order; 0 read a $each; 100 confirmOrder a => passed
  ORD-EVR-01 setOrderPreparing in {CONFIRMED|PREPARING|READY} | order; 0 read a $each; 100 setOrderPreparing a => passed
  ORD-EVR-01 setOrderPreparing in CREATED | order; 0 read a CREATED; 100 setOrderPreparing a
    => "the last status shown to it was CREATED (at 15:00:00.000)." a 0,100
  ORD-EVR-01 setOrderReadyForPickup in {CONFIRMED|PREPARING|READY|IN_DELIVERY} | order; 0 read a $each; 100 setOrderReadyForPickup a => passed
  ORD-EVR-01 setOrderReadyForPickup in CREATED | order; 0 read a CREATED; 100 setOrderReadyForPickup a
    => "the last status shown to it was CREATED (at 15:00:00.000)." a 0,100
  ORD-EVR-01 dispatchOrder in {READY|IN_DELIVERY|DELIVERED} | order; 0 read a $each; 100 dispatchOrder a => passed
  ORD-EVR-01 dispatchOrder in {CREATED|CONFIRMED|PREPARING} | order; 0 read a $each; 100 dispatchOrder a
    => "the last status shown to it was $each (at 15:00:00.000)." a 0,100
  ORD-EVR-01 setOrderDelivered in {READY|IN_DELIVERY|DELIVERED} | order; 0 read a $each; 100 setOrderDelivered a => passed
  ORD-EVR-01 setOrderDelivered in {CREATED|CONFIRMED|PREPARING} | order; 0 read a $each; 100 setOrderDelivered a
    => "the last status shown to it was $each (at 15:00:00.000)." a 0,100
  ORD-TRA-06 a dispatch of an order of type {TAKEOUT|INDOOR} | 0 created a type=$each & read a READY; 100 dispatchOrder a
    => "dispatched o1 at 15:00:00.100: an order of type $each is never dispatched." a 0,100
  ORD-TRA-06 another call of such an order | 0 created a & read a CREATED; 100 setOrderDelivered a => "the last status shown to it was CREATED" a 0,100
  ORD-RUL-02 an unknown order | 0 confirmOrder x => not-exercised

  lag 100
  ORD-RUL-02 it may have been shown before | order; 0 polled CREATED a took=300; 100 confirmOrder a took=300 => unshown a 100 inconclusive
  ORD-RUL-02 it was not | order; 0 polled CREATED a took=301; 100 confirmOrder a took=300 => unshown a 100
`)

nearMisses('SE-7')(`
  orders := 0 created a, b
  unread(heard=) := "The service confirmed o1 at 15:00:00.100 without reading it first: no GET of it had been answered 200 by then.$heard"

  ORD-FLO-03 it was read | orders; 0 read a CREATED took=100; 100 confirmOrder a => passed
  ORD-FLO-03 it was not | orders; 100 confirmOrder a => unread a 100
  ORD-FLO-03 another was | orders; 0 read b CREATED; 100 confirmOrder a => unread a 100
  ORD-FLO-03 the GET failed | orders; 0 getOrder a 503; 100 confirmOrder a => unread a 100
  ORD-FLO-03 the GET was answered after the call had begun | orders; 0 read a CREATED took=101; 100 confirmOrder a took=1 => unread a 100
  ORD-GEN-03 only an event of it had come | orders; 50 polled CREATED a; 100 confirmOrder a
    => unread( It had only received CREATED (at 15:00:00.050).) a 50,100
  ORD-FLO-03 only the first call counts | orders; 0 read a CREATED; 100 confirmOrder a; 200 createDelivery a => passed
  ORD-FLO-03 it is reported once | orders; 100,200 confirmOrder a => unread a 100
  ORD-FLO-03 the first call requested a delivery | orders; 100 createDelivery a => "The service requested a delivery for o1 at 15:00:00.100 without" a 100
  ORD-FLO-03 an unknown order | 0 confirmOrder x => not-exercised

  lag 100
  ORD-FLO-03 it may have been read before | orders; 0 read a CREATED took=300; 100 confirmOrder a took=300 => unread a 100 inconclusive
  ORD-FLO-03 it was not yet | orders; 0 read a CREATED took=301; 100 confirmOrder a took=300 => unread a 100
  ORD-FLO-03 it never was | orders; 100 confirmOrder a took=300 => unread a 100
`)

nearMisses('SE-8')(`
  orders := 0 created a, b
  back(did=confirmed o1|at=01.001|before=00.000) := "The service $did at 15:00:$at, after it had reported it as ready at 15:00:$before."

  ORD-EVR-04 one call | orders; 0 setOrderReadyForPickup a => not-exercised
  ORD-EVR-04 the next step | orders; 0 confirmOrder a; 5000 setOrderReadyForPickup a => passed
  ORD-EVR-04 the same step | orders; 0,5000 setOrderReadyForPickup a => passed
  ORD-EVR-04 an earlier step in flight | orders; 0 setOrderReadyForPickup a; 1000 confirmOrder a => passed
  ORD-EVR-04 an earlier step later | orders; 0 setOrderReadyForPickup a; 1001 confirmOrder a => back a 0,1001
  ORD-EVR-04 each operation is reported once | orders; 0 setOrderReadyForPickup a; 1001,2000 confirmOrder a; 2001 setOrderPreparing a
    => back a 0,1001; back(reported o1 as being prepared|02.001) a 0,2001
  ORD-EVR-04 the furthest step counts | orders; 0 setOrderReadyForPickup a; 500 confirmOrder a; 2000 setOrderPreparing a
    => back(reported o1 as being prepared|02.000) a 0,2000
  ORD-EVR-04 the first call of the furthest step counts | orders; 0,900 setOrderReadyForPickup a; 1001 confirmOrder a => back a 0,1001
  ORD-EVR-04 of another order | orders; 0 setOrderReadyForPickup a; 5000 confirmOrder b => not-exercised
  ORD-UND-05 the order was forced back | orders; 0 setOrderReadyForPickup a; 1 moved a CREATED forced; 5000 confirmOrder a => not-exercised
  ORD-UND-05 the order moved by itself | orders; 0 setOrderReadyForPickup a; 1 moved a READY; 1001 confirmOrder a => back a 0,1001
  ORD-UND-05 another was forced back | orders; 0 setOrderReadyForPickup a; 1 moved b CREATED forced; 1001 confirmOrder a => back a 0,1001
  ORD-EVR-01 an unknown order | 0 setOrderReadyForPickup x; 5000 confirmOrder x => not-exercised

  lag 100
  ORD-EVR-04 it may have been in flight | orders; 0 setOrderReadyForPickup a; 1200 confirmOrder a => back(confirmed o1|01.200) a 0,1200 inconclusive
  ORD-EVR-04 it was not | orders; 0 setOrderReadyForPickup a; 1201 confirmOrder a => back(confirmed o1|01.201) a 0,1201
`)

nearMisses('SE-9')(`
  order := 0 created a type=DELIVERY
  address := "address":{"street":"Rua Augusta, 1500","postalCode":"01304-001","formattedAddress":"Rua Augusta, 1500 - Consolação"}
  merchant := "merchant":{"id":"loja-1"}
  total := "total":{"orderAmount":{"value":40,"currency":"BRL"}}
  ends := "fulfillment":{"delivery":{$address},"takeout":{"pickupCode":"7"}}
  document := {"status":"CONFIRMED",$merchant,"displayId":"17",$total,$ends}
  shown := 0 read a CONFIRMED answer=$document
  # The GET showed all of the document, and the request says this as well.
  asked(fields) := order; shown; 1000 createDelivery a body={"orderId":"a",$fields}
  to(places) := asked("dropoff":{"address":{$places}})
  ready(body) := 0 created a; shown; 1000 setOrderReadyForPickup a body={$body}
  # GET showed the first time, the request says the second.
  timed(got|sent) := order; 0 read a CONFIRMED answer={"status":"CONFIRMED",$merchant,"createdAt":"2026-01-05T12:00:00-03:00","timing":{"preparationStartDateTime":"$got"}};
    1000 createDelivery a body={"orderId":"a","preparationStartDateTime":"$sent"}
  wrong(what|shownAt=00.000) := "The service requested a delivery for o1 at 15:00:01.000 with other data than GET had returned
    (at 15:00:$shownAt): $what."
  otherMerchant := wrong(the merchant loja-2 instead of loja-1) a 0,1000
  otherNumber := wrong(the number 18 instead of 17) a 0,1000

  LOG-FLD-04 nothing is said | order; shown; 1000 createDelivery a => passed
  LOG-FLD-04 the order was not read | order; 1000 createDelivery a body={"orderId":"a","merchant":{"id":"loja-2"}} => not-exercised
  LOG-FLD-04 the GET was answered after the call had begun | order; 0 read a CONFIRMED answer=$document took=1001;
    1000 createDelivery a took=10 body={"orderId":"a","merchant":{"id":"loja-2"}} => not-exercised
  LOG-FLD-04 the GET was answered as the call began | order; 0 read a CONFIRMED answer=$document took=1000;
    1000 createDelivery a body={"orderId":"a","merchant":{"id":"loja-2"}} => otherMerchant
  LOG-FLD-04 the same merchant | asked($merchant) => passed
  LOG-FLD-04 another merchant | asked("merchant":{"id":"loja-2"}) => otherMerchant
  LOG-FLD-04 the GET named none | order; 0 read a CONFIRMED answer={"status":"CONFIRMED","merchant":{},"displayId":"17",$total,$ends};
    1000 createDelivery a body={"orderId":"a","merchant":{"id":"loja-2"}} => passed
  LOG-FLD-02 the same number | asked("orderDisplayId":"17") => passed
  LOG-FLD-02 another number | asked("orderDisplayId":"18") => otherNumber
  LOG-FLD-02 another number by its other name | asked("displayId":"18") => otherNumber
  LOG-FLD-02 of two names the first counts | asked("orderDisplayId":"17","displayId":"18") => passed
  ORD-EVR-01 the same street | to("street":"Rua Augusta, 1500") => passed
  ORD-EVR-01 the street without its number | to("street":"RUA AUGUSTA") => passed
  ORD-EVR-01 the street with more | to("street":"Rua Augusta 1500, apto 3") => passed
  ORD-EVR-01 another street | to("street":"Rua Bela Cintra, 9") => wrong(the address Rua Bela Cintra, 9 instead of Rua Augusta, 1500) a 0,1000
  ORD-EVR-01 another street, but the same code | to("street":"Rua Bela Cintra, 9","postalCode":"01304001") => passed
  ORD-EVR-01 another code | to("postalCode":"99999-000") => wrong(the address 99999-000 instead of Rua Augusta, 1500) a 0,1000
  ORD-EVR-01 another address as one text | to("formattedAddress":"Rua Bela Cintra, 9")
    => wrong(the address undefined instead of Rua Augusta, 1500) a 0,1000
  ORD-EVR-01 an empty street | to("street":"") => passed
  ORD-EVR-01 a GET with a code only | order; 0 read a CONFIRMED
    answer={"status":"CONFIRMED",$merchant,"displayId":"17",$total,"fulfillment":{"delivery":{"address":{"postalCode":"01304-001"}}}};
    1000 createDelivery a body={"orderId":"a","dropoff":{"address":{"postalCode":"99999-000","street":"Rua Bela Cintra"}}}
    => wrong(the address Rua Bela Cintra instead of 01304-001) a 0,1000
  ORD-EVR-01 another price is judged by SE-14 | asked("totalOrderPrice":{"value":41,"currency":"BRL"}) => passed
  ORD-EVR-01 a time in the same characters | timed(2026-01-05T18:00:00-03:00|2026-01-05T18:00:00-03:00) => passed
  ORD-EVR-01 the same instant in UTC | timed(2026-01-05T18:00:00-03:00|2026-01-05T21:00:00Z) => passed
  ORD-EVR-01 the same instant with six digits | timed(2026-01-05T18:00:00.120Z|2026-01-05T18:00:00.120000Z) => passed
  ORD-EVR-01 the same instant without its seconds | timed(2026-01-05T18:00:59Z|2026-01-05T18:00Z) => passed
  ORD-EVR-01 the offset is lost | timed(2026-01-05T18:00:00-03:00|2026-01-05T18:00:00.000Z)
    => wrong(preparationStartDateTime 2026-01-05T18:00:00.000Z instead of 2026-01-05T18:00:00-03:00) a 0,1000
  ORD-EVR-01 the offset of the store instead of Z | timed(2026-01-05T18:00:00Z|2026-01-05T18:00:00-03:00)
    => wrong(preparationStartDateTime 2026-01-05T18:00:00-03:00 instead of 2026-01-05T18:00:00Z) a 0,1000
  ORD-EVR-01 the store begins an hour later of its own accord | timed(2026-01-05T18:00:00-03:00|2026-01-05T19:00:00-03:00) => passed
  ORD-EVR-01 the store begins when it likes | timed(2026-01-05T18:00:00-03:00|2026-01-05T18:07:31Z) => passed
  ORD-EVR-01 a time without an offset | timed(2026-01-05T18:00:00-03:00|2026-01-05T18:00:00) => passed
  ORD-EVR-01 a time that is none | timed(2026-01-05T18:00:00-03:00|at six) => passed
  ORD-EVR-01 GET has no time | asked("preparationStartDateTime":"2026-01-05T18:00:00Z") => passed
  ORD-EVR-01 the offset of createdAt is lost | order; 0 read a CONFIRMED answer={"status":"CONFIRMED","createdAt":"2026-01-05T12:00:00-03:00"};
    1000 createDelivery a body={"orderId":"a","limitTimes":{"orderCreatedAt":"2026-01-05T12:00:00Z"}}
    => wrong(limitTimes.orderCreatedAt 2026-01-05T12:00:00Z instead of 2026-01-05T12:00:00-03:00) a 0,1000
  ORD-EVR-01 the last GET counts | order; shown; 500 read a CONFIRMED answer={"status":"CONFIRMED",$merchant,"displayId":"18",$total,$ends};
    1000 createDelivery a body={"orderId":"a","displayId":"17"} => wrong(the number 17 instead of 18|00.500) a 500,1000
  ORD-EVR-01 a body that is no object | order; shown; 1000 createDelivery a 422 to=ordering-application body="[" => not-exercised
  ORD-EVR-01 each mistake is reported once | order; shown;
    1000,1001 createDelivery a body={"orderId":"a","displayId":"18"} & createDelivery a body={"orderId":"a","displayId":"19"}
    => otherNumber; wrong(the number 19 instead of 17) a 0,1000
  ORD-EVR-01 the same pickup code | ready("pickupCode":"7") => passed
  ORD-EVR-01 another pickup code | ready("pickupCode":"8") => "The service reported o1 as ready at 15:00:01.000 with other data than GET had
    returned (at 15:00:00.000): the pickup code 8 instead of 7." a 0,1000
  ORD-EVR-01 no pickup code | ready("merchant":{"id":"loja-2"}) => passed
  ORD-EVR-01 no body | 0 created a; shown; 1000 setOrderReadyForPickup a => not-exercised
`)

nearMisses('SE-10')(`
  orders := 0 created a, b type=DELIVERY
  lost := orders; 0 createDelivery a 503
  early(was=answered 503|at=00.000) := "The service dispatched o1 at 15:00:01.000 before its delivery was known to exist: the delivery request at 15:00:$at
    was $was."
  found := early a 0,1000

  LOG-CON-03 no delivery was requested | orders; 1000 dispatchOrder a => not-exercised
  LOG-CON-03 nothing was dispatched | lost; 5000 => not-exercised
  LOG-CON-03 the request succeeded | orders; 0 createDelivery a; 1000 dispatchOrder a => passed
  LOG-CON-03 it failed | lost; 1000 dispatchOrder a => found
  LOG-CON-03 no reply came | orders; 0 createDelivery a 0; 1000 dispatchOrder a => early(not answered (HUNG)) a 0,1000
  LOG-CON-03 it was refused | orders; 0 createDelivery a 422; 1000 dispatchOrder a => passed
  LOG-CON-03 of another order | orders; 0 createDelivery b 503; 1000 dispatchOrder a => not-exercised
  LOG-CON-03 it succeeded as the dispatch began | orders; 0 createDelivery a took=1000; 1000 dispatchOrder a => passed
  LOG-CON-03 it succeeded after the dispatch had begun | orders; 1000 dispatchOrder a; 0 createDelivery a took=1001 => early(answered 202) a 1000,0
  LOG-CON-03 it was requested after the dispatch | orders; 1000 dispatchOrder a; 1001 createDelivery a 503 => not-exercised
  LOG-CON-03 it was requested with the dispatch | orders; 1000 dispatchOrder a & createDelivery a 503 => early(answered 503|01.000) a 1000,1000
  LOG-CON-03 a retry succeeded | lost; 500 createDelivery a; 1000 dispatchOrder a => passed
  LOG-CON-03 a retry failed | lost; 500 createDelivery a 500; 1000 dispatchOrder a => early(answered 500|00.500) a 500,1000
  LOG-CON-03 a retry failed after a success | orders; 0 createDelivery a; 500 createDelivery a 503; 1000 dispatchOrder a => passed
  LOG-CON-03 a GET showed it | lost; 500 getDelivery a 200; 1000 dispatchOrder a => passed
  LOG-CON-03 a GET showed it after the dispatch | lost; 1000 dispatchOrder a; 1500 getDelivery a 200 => found
  LOG-CON-03 a GET found nothing | lost; 500 getDelivery a 404; 1000 dispatchOrder a => found
  LOG-CON-04 it was cancelled | lost; 500 cancelDelivery a; 1000 dispatchOrder a => passed
  LOG-CON-04 its cancellation was refused | lost; 500 cancelDelivery a 409; 1000 dispatchOrder a => passed
  LOG-CON-04 its cancellation failed | lost; 500 cancelDelivery a 503; 1000 dispatchOrder a => found
  LOG-CON-03 a webhook announced it | lost; 0 announced ACCEPTED a; 500 webhook ACCEPTED a operation=receiveDeliveryEvent; 1000 dispatchOrder a => passed
  LOG-CON-03 the service refused that webhook | lost; 0 announced ACCEPTED a; 500 webhook ACCEPTED a 503 operation=receiveDeliveryEvent;
    1000 dispatchOrder a => found
  LOG-CON-03 a webhook announced the order | lost; 500 webhook CREATED a; 1000 dispatchOrder a => found
  LOG-CON-03 a webhook about it is in flight | lost; 0 announced ACCEPTED a;
    500 webhook ACCEPTED a 503 operation=receiveDeliveryEvent took=1000 [1000 dispatchOrder a] => passed
  LOG-CON-03 a webhook about the order is in flight | lost; 0 emitted CONFIRMED a; 500 webhook CONFIRMED a took=1000 [1000 dispatchOrder a] => found
  ORD-TRA-06 the first dispatch counts, reported once | lost; 1000,2000 dispatchOrder a; 3000 createDelivery a 503 => found
  ORD-TRA-06 an unknown order | 0 createDelivery x 503; 1000 dispatchOrder x => not-exercised

  lag 100
  LOG-CON-03 it may have been known before | orders; 1000 dispatchOrder a; 0 createDelivery a took=1200 => early(answered 202) a 1000,0 inconclusive
  LOG-CON-03 it was not | orders; 1000 dispatchOrder a; 0 createDelivery a took=1201 => early(answered 202) a 1000,0
  LOG-CON-03 it never was | lost; 1000 dispatchOrder a => found
`)

nearMisses('SE-11')(`
  one := 01234567-89ab-cdef-0123-456789abcdef
  two := 11234567-89ab-cdef-0123-456789abcdef
  both := 0 created $one merchant=loja-1 & polled CREATED $one & created $two merchant=loja-1 & polled CREATED $two
  wrong(why|what=confirmed o1) := "The service $what at 15:00:00.100, but $why."
  unshown := wrong(no event or reply had shown that order to it)
  mixed(key) := "The service confirmed o1 at 15:00:00.100, but its X-Request-Id $key contains the id of another order, o2."

  ORD-GEN-03 a poll showed the order | both; 100 confirmOrder $one => passed
  ORD-GEN-03 a GET showed the order | 0 created $one & read $one CREATED; 100 confirmOrder $one => passed
  ORD-GEN-03 a webhook in flight shows it | 0 created $one & webhook CREATED $one took=200 [100 confirmOrder $one] => passed
  ORD-GEN-03 nothing did | 0 created $one; 100 confirmOrder $one => unshown $one 100
  ORD-GEN-03 only an event without a status did | 0 created $one & polled X_HINT $one; 100 confirmOrder $one => passed
  ORD-GEN-03 each order is reported once | 0 created $one, $two; 100,100 confirmOrder $one; 100 confirmOrder $two
    => unshown $one 100; wrong(no event or reply had shown that order to it|confirmed o2) $two 100
  ORD-GEN-03 an order of an earlier session | 100 confirmOrder x => passed
  ORD-GEN-03 an order named {undefined|null|NaN} | 100 confirmOrder $each
    => "The service confirmed order $each at 15:00:00.100, but there is no order $each." $each 100
  ORD-GEN-03 an order named [object Object] | 100 confirmOrder "[object Object]"
    => "The service confirmed order [object Object] at 15:00:00.100, but there is no order [object Object]." "[object Object]" 100
  AUT-MER-01 it belongs to a merchant that was not listed | 0 created $one merchant=loja-2 & polled CREATED $one; 50 listMerchants 200;
    100 confirmOrder $one
    => wrong(that order belongs to the merchant loja-2, which GET /merchants had not listed) $one 50,100
  AUT-MER-01 the merchants were never listed | 0 created $one merchant=loja-2 & polled CREATED $one; 100 confirmOrder $one => passed
  AUT-MER-01 the list could not be read | 0 created $one merchant=loja-2 & polled CREATED $one; 50 listMerchants 503; 100 confirmOrder $one => passed
  AUT-MER-01 it belongs to one that was | 0 created $one merchant=loja-1 & polled CREATED $one; 50 listMerchants 200; 100 confirmOrder $one => passed
  TRN-HDR-04 its id contains its own | both; 100 confirmOrder $one key=$one-confirm => passed
  TRN-HDR-04 its id contains that of another | both; 100 confirmOrder $one key=$two-confirm => mixed($two-confirm) $one 100
  TRN-HDR-04 of both the other is the mistake; the last call about it is shown | both; 10 read $two CREATED; 100 confirmOrder $one key=$one-$two
    => mixed($one-$two) $one 10,100
  TRN-HDR-04 its id is a number of its own | both; 100 confirmOrder $one key=21234567-89ab-cdef-0123-456789abcdef => passed
  TRN-HDR-04 its id contains no such number | both; 100 confirmOrder $one key=confirm-1 => passed
  TRN-HDR-04 a delivery is requested with the id of another order | both; 100 createDelivery $one key=$two
    => wrong(its X-Request-Id $two contains the id of another order, o2|requested a delivery for o1) $one 100
  ORD-GEN-03 only the merchants are asked for | 50 listMerchants 200 => not-exercised
`)

nearMisses('SE-12')(`
  orders := 0 created a, b
  asked := orders; 0 cancellationRequested a & requestCancellation a
  denied := asked; 1000 cancellationAnswered a deny
  stuck := "The cancellation request for o1 was denied at 15:00:01.000, and 120 s later the order is still CREATED."

  ORD-CAN-04 the request is not answered | asked; 121001 => not-exercised
  ORD-CAN-04 it was granted | asked; 1000 cancellationAnswered a accept; 121001 => not-exercised
  ORD-CAN-06 it was denied, and the order has time | denied; 121000 => open
  ORD-CAN-06 the order stands still | denied; 121001 => stuck a 0
  ORD-CAN-06 a fault is in force | denied; 2000 faultAdded; 121001 => open
  ORD-CAN-06 the order is on its way | denied; 2000 moved a READY; 121001 => "120 s later the order is still READY" a 0
  ORD-CAN-06 the order came to its end | denied; 121000 moved a DELIVERED; 121001 => passed
  ORD-CAN-06 another did | denied; 2000 moved b DELIVERED; 121001 => stuck a 0
  ORD-CAN-06 the last call about it is shown, and the last request | denied; 500 requestCancellation a; 2000 getOrder a 503; 121001 => stuck a 500,2000
  ORD-CAN-06 the service had not asked | orders; 0 cancellationRequested a; 1000 cancellationAnswered a deny; 121001 => not-exercised
  ORD-CAN-06 the order was over when it was denied | asked; 500 moved a DELIVERED; 1000 cancellationAnswered a deny; 121001 => not-exercised
  ORD-RUL-02 an accepted call has not taken effect yet | denied; 2000 planned order.apply a confirm; 121001 => open
`)

nearMisses('SE-13')(`
  accepted := CANCELLATION_REQUEST_ACCEPTED a
  orders := 0 created a, b type=DELIVERY
  heard := orders; 0 emitted $accepted; 10 polled $accepted
  taken := heard; 20 acknowledged $accepted
  early := "The service cancelled the delivery of o1 at 15:00:00.030, after CANCELLATION_REQUEST_ACCEPTED (at 15:00:00.010) but before CANCELLED;
    the order is CREATED."
  closed(status) := "The service reports o1 as $status at 15:00:00.030, after CANCELLATION_REQUEST_ACCEPTED (at 15:00:00.020) but before CANCELLED;
    the order is CREATED."

  ORD-EVT-14 nothing was announced | orders; 30 cancelDelivery a & probed a CANCELLED => not-exercised
  ORD-EVT-14 it was announced | taken => passed
  ORD-EVT-14 another event was | orders; 0 emitted CONFIRMED a; 10 polled CONFIRMED a; 20 acknowledged CONFIRMED a; 30 cancelDelivery a => not-exercised
  ORD-CAN-05 the delivery was cancelled | taken; 30 cancelDelivery a => early a 10,30
  ORD-CAN-05 it is reported once, from the first announcement | taken; 25 polled $accepted; 30,40 cancelDelivery a => early a 10,30
  ORD-CAN-05 the delivery of another order was | taken; 30 cancelDelivery b => passed
  ORD-CAN-05 before the announcement came | orders; 0 emitted $accepted; 10 polled $accepted took=20; 29 cancelDelivery a took=10 => not-exercised
  ORD-CAN-05 the delivery was cancelled before the webhook with the announcement was answered | orders; 0 emitted $accepted;
    10 webhook $accepted took=40 [30 cancelDelivery a] => early a 30,10
  ORD-CAN-05 it is reported once, from the webhook | orders; 0 emitted $accepted; 10 webhook $accepted took=40 [30 cancelDelivery a];
    60 cancelDelivery a => early a 30,10
  ORD-CAN-05 it was cancelled before the webhook was sent | orders; 0 emitted $accepted; 9 cancelDelivery a; 10 webhook $accepted took=40 => passed
  ORD-CAN-05 a fault may have held the webhook back | orders; 0 emitted $accepted;
    10 webhook $accepted took=40 fault="slow on receiveOrderEvent" [30 cancelDelivery a] => passed
  LOG-CON-04 the service had asked for it itself before the webhook was answered | orders; 0 emitted $accepted;
    10 webhook $accepted took=40 [20 requestCancellation a; 30 cancelDelivery a] => passed
  ORD-CAN-05 the order was cancelled before the webhook was answered | orders; 0 emitted $accepted; 10 webhook $accepted took=40 [20 moved a CANCELLED;
    30 cancelDelivery a] => not-exercised
  LOG-CON-04 the service had asked for it itself, and was not answered yet | taken; 25 cancellationRequested a; 30 cancelDelivery a => passed
  LOG-CON-04 the service had asked for it itself | taken; 25 requestCancellation a; 30 cancelDelivery a => passed
  ORD-CAN-05 the order was cancelled | taken; 25 moved a CANCELLED; 30 cancelDelivery a & probed a CANCELLED => passed
  ORD-CAN-05 the order was concluded | taken; 25 moved a CONCLUDED; 30 cancelDelivery a & probed a CANCELLED => passed
  ORD-CAN-05 the order was confirmed | taken; 25 moved a CONFIRMED; 30 cancelDelivery a => "the order is CONFIRMED" a 10,30
  ORD-CAN-05 a GET showed CANCELLED | taken; 25 read a CANCELLED; 30 cancelDelivery a & probed a CANCELLED => passed
  ORD-CAN-04 the service reports {CANCELLED|CONCLUDED} | taken; 30 probed a $each => closed($each) a 20
  ORD-CAN-04 the service reports {CREATED|DELIVERED} | taken; 30 probed a $each => passed
  ORD-CAN-04 the service reports no status | taken; 30 probed a => passed
  ORD-CAN-04 the service reports that of another order | taken; 30 probed b CANCELLED => passed
  ORD-CAN-04 it did not acknowledge the announcement | heard; 30 probed a CANCELLED => not-exercised
  ORD-CAN-04 the last GET is shown as well | taken; 25 read a CREATED; 30 probed a CANCELLED => closed(CANCELLED) a 20,25
  ORD-CAN-04 the first acknowledgment counts | taken; 25 acknowledged $accepted; 30 probed a CANCELLED => closed(CANCELLED) a 20
  ORD-CAN-04 the order was cancelled before | heard; 15 moved a CANCELLED; 20 acknowledged $accepted; 25 moved a READY;
    30 probed a CANCELLED => not-exercised
  ORD-CAN-05 both mistakes are reported | taken; 30 cancelDelivery a & probed a CANCELLED => early a 10,30; closed(CANCELLED) a 20
  ORD-EVT-14 an unknown order | 10 polled CANCELLATION_REQUEST_ACCEPTED x; 30 cancelDelivery x => not-exercised
`)

nearMisses('SE-14')(`
  orders := 0 created a, b type=DELIVERY
  # An order of 40, so much of it pending.
  shown(pending=0|amount=40) := 0 read a CONFIRMED answer={"status":"CONFIRMED","total":{"orderAmount":{"value":$amount,"currency":"BRL"}},"payments":{"pending":$pending}}
  # The GET showed this order, and the request says this as well.
  asked(fields|pending=0|amount=40) := orders; shown($pending|$amount); 1000 createDelivery a body={"orderId":"a",$fields}
  price(value|amount=40) := asked("totalOrderPrice":{"value":$value,"currency":"BRL"}|0|$amount)
  cash(value|pending) := asked("payments":{"method":"OFFLINE","offlineMethod":[{"type":"CASH","amount":{"value":$value,"currency":"BRL"}}]}|$pending)
  wrong(what|shownAt=00.000) := "The service requested a delivery for o1 at 15:00:01.000 with other amounts than GET had returned
    (at 15:00:$shownAt): $what."
  # An item was cancelled after the first read.
  changed(value) := orders; shown; 500 read a CONFIRMED answer={"status":"CONFIRMED","total":{"orderAmount":{"value":20,"currency":"BRL"}},"payments":{"pending":0}};
    1000 createDelivery a body={"orderId":"a","totalOrderPrice":{"value":$value,"currency":"BRL"}}
  # Both orders go with one courier.
  together(value|ids) := orders; shown; 0 read b CONFIRMED answer={"status":"CONFIRMED","total":{"orderAmount":{"value":60,"currency":"BRL"}},"payments":{"pending":0}};
    1000 createDelivery a body={"orderId":"a","combinedOrdersIds":[$ids],"totalOrderPrice":{"value":$value,"currency":"BRL"}}

  ORD-EVR-01 no amount is said | asked("displayId":"17") => not-exercised
  ORD-EVR-01 the order was not read | orders; 1000 createDelivery a body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}} => not-exercised
  ORD-EVR-01 the GET was answered after the call had begun | orders; 0 read a CONFIRMED answer={"status":"CONFIRMED","total":{"orderAmount":{"value":40,"currency":"BRL"}},"payments":{"pending":0}} took=1001;
    1000 createDelivery a took=10 body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}} => not-exercised
  ORD-EVR-01 the same price | price(40) => passed
  ORD-EVR-01 another price | price(41) => wrong(the price 41 instead of 40) a 0,1000
  ORD-EVR-01 a price of 0 | price(0) => wrong(the price 0 instead of 40) a 0,1000
  ORD-EVR-01 a cent more | price(40.01) => wrong(the price 40.01 instead of 40) a 0,1000
  ORD-EVR-01 a cent less | price(39.99) => wrong(the price 39.99 instead of 40) a 0,1000
  ORD-EVR-01 {47.37|47.38} for 47.375 | price($each|47.375) => passed
  ORD-EVR-01 {47.36|47.39} for 47.375 | price($each|47.375) => wrong(the price $each instead of 47.375) a 0,1000
  ORD-EVR-01 a sum of floats | price(0.30000000000000004|0.3) => passed
  ORD-EVR-01 nothing for an order of nothing | price(0|0) => passed
  ORD-EVR-01 a price that is a text | asked("totalOrderPrice":{"value":"41","currency":"BRL"}) => not-exercised
  ORD-EVR-01 a price without a value | asked("totalOrderPrice":{"currency":"BRL"}) => not-exercised
  ORD-FLD-17 another currency | asked("totalOrderPrice":{"value":40,"currency":"USD"}) => wrong(the currency USD instead of BRL) a 0,1000
  ORD-FLD-17 no currency | asked("totalOrderPrice":{"value":40}) => passed
  ORD-EVR-01 the GET named no price | orders; 0 read a CONFIRMED answer={"status":"CONFIRMED","total":{}};
    1000 createDelivery a body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}} => not-exercised
  ORD-ITM-03 the price before an item was cancelled | changed(40) => passed
  ORD-ITM-03 the price after an item was cancelled | changed(20) => passed
  ORD-ITM-03 a price in between, which a read between them may have shown | changed(30) => passed
  ORD-ITM-03 a price that was never shown | changed(41) => wrong(the price 41 instead of 20 to 40|00.500) a 500,1000
  ORD-EVR-01 the price of one of two orders in one delivery | together(40|"a","b") => passed
  ORD-EVR-01 the price of both | together(100|"a","b") => passed
  ORD-EVR-01 the price of the other one | together(60|"b") => wrong(the price 60 instead of 40) a 0,1000
  ORD-EVR-01 together with an order that is not known | together(41|"x") => not-exercised
  ORD-EVR-01 together with one that was not read | orders; shown;
    1000 createDelivery a body={"orderId":"a","combinedOrdersIds":["b"],"totalOrderPrice":{"value":41,"currency":"BRL"}} => not-exercised
  ORD-EVR-01 all of it is pending, and collected | cash(40|40) => passed
  ORD-EVR-01 a part of it is pending, and collected | cash(15|15) => passed
  ORD-EVR-01 all of it is paid, and collected again | cash(40|0) => wrong(40 to collect at the door, and all of it is paid) a 0,1000
  ORD-EVR-01 more than is pending | cash(40|15) => wrong(40 to collect at the door, and 15 is pending) a 0,1000
  ORD-EVR-01 half a cent more than is pending | cash(15.01|15.005) => passed
  ORD-EVR-01 less than is pending, which may be paid otherwise | cash(10|15) => wrong(10 to collect at the door, and 15 is pending) a 0,1000 advice
  ORD-EVR-01 several ways to pay | asked("payments":{"method":"OFFLINE","offlineMethod":[{"type":"CASH","amount":{"value":10,"currency":"BRL"}},{"type":"CASH","amount":{"value":5,"currency":"BRL"}}]}|15) => passed
  ORD-EVR-01 a way without an amount | asked("payments":{"method":"OFFLINE","offlineMethod":[{"type":"CASH","amount":{"value":10,"currency":"BRL"}},{"type":"PIX"}]}|15) => passed
  ORD-EVR-01 at the door, without an amount | asked("payments":{"method":"OFFLINE"}|15) => passed
  ORD-EVR-01 at the door, and all of it is paid | asked("payments":{"method":"OFFLINE"}) => wrong(a payment at the door, and all of it is paid) a 0,1000
  ORD-EVR-01 nothing to collect, and all of it is paid | asked("payments":{"method":"ONLINE"}) => passed
  ORD-EVR-01 payments of which nothing is said | asked("payments":{}|15) => not-exercised
  ORD-EVR-01 the GET named no payments | orders; 0 read a CONFIRMED answer={"status":"CONFIRMED"};
    1000 createDelivery a body={"orderId":"a","payments":{"method":"OFFLINE"}} => not-exercised
  ORD-EVR-01 a quote | orders; shown; 1000 checkDeliveryAvailability a body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}}
    => "the price 41 instead of 40" a 0,1000
  ORD-EVR-01 each mistake is reported once | orders; shown; 1000,1001 createDelivery a body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}}
    => wrong(the price 41 instead of 40) a 0,1000
`)
