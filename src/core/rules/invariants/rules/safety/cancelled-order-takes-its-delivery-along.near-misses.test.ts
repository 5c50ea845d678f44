/** Near misses of SE-4. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { cancelledOrderTakesItsDeliveryAlong } from './cancelled-order-takes-its-delivery-along.ts'

nearMisses(cancelledOrderTakesItsDeliveryAlong)(`
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
