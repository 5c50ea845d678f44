/** Near misses of RT-6. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { failuresAreTriedAgain } from './failures-are-tried-again.ts'

nearMisses(failuresAreTriedAgain)(`
  orders := 0 created a, b
  failed := orders; 0 confirmOrder a 503
  gaveUp(times=once|reply=a 503|ago=120 s|what=confirmOrder of o1) := "The service tried $what $times, got $reply, and has not retried it for $ago."
  found := gaveUp a 0
  # A call that failed, and what has become of the order.
  failing(operation|status|more=) := 0 created a & $operation a 503 $more; 1 moved a $status; 120001
  tried := "The service tried" a 0
  requested := orders; 0 createDelivery a 503
  noDelivery := gaveUp(once|a 503|120 s|createDelivery of o1) a 0

  TRN-STA-12 it need not be tried again yet | failed; 120000 => open
  TRN-STA-12 it was not tried again | failed; 120001 => found
  TRN-STA-12 it was, with success | failed; 120000 confirmOrder a; 120001 => passed
  TRN-ERB-01 it was, and refused | failed; 120000 confirmOrder a 422; 240002 => passed
  TRN-STA-12 it was, and failed again | failed; 1000 confirmOrder a 503; 121001 => gaveUp(twice) a 1000
  TRN-STA-12 another order was confirmed | failed; 1 confirmOrder b; 120001 => found
  TRN-STA-12 of both orders it is missing | failed; 0 confirmOrder b 503; 120001 => gaveUp a 0; gaveUp(once|a 503|120 s|confirmOrder of o2) b 0
  TRN-STA-12 a try that had begun before the failed one succeeded | orders; 1 confirmOrder a 503; 0 confirmOrder a took=500; 120002 => gaveUp a 1
  TRN-STA-12 one that began with it did | orders; 1 confirmOrder a 503 & confirmOrder a took=500; 120002 => passed
  TRN-STA-10 Retry-After is not over for so long | orders; 0 confirmOrder a 429 retryAfter=10; 130000 => open
  TRN-STA-10 it is | orders; 0 confirmOrder a 429 retryAfter=10; 130001 => gaveUp(once|a 429 with Retry-After: 10|130 s) a 0
  TRN-STA-12 it has time from the end of the call | orders; 0 confirmOrder a 503 took=1000; 121000 => open
  TRN-STA-11 a fault is in force | failed; 1 faultAdded; 120001 => open
  TRN-STA-12 no reply came | orders; 0 confirmOrder a 0; 120001 => gaveUp(once|no reply) a 0
  TRN-ERB-01 it was refused | orders; 0 confirmOrder a 422; 120001 => not-exercised
  AUT-TOK-04 its token was rejected | orders; 0 confirmOrder a 401; 120001 => not-exercised
  ORD-CAN-04 a person asked for its cancellation | orders; 0 requestCancellation a 503; 120001 => not-exercised
  ORD-CAN-04 its cancellation was asked for | failed; 1 cancellationRequested a; 120001 => passed
  ORD-CAN-04 an operator had the order cancelled: it needs no delivery | requested; 1 operatorCancels a; 120001 => passed
  ORD-CAN-04 an operator had another order cancelled | requested; 1 operatorCancels b; 120001 => noDelivery
  ORD-CAN-06 its cancellation was denied | failed; 1 cancellationRequested a; 2 cancellationAnswered a deny; 120001 => found
  TRN-STA-12 the order is unknown | 0 confirmOrder x 503; 120001 => passed
  TRN-STA-12 getOrder of an order that is IN_DELIVERY | failing(getOrder|IN_DELIVERY) => tried
  TRN-STA-12 getOrder of an order that is DELIVERED | failing(getOrder|DELIVERED) => passed
  TRN-STA-12 confirmOrder of an order that is CREATED | failing(confirmOrder|CREATED) => tried
  TRN-STA-12 confirmOrder of an order that is CONFIRMED | failing(confirmOrder|CONFIRMED) => passed
  TRN-STA-12 setOrderPreparing of an order that is CONFIRMED | failing(setOrderPreparing|CONFIRMED) => tried
  TRN-STA-12 setOrderPreparing of an order that is PREPARING | failing(setOrderPreparing|PREPARING) => passed
  TRN-STA-12 setOrderReadyForPickup of an order that is PREPARING | failing(setOrderReadyForPickup|PREPARING) => tried
  TRN-STA-12 setOrderReadyForPickup of an order that is READY | failing(setOrderReadyForPickup|READY) => passed
  TRN-STA-12 dispatchOrder of an order that is READY | failing(dispatchOrder|READY) => tried
  TRN-STA-12 dispatchOrder of an order that is IN_DELIVERY | failing(dispatchOrder|IN_DELIVERY) => passed
  TRN-STA-12 setOrderDelivered of an order that is IN_DELIVERY | failing(setOrderDelivered|IN_DELIVERY) => tried
  TRN-STA-12 setOrderDelivered of an order that is DELIVERED | failing(setOrderDelivered|DELIVERED) => passed
  TRN-STA-12 checkDeliveryAvailability of an order that is READY | failing(checkDeliveryAvailability|READY) => tried
  TRN-STA-12 checkDeliveryAvailability of an order that is IN_DELIVERY | failing(checkDeliveryAvailability|IN_DELIVERY) => passed
  TRN-STA-12 setDeliveryReadyForPickup of an order that is READY | failing(setDeliveryReadyForPickup|READY|body={"orderId":"a"}) => tried
  TRN-STA-12 setDeliveryReadyForPickup of an order that is IN_DELIVERY | failing(setDeliveryReadyForPickup|IN_DELIVERY|body={"orderId":"a"}) => passed
  LOG-CON-03 a delivery was not requested again | requested; 120001 => noDelivery
  LOG-CON-03 the delivery exists | requested; 1 deliveryCreated a; 120001 => passed
  LOG-CON-04 its order was cancelled | requested; 1 moved a CANCELLED; 120001 => passed
  LOG-CON-03 its order is under way without it | requested; 1 moved a IN_DELIVERY; 120001 => noDelivery
  LOG-CON-03 it was requested twice, and the order is under way without it | requested; 1 createDelivery a 503 & moved a IN_DELIVERY; 120002 => passed
  LOG-CON-03 it was requested twice, and the order is ready | requested; 1 createDelivery a 503 & moved a READY; 120002
    => gaveUp(twice|a 503|120 s|createDelivery of o1) a 1
  LOG-CON-03 it was requested twice, and the service goes on with {getDelivery|setDeliveryReadyForPickup} | requested; 1 createDelivery a 503;
    2 $each a 200 & moved a IN_DELIVERY; 120003
    => gaveUp(twice|a 503|120 s|createDelivery of o1) a 1
  LOG-CON-04 a delivery was not cancelled | orders; 0 deliveryCreated a & cancelDelivery a 503; 120001 => gaveUp(once|a 503|120 s|cancelDelivery of o1) a 0
  LOG-CON-04 a delivery that is {DELIVERED|CANCELLED|FAILED|IN_TRANSIT} can no longer be | orders; 0 deliveryCreated a & cancelDelivery a 503;
    1 deliveryMoved a $each; 120001 => passed
  LOG-CON-04 there is no delivery to cancel | orders; 0 cancelDelivery a 503; 120001 => passed
  LOG-CON-04 the cancellation of a delivery is needed though that of its order was asked for | orders;
    0 deliveryCreated a & cancellationRequested a & cancelDelivery a 503; 120001
    => gaveUp(once|a 503|120 s|cancelDelivery of o1) a 0
`)
