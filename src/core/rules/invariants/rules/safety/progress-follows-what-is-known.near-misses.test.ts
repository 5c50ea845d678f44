/** Near misses of SE-6. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { progressFollowsWhatIsKnown } from './progress-follows-what-is-known.ts'

nearMisses(progressFollowsWhatIsKnown)(`
  order := 0 created a type=DELIVERY
  shown := order; 0 polled CREATED a
  unshown := "The service confirmed o1 at 15:00:00.100: no status of the order had been shown to it."
  early(more=) := "The service reported o1 as being prepared at 15:00:00.200: the last status shown to it was CREATED (at 15:00:00.000)$more."

  ORD-RUL-02 a poll showed CREATED | shown; 100 confirmOrder a => passed
  ORD-RUL-02 nothing did | order; 100 confirmOrder a => unshown a 100
  ORD-RUL-02 a poll did as the call began | order; 0 polled CREATED a took=100; 100 confirmOrder a => passed
  ORD-RUL-02 a poll did after the call had begun | order; 0 polled CREATED a took=101; 100 confirmOrder a took=10 => unshown a 100
  ORD-RUL-02 of another order | order; 0 created b & polled CREATED b; 100 confirmOrder a => unshown a 100
  ORD-EVR-01 a webhook in flight did | order; 0 webhook CREATED a took=200 [100 confirmOrder a] => passed
  ORD-RUL-02 the next call follows the accepted one | shown; 100 confirmOrder a; 200 setOrderPreparing a
    => early(, and the 202 to its confirmOrder only says that the call was accepted) a 0,100,200
  ORD-RUL-02 it follows a refused one | shown; 100 confirmOrder a 422; 200 setOrderPreparing a => early a 0,200
  ORD-RUL-02 each operation is reported once | shown; 200,201 setOrderPreparing a; 202 setOrderReadyForPickup a
    => early a 0,200; "The service reported o1 as ready" a 0,201,202
  ORD-EVR-01 the event that was in flight has no evidence | order; 0 webhook CREATED a took=300 [200 setOrderPreparing a]
    => "at 15:00:00.200: the last status shown to it was CREATED." a 200
  ORD-EVR-01 the highest status before the call counts | shown; 0 emitted CONFIRMED a; 50 polled CONFIRMED a; 60 read a READY took=500;
    200 dispatchOrder a took=500
    => "o1 at 15:00:00.200: the last status shown to it was CONFIRMED (at 15:00:00.050)" a 50,200
  ORD-EVR-01 confirmOrder in {CREATED|CONFIRMED|PREPARING|CANCELLED} | order; 0 read a $each; 100 confirmOrder a => passed
  ORD-EVR-01 setOrderPreparing in {CONFIRMED|PREPARING|READY} | order; 0 read a $each; 100 setOrderPreparing a => passed
  ORD-EVR-01 setOrderPreparing in CREATED | order; 0 read a CREATED; 100 setOrderPreparing a
    => "the last status shown to it was CREATED (at 15:00:00.000)." a 0,100
  ORD-EVR-01 setOrderReadyForPickup in {CONFIRMED|PREPARING|READY|IN_DELIVERY} | order; 0 read a $each; 100 setOrderReadyForPickup a => passed
  ORD-EVR-01 setOrderReadyForPickup in CREATED | order; 0 read a CREATED; 100 setOrderReadyForPickup a
    => "the last status shown to it was CREATED (at 15:00:00.000)." a 0,100
  ORD-EVR-01 dispatchOrder in {READY|IN_DELIVERY|DELIVERED} | order; 0 read a $each; 100 dispatchOrder a => passed
  ORD-EVR-01 dispatchOrder in {CREATED|CONFIRMED|PREPARING} | order; 0 read a $each; 100 dispatchOrder a
    => "the last status shown to it was $each (at 15:00:00.000)." a 0,100
  ORD-EVR-01 setOrderDelivered in {READY|IN_DELIVERY|DELIVERED} | order; 0 read a $each; 100 setOrderDelivered a => passed
  ORD-EVR-01 setOrderDelivered in {CREATED|CONFIRMED|PREPARING} | order; 0 read a $each; 100 setOrderDelivered a
    => "the last status shown to it was $each (at 15:00:00.000)." a 0,100
  ORD-TRA-06 a dispatch of an order of type {TAKEOUT|INDOOR} | 0 created a type=$each & read a READY; 100 dispatchOrder a
    => "dispatched o1 at 15:00:00.100: an order of type $each is never dispatched." a 0,100
  ORD-TRA-06 another call of such an order | 0 created a & read a CREATED; 100 setOrderDelivered a => "the last status shown to it was CREATED" a 0,100
  ORD-RUL-02 an unknown order | 0 confirmOrder x => not-exercised

  lag 100
  ORD-RUL-02 it may have been shown before | order; 0 polled CREATED a took=300; 100 confirmOrder a took=300 => unshown a 100 inconclusive
  ORD-RUL-02 it was not | order; 0 polled CREATED a took=301; 100 confirmOrder a took=300 => unshown a 100
`)
