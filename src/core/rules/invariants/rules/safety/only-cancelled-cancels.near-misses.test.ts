/** Near misses of SE-13. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { onlyCancelledCancels } from './only-cancelled-cancels.ts'

nearMisses(onlyCancelledCancels)(`
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
