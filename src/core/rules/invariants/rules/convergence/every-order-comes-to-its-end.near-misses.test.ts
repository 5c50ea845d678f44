/** Near misses of CV-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { everyOrderComesToItsEnd } from './every-order-comes-to-its-end.ts'

nearMisses(everyOrderComesToItsEnd)(`
  heard := 0 created a & polled CREATED a
  stuck(status=CREATED|since=120 s) := "o1 is still $status, $since after it reached that status. The service made no call about it."
  found := stuck a 0
  # It was over, and an operator opened it again.
  reopened := heard; 1000 moved a DELIVERED; 2000 moved a CONFIRMED forced

  ORD-GEN-05 it has time | heard; 120000 => open
  ORD-GEN-05 it stands still | heard; 120001 => found
  ORD-GEN-05 a fault is in force | heard; 1 faultAdded; 120001 => open
  ORD-STA-01 it was delivered | heard; 120000 moved a DELIVERED; 120001 => passed
  ORD-STA-01 it was cancelled | heard; 120000 moved a CANCELLED; 120001 => passed
  ORD-FLO-04 another was | heard; 0 created b; 120000 moved b DELIVERED; 120001 => found
  ORD-FLO-04 each step gives it time | heard; 5000 moved a READY; 125000 => open
  ORD-FLO-04 it stands still after a step | heard; 5000 moved a READY; 125001 => stuck(READY) a 0
  ORD-FLO-04 its time begins with the event | 0 created a; 5000 polled CREATED a; 125000 => open
  ORD-FLO-04 it stands still since the event | 0 created a; 5000 polled CREATED a; 125001 => stuck(CREATED|125 s) a 5000
  ORD-GEN-05 the last call about it is named | heard; 10 getOrder a 503; 20 confirmOrder a 422; 120001
    => "The last call of the service about it was SS > OA  POST /orders/a/confirm  422 at 15:00:00.020." a 0,20
  ORD-GEN-03 no event of it came | 0 created a; 120001 => not-exercised
  ORD-OPS-03 a webhook brought one | 0 created a & webhook CREATED a; 120001 => found
  ORD-OPS-03 the service refused it | 0 created a & webhook CREATED a 503; 120001 => not-exercised
  ORD-STA-01 one came after its end | 0 created a & moved a DELIVERED & polled CREATED a; 120001 => not-exercised
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2 & polled CREATED a; 120001 => passed
  ORD-CAN-04 its cancellation was asked for | heard; 1 cancellationRequested a; 120001 => open
  ORD-CAN-04 its cancellation was granted | heard; 1 cancellationRequested a; 2 cancellationAnswered a accept; 120003 => open
  ORD-CAN-06 it was denied, and it has time | heard; 1 cancellationRequested a; 5000 cancellationAnswered a deny; 125000 => open
  ORD-CAN-06 it was denied, and it stands still | heard; 1 cancellationRequested a; 5000 cancellationAnswered a deny; 125001 => stuck(CREATED|125 s) a 0
  ORD-RUL-02 an accepted call takes effect later | heard; 1 planned order.apply a confirm; 120001 => open
  ORD-RUL-02 the host only concludes it later | heard; 1 planned order.apply a conclude; 120001 => found
  ORD-RUL-02 one about another order does | heard; 1 planned order.apply b confirm; 120001 => found
  ORD-STA-01 it was opened again, and no event said so | reopened; 122001 => passed
  ORD-STA-01 an event said so | reopened; 3000 emitted CONFIRMED a & polled CONFIRMED a; 122001 => stuck(CONFIRMED) a 0
`)
