/** Near misses of CV-6. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { viewsAgree } from './views-agree.ts'

nearMisses(viewsAgree)(`
  heard := 0 created a & polled CREATED a
  confirmed := heard; 1000 moved a CONFIRMED
  differs(says=reported CREATED|status=CONFIRMED|more=) := "o1 is $status since 15:00:01.000, and 120 s later the service $says.$more"
  found := differs a 0

  ORD-OPS-04 it is asked too early | confirmed; 121000 probed a CREATED => open
  ORD-OPS-04 it reports another status | confirmed; 121001 probed a CREATED => found
  ORD-OPS-04 it reports the status | confirmed; 121001 probed a CONFIRMED => passed
  ORD-OPS-04 it does not know the order | confirmed; 121001 probed a => differs(reported no status of it) a 0
  ORD-OPS-04 it uses words of its own | confirmed; 121001 probed a NEW => not-exercised
  ORD-EVR-01 it was asked again, and reports the status | confirmed; 121001 probed a CREATED & probed a CONFIRMED => passed
  ORD-EVR-01 it was asked early, and the time is over | confirmed; 121000 probed a CREATED; 242002 => open
  ORD-EVR-01 the order moved since | confirmed; 121001 probed a CREATED; 121002 moved a READY => passed
  ORD-EVR-01 the order moved as it was asked | heard; 121001 moved a CONFIRMED & probed a CREATED; 242002 => open
  ORD-EVR-01 the event came later | 0 created a & moved a CONFIRMED; 1000 polled CREATED a; 121000 probed a CREATED => open
  ORD-EVR-01 the event came long enough ago | 0 created a & moved a CONFIRMED; 1000 polled CREATED a; 121001 probed a CREATED
    => "o1 is CONFIRMED since 15:00:00.000, and 121 s later" a 1000
  ORD-EVR-01 a fault was in force until then | confirmed; 1000 faultAdded; 2000 faultRemoved; 122000 probed a CREATED => open
  ORD-EVR-01 a fault was in force, and is over | confirmed; 1000 faultAdded; 2000 faultRemoved; 122001 probed a CREATED => "121 s later" a 0
  ORD-EVR-01 a fault is in force | confirmed; 1000 faultAdded; 121001 probed a CREATED => open
  ORD-EVR-01 no event of the order came | 0 created a; 121001 probed a CONFIRMED => not-exercised
  ORD-OPS-03 a webhook brought one | 0 created a & webhook CREATED a; 1000 moved a CONFIRMED; 121001 probed a CREATED => found
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2 & polled CREATED a; 121001 probed a CONFIRMED => not-exercised
  ORD-EVR-01 the last GET and the last call are shown | confirmed; 2000 read a CREATED; 3000 confirmOrder a; 121001 probed a CREATED
    => differs(reported CREATED|CONFIRMED| It last read it at 15:00:02.000.) a 0,2000,3000
  ORD-EVR-01 it reports DELIVERED of one that is DELIVERED | heard; 1000 moved a DELIVERED; 121001 probed a DELIVERED => passed
  ORD-EVR-01 it reports CONCLUDED of one that is DELIVERED | heard; 1000 moved a DELIVERED; 121001 probed a CONCLUDED => passed
  ORD-EVR-01 it reports {CANCELLED|READY} of one that is DELIVERED | heard; 1000 moved a DELIVERED; 121001 probed a $each
    => differs(reported $each|DELIVERED) a 0
  ORD-EVR-01 it reports DELIVERED of one that was concluded then | heard; 500 moved a DELIVERED; 1000 moved a CONCLUDED; 121001 probed a DELIVERED => passed
  ORD-EVR-01 it reports CANCELLED of one that was concluded after DELIVERED | heard; 500 moved a DELIVERED; 1000 moved a CONCLUDED;
    121001 probed a CANCELLED
    => differs(reported CANCELLED|CONCLUDED) a 0
  ORD-EVR-01 it deleted one that is DELIVERED | heard; 1000 moved a DELIVERED; 121001 probed a => not-exercised
  ORD-EVR-01 it reports CANCELLED of one that is CANCELLED | heard; 1000 moved a CANCELLED; 121001 probed a CANCELLED => passed
  ORD-EVR-01 it reports CONCLUDED of one that is CANCELLED | heard; 1000 moved a CANCELLED; 121001 probed a CONCLUDED => passed
  ORD-EVR-01 it reports {DELIVERED|CREATED} of one that is CANCELLED | heard; 1000 moved a CANCELLED; 121001 probed a $each
    => differs(reported $each|CANCELLED) a 0
  ORD-EVR-01 it reports CANCELLED of one that was concluded then | heard; 500 moved a CANCELLED; 1000 moved a CONCLUDED; 121001 probed a CANCELLED => passed
  ORD-EVR-01 it reports DELIVERED of one that was concluded after CANCELLED | heard; 500 moved a CANCELLED; 1000 moved a CONCLUDED;
    121001 probed a DELIVERED
    => differs(reported DELIVERED|CONCLUDED) a 0
  ORD-EVR-01 it deleted one that is CANCELLED | heard; 1000 moved a CANCELLED; 121001 probed a => not-exercised
`)
