/** Near misses of SE-8. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { neverBackwards } from './never-backwards.ts'

nearMisses(neverBackwards)(`
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
