/** Near misses of SE-10. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { deliveryBeforeDispatch } from './delivery-before-dispatch.ts'

nearMisses(deliveryBeforeDispatch)(`
  orders := 0 created a, b type=DELIVERY
  lost := orders; 0 createDelivery a 503
  early(was=answered 503|at=00.000) := "The service dispatched o1 at 15:00:01.000 before its delivery was known to exist: the delivery request at 15:00:$at
    was $was."
  found := early a 0,1000

  LOG-CON-03 no delivery was requested | orders; 1000 dispatchOrder a => not-exercised
  LOG-CON-03 nothing was dispatched | lost; 5000 => not-exercised
  LOG-CON-03 the request succeeded | orders; 0 createDelivery a; 1000 dispatchOrder a => passed
  LOG-CON-03 it failed | lost; 1000 dispatchOrder a => found
  LOG-CON-03 no reply came | orders; 0 createDelivery a 0; 1000 dispatchOrder a => early(not answered (HUNG)) a 0,1000
  LOG-CON-03 it was refused | orders; 0 createDelivery a 422; 1000 dispatchOrder a => passed
  LOG-CON-03 of another order | orders; 0 createDelivery b 503; 1000 dispatchOrder a => not-exercised
  LOG-CON-03 it succeeded as the dispatch began | orders; 0 createDelivery a took=1000; 1000 dispatchOrder a => passed
  LOG-CON-03 it succeeded after the dispatch had begun | orders; 1000 dispatchOrder a; 0 createDelivery a took=1001 => early(answered 202) a 1000,0
  LOG-CON-03 it was requested after the dispatch | orders; 1000 dispatchOrder a; 1001 createDelivery a 503 => not-exercised
  LOG-CON-03 it was requested with the dispatch | orders; 1000 dispatchOrder a & createDelivery a 503 => early(answered 503|01.000) a 1000,1000
  LOG-CON-03 a retry succeeded | lost; 500 createDelivery a; 1000 dispatchOrder a => passed
  LOG-CON-03 a retry failed | lost; 500 createDelivery a 500; 1000 dispatchOrder a => early(answered 500|00.500) a 500,1000
  LOG-CON-03 a retry failed after a success | orders; 0 createDelivery a; 500 createDelivery a 503; 1000 dispatchOrder a => passed
  LOG-CON-03 a GET showed it | lost; 500 getDelivery a 200; 1000 dispatchOrder a => passed
  LOG-CON-03 a GET showed it after the dispatch | lost; 1000 dispatchOrder a; 1500 getDelivery a 200 => found
  LOG-CON-03 a GET found nothing | lost; 500 getDelivery a 404; 1000 dispatchOrder a => found
  LOG-CON-04 it was cancelled | lost; 500 cancelDelivery a; 1000 dispatchOrder a => passed
  LOG-CON-04 its cancellation was refused | lost; 500 cancelDelivery a 409; 1000 dispatchOrder a => passed
  LOG-CON-04 its cancellation failed | lost; 500 cancelDelivery a 503; 1000 dispatchOrder a => found
  LOG-CON-03 a webhook announced it | lost; 0 announced ACCEPTED a; 500 webhook ACCEPTED a operation=receiveDeliveryEvent; 1000 dispatchOrder a => passed
  LOG-CON-03 the service refused that webhook | lost; 0 announced ACCEPTED a; 500 webhook ACCEPTED a 503 operation=receiveDeliveryEvent;
    1000 dispatchOrder a => found
  LOG-CON-03 a webhook announced the order | lost; 500 webhook CREATED a; 1000 dispatchOrder a => found
  LOG-CON-03 a webhook about it is in flight | lost; 0 announced ACCEPTED a;
    500 webhook ACCEPTED a 503 operation=receiveDeliveryEvent took=1000 [1000 dispatchOrder a] => passed
  LOG-CON-03 a webhook about the order is in flight | lost; 0 emitted CONFIRMED a; 500 webhook CONFIRMED a took=1000 [1000 dispatchOrder a] => found
  ORD-TRA-06 the first dispatch counts, reported once | lost; 1000,2000 dispatchOrder a; 3000 createDelivery a 503 => found
  ORD-TRA-06 an unknown order | 0 createDelivery x 503; 1000 dispatchOrder x => not-exercised

  lag 100
  LOG-CON-03 it may have been known before | orders; 1000 dispatchOrder a; 0 createDelivery a took=1200 => early(answered 202) a 1000,0 inconclusive
  LOG-CON-03 it was not | orders; 1000 dispatchOrder a; 0 createDelivery a took=1201 => early(answered 202) a 1000,0
  LOG-CON-03 it never was | lost; 1000 dispatchOrder a => found
`)
