/** Near misses of CV-9. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { timesAreNoOrder } from './times-are-no-order.ts'

nearMisses(timesAreNoOrder)(`
  orders := 0 created a, b
  # An event of another order came before, that was created at 500 ms.
  before := orders; 500 emitted CONFIRMED b; 600 polled CONFIRMED b createdAt=500
  dropped(since=01.000|type=CONFIRMED) := "The service did not process $type of o1 (at 15:00:$since), whose createdAt is not newer than that of earlier
    events: in the 120 s since it has neither read the order nor made the next call about it."
  found := dropped a 1000

  ORD-EVR-04 it is newer | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=501; 121001 => not-exercised
  ORD-EVR-04 it is as old | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 121001 => found
  ORD-EVR-04 it is older | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=-500; 121001 => found
  ORD-EVR-04 it is older, and there is time | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=-500; 121000 => open
  ORD-EVR-04 the order was read | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 2000 read a CONFIRMED; 121001 => passed
  ORD-EVR-04 the order was read as it was emitted | before; 700 emitted CONFIRMED a & read a CONFIRMED; 1000 polled CONFIRMED a createdAt=500;
    121001 => not-exercised
  ORD-EVR-04 the order was read before it was emitted | before; 699 read a CREATED; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500;
    121001 => dropped a 699,1000
  ORD-EVR-04 the next call was made | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500 & setOrderPreparing a; 121001 => passed
  ORD-EVR-04 a call was made before it came | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 999 setOrderPreparing a took=10;
    121001 => dropped a 1000,999
  ORD-EVR-04 a GET had begun before it came | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 999 read a CONFIRMED took=10;
    121001 => passed
  ORD-EVR-04 a GET had begun before it was emitted | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 699 read a CREATED took=310;
    121001 => dropped a 1000,699
  ORD-EVR-04 the GET failed | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 2000 getOrder a 503; 121001 => dropped a 1000,2000
  ORD-EVR-04 another order was read | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 2000 read b CONFIRMED; 121001 => found
  ORD-EVR-03 it came for the second time | orders; 400 emitted CONFIRMED a; 500 emitted CONFIRMED b; 600 polled CONFIRMED b createdAt=500;
    700 polled CONFIRMED a createdAt=800; 1000 polled CONFIRMED a createdAt=500; 121001 => not-exercised
  ORD-EVF-01 it has no createdAt | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a; 121001 => not-exercised
  ORD-EVF-01 its createdAt is no date | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=soon; 121001 => not-exercised
  ORD-EVF-01 its createdAt is what the host wrote | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=700; 121001 => not-exercised
  ORD-EVF-01 the host wrote another date than that of its emission | orders; 400 emitted CONFIRMED a createdAt=5000; 500 emitted CONFIRMED b;
    600 polled CONFIRMED b createdAt=500; 1000 polled CONFIRMED a createdAt=5000; 121001 => found
  ORD-EVR-04 it has no status | before; 700 emitted ITEM_CANCELLED a; 1000 polled ITEM_CANCELLED a createdAt=500; 121001 => not-exercised
  ORD-EVR-04 it tells of the end | before; 700 emitted CANCELLED a; 1000 polled CANCELLED a createdAt=500; 121001 => passed
  AUT-MER-01 it is of a merchant of another service | before; 700 created c merchant=loja-2; 1000 polled CREATED c createdAt=0; 121001 => not-exercised
  ORD-EVR-04 it was never emitted | before; 1000 polled CONFIRMED a createdAt=500; 121001 => not-exercised
  ORD-OPS-03 it came by webhook | before; 700 emitted CONFIRMED a; 1000 webhook CONFIRMED a createdAt=500; 121001 => found
  ORD-OPS-03 the service refused the webhook | before; 700 emitted CONFIRMED a; 1000 webhook CONFIRMED a 503 createdAt=500; 121001 => not-exercised
  ORD-EVR-04 two came, and the order has one | before; 700 emitted CONFIRMED a; 1000 polled CONFIRMED a createdAt=500; 1200 emitted PREPARING a;
    1500 polled PREPARING a createdAt=400; 121001 => found
  ORD-OPS-01 the first event of all | orders; 0 polled CREATED a createdAt=0; 1 polled; 121001 => not-exercised
`)
