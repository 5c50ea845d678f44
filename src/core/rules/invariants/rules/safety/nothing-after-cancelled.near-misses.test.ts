/** Near misses of SE-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { nothingAfterCancelled } from './nothing-after-cancelled.ts'

nearMisses(nothingAfterCancelled)(`
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
