/** Near misses of CV-8. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { earlyCancellationIsRemembered } from './early-cancellation-is-remembered.ts'

nearMisses(earlyCancellationIsRemembered)(`
  cancelled := 0 created a, b & moved a CANCELLED & emitted CANCELLED a
  early := cancelled; 10 polled CANCELLED a; 20 acknowledged CANCELLED a
  both := early; 30 polled CREATED a
  started(after= and after CREATED had arrived as well (at 15:00:00.030)|what=confirmed o1) := "The service $what 1 s after it had accepted CANCELLED$after;
    CANCELLED had arrived before CREATED."

  ORD-EVR-04 CREATED did not come | early => not-exercised
  ORD-EVR-04 CREATED came next | both => passed
  ORD-EVR-04 CREATED came next, and the acknowledgment last | cancelled; 10 polled CANCELLED a; 30 polled CREATED a; 40 acknowledged CANCELLED a => passed
  ORD-EVR-04 both came in one poll | cancelled; 10 polled CANCELLED a, CREATED a; 20 acknowledged CANCELLED a, CREATED a => passed
  ORD-EVR-04 CREATED came first | cancelled; 5 polled CREATED a; 10 polled CANCELLED a; 20 acknowledged CANCELLED a => not-exercised
  ORD-EVR-04 CREATED came first, in the same poll | cancelled; 10 polled CREATED a, CANCELLED a; 20 acknowledged CANCELLED a => not-exercised
  ORD-EVR-04 CANCELLED was not acknowledged | cancelled; 10 polled CANCELLED a; 30 polled CREATED a; 5000 confirmOrder a => not-exercised
  ORD-EVR-04 another event came in between | early; 25 emitted ITEM_CANCELLED a & polled ITEM_CANCELLED a; 30 polled CREATED a => not-exercised
  ORD-EVR-04 another event came later | both; 35 emitted ITEM_CANCELLED a & polled ITEM_CANCELLED a => passed
  ORD-EVR-04 CANCELLED came again in between | early; 25 polled CANCELLED a; 30 polled CREATED a => passed
  ORD-EVR-04 an event of another order came in between | early; 25 polled CREATED b; 30 polled CREATED a => passed
  ORD-EVR-04 the order was read before | 0 created a & read a CREATED; 1 moved a CANCELLED & emitted CANCELLED a; 10 polled CANCELLED a;
    20 acknowledged CANCELLED a; 30 polled CREATED a => not-exercised
  ORD-EVR-04 the webhook of CREATED was in flight | cancelled; 5 webhook CREATED a took=25 [10 polled CANCELLED a; 20 acknowledged CANCELLED a] => passed
  ORD-EVR-04 both came by webhook | cancelled; 10 webhook CANCELLED a; 30 webhook CREATED a => passed
  ORD-CAN-02 a call in flight | both; 1020 confirmOrder a => passed
  ORD-CAN-02 the order was started | both; 1021 confirmOrder a => started a 10,30,1021
  ORD-CAN-02 the order was started before CREATED came | early; 1021 confirmOrder a => started() a 10,1021
  ORD-CAN-02 each operation is reported once | both; 1021,1022 confirmOrder a; 1023 setOrderPreparing a
    => started a 10,30,1021; started(_|reported o1 as being prepared) a 10,30,1023
  ORD-CAN-02 another order was | both; 1021 confirmOrder b => passed
  ORD-CAN-02 the host did not cancel it | 0 created a & emitted CANCELLED a; 10 polled CANCELLED a; 20 acknowledged CANCELLED a;
    5000 confirmOrder a => not-exercised
  ORD-EVR-04 the first acknowledgment counts | both; 900 acknowledged CANCELLED a; 1021 confirmOrder a => started a 10,30,1021

  lag 100
  ORD-CAN-02 it may have been in flight | both; 1220 confirmOrder a => /confirmed o1 1.2 s after/ a 10,30,1220 inconclusive
  ORD-CAN-02 it was not | both; 1221 confirmOrder a => /confirmed o1 1.2 s after/ a 10,30,1221
`)
