/** Near misses of CV-7. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { newestReadingWins } from './newest-reading-wins.ts'

nearMisses(newestReadingWins)(`
  orders := 0 created a, b
  overtaken := orders; 100 read a READY took=100; 50 read a CONFIRMED took=450; 500 moved a READY
  old(what=reported o1 as being prepared|at=01.201) := "The service $what at 15:00:$at, based on CONFIRMED: that reply arrived last, but its GET (at
    15:00:00.050) was sent before the one that returned READY (at 15:00:00.100)."

  ORD-EVR-01 the replies came in order | orders; 0 read a CONFIRMED; 100 read a READY took=100; 1201 setOrderPreparing a => not-exercised
  ORD-EVR-01 an older one came last | overtaken => passed
  ORD-EVR-01 an older one came last and is followed | overtaken; 1201 setOrderPreparing a => old a 100,50,1201
  ORD-EVR-01 it is followed within a moment of the newer one | overtaken; 1200 setOrderPreparing a => passed
  ORD-EVR-01 the newer one is followed | overtaken; 1201 setOrderDelivered a => passed
  ORD-EVR-01 neither is | overtaken; 1201 confirmOrder a => passed
  ORD-EVR-01 each operation is reported once | overtaken; 1201,1202 setOrderPreparing a; 1203 setOrderReadyForPickup a
    => old a 100,50,1201; old(reported o1 as ready|01.203) a 100,50,1203
  ORD-EVR-01 the call began before the older one had come | orders; 100 read a READY took=100; 50 read a CONFIRMED took=1450; 1500 moved a READY;
    1499 setOrderPreparing a took=10 => passed
  ORD-EVR-01 the call began as it came | orders; 100 read a READY took=100; 50 read a CONFIRMED took=1450; 1500 moved a READY & setOrderPreparing a
    => old(reported o1 as being prepared|01.500) a 100,50,1500
  ORD-EVR-01 the GETs began together | orders; 100 read a READY took=100 & read a CONFIRMED took=450; 550 moved a READY;
    1201 setOrderPreparing a => not-exercised
  ORD-EVR-01 the replies came together | orders; 100 read a READY took=100; 50 read a CONFIRMED took=150; 500 moved a READY;
    1201 setOrderPreparing a => not-exercised
  ORD-EVR-01 of two newer ones that show the same the first counts | orders; 100,300 read a READY took=100; 250 read a CONFIRMED took=450; 700 moved a READY;
    1500 setOrderPreparing a => not-exercised
  ORD-EVR-01 both show the same | orders; 100 read a CONFIRMED took=100; 50 read a CONFIRMED took=450; 500 moved a READY;
    1201 setOrderPreparing a => not-exercised
  ORD-EVR-01 the older one shows more | orders; 100 read a CONFIRMED took=100; 50 read a READY took=450; 500 moved a READY;
    1201 setOrderPreparing a => not-exercised
  ORD-EVR-01 the order is what the older one shows | orders; 100 read a READY took=100; 50 read a CONFIRMED took=450; 500 moved a CONFIRMED;
    1201 setOrderPreparing a => passed
  ORD-EVR-01 a reply shows no status | orders; 100 read a READY took=100; 50 read a CONFIRMED took=450 answer={}; 1201 setOrderPreparing a => not-exercised
  ORD-EVR-01 it goes further than the newer one shows | orders; 100 read a CONFIRMED took=100; 50 read a CREATED took=450; 500 moved a CONFIRMED;
    1201 setOrderPreparing a => passed
  ORD-EVR-01 of another order | overtaken; 1201 setOrderPreparing b => passed

  lag 100
  ORD-EVR-01 it may have been a moment | overtaken; 1400 setOrderPreparing a => old(reported o1 as being prepared|01.400) a 100,50,1400 inconclusive
  ORD-EVR-01 it was not | overtaken; 1401 setOrderPreparing a => old(reported o1 as being prepared|01.401) a 100,50,1401
`)
