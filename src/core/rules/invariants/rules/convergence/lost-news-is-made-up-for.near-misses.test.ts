/** Near misses of CV-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { lostNewsIsMadeUpFor } from './lost-news-is-made-up-for.ts'

nearMisses(lostNewsIsMadeUpFor)(`
  heard := 0 created a & polled CREATED a
  # An event of a known order is emitted, and reaches nobody.
  lost(type=CONFIRMED) := heard; 1000 emitted $type a
  missing(type=CONFIRMED) := "The event $type of o1 (at 15:00:01.000) never reached the service, and in the 120 s since it has neither read the order nor
    made the next call about it."
  found := missing a 0

  ORD-EVR-06 it need not be found out yet | lost; 121000 => open
  ORD-EVR-06 it was not found out | lost; 121001 => found
  ORD-EVR-06 a fault is in force | lost; 2000 faultAdded; 121001 => open
  ORD-EVR-06 the order was read | lost; 121000 read a CONFIRMED; 121001 => passed
  ORD-EVR-06 the order was read as it was emitted | heard; 1000 emitted CONFIRMED a & read a CONFIRMED; 121001 => passed
  ORD-EVR-06 the GET had begun before | heard; 1000 emitted CONFIRMED a; 999 read a CREATED took=10; 121001 => missing a 0,999
  ORD-EVR-06 the GET failed | lost; 2000 getOrder a 503; 121001 => missing a 0,2000
  ORD-EVR-06 another order was read | lost; 1500 created b; 2000 read b CREATED; 121001 => found
  ORD-EVR-01 the next call was made | lost; 2000 setOrderPreparing a; 121001 => passed
  ORD-EVR-01 the next call was made and failed | lost; 2000 setOrderPreparing a 503; 121001 => passed
  ORD-EVR-01 a step was left out | lost; 2000 setOrderReadyForPickup a; 121001 => passed
  ORD-EVR-01 the call before was made again | lost; 2000 confirmOrder a; 121001 => missing a 0,2000
  ORD-EVR-01 the next call was made before | heard; 1000 emitted CONFIRMED a; 999 setOrderPreparing a took=10; 121001 => missing a 0,999
  ORD-EVR-06 it came late | lost; 121000 polled CONFIRMED a; 121001 => not-exercised
  ORD-EVR-06 it was found out before it came | lost; 2000 read a CONFIRMED; 3000 polled CONFIRMED a; 121001 => not-exercised
  ORD-EVR-06 a poll will bring it | lost; 1000 fact {"kind":"event.offered","eventId":"CONFIRMED a"}; 121001 => not-exercised
  ORD-EVR-06 it is on its way | lost; 1000 planned event.offer CONFIRMED a; 121001 => not-exercised
  ORD-EVR-06 no event of the order came | 0 created a; 1000 emitted CONFIRMED a; 121001 => not-exercised
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2 & polled CREATED a; 1000 emitted CONFIRMED a; 121001 => not-exercised
  ORD-EVR-06 {PREPARATION_REQUESTED|CREATED|CONCLUDED|X_HINT} requires nothing | heard; 1000 emitted $each a#2; 121001 => not-exercised
  ORD-EVR-06 {PREPARING|READY_FOR_PICKUP|DELIVERED|CANCELLED} does | lost($each); 121001 => missing($each) a 0
  LOG-EVT-01 an event of the delivery has the same name | heard; 1000 announced CANCELLED a; 121001 => not-exercised
  ORD-EVR-06 of two lost ones the first is reported | lost; 1000 emitted PREPARING a; 121001 => found
  ORD-EVT-16 another event announced the end | lost; 1000 moved a CANCELLED & emitted CANCELLED a; 2000 polled CANCELLED a; 121001 => not-exercised
  ORD-EVT-05 another event announced a later status | lost; 1000 emitted READY_FOR_PICKUP a; 2000 polled READY_FOR_PICKUP a; 121001 => missing a 0
`)
