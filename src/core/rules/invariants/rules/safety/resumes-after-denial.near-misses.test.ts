/** Near misses of SE-12. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { resumesAfterDenial } from './resumes-after-denial.ts'

nearMisses(resumesAfterDenial)(`
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
