/** Near misses of WH-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { validWebhooksAreTaken } from './valid-webhooks-are-taken.ts'

nearMisses(validWebhooksAreTaken)`
  order := 0 created a
  refusalFinding(type|last=answered 503) := "The service refused the webhook of $type of o1 twice, until the partner gave up: the last was $last."
  found := refusalFinding(CREATED) a 100000,101000

  ORD-OPS-03 it was accepted | order; 0 webhook CREATED a => passed
  ORD-OPS-03 it was refused, and is not given up yet | order; 0 webhook CREATED a 503 => not-exercised
  ORD-OPS-03 it was given up | order; 100000,101000 webhook CREATED a 503; 200000 givenUp CREATED a => found
  ORD-EVR-03 it was given up again | order; 100000,101000 webhook CREATED a 503; 200000,200000 givenUp CREATED a => found
  ORD-OPS-03 it was accepted at last | order; 0 webhook CREATED a 503; 1000 webhook CREATED a; 200000 givenUp CREATED a => passed
  ORD-OPS-03 another event was accepted | order; 0 emitted CONFIRMED a & webhook CONFIRMED a; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => found
  ORD-OPS-03 another event was given up | order; 0 webhook CREATED a 503; 200000 givenUp CONFIRMED a => not-exercised
  ORD-OPS-03 no webhook was answered | order; 100000,101000 webhook CREATED a 0 failure=TIMEOUT; 200000 givenUp CREATED a
    => refusalFinding(CREATED|not answered (TIMEOUT)) a 100000,101000
  ORD-OPS-03 the service could not be reached | order; 100000,101000 webhook CREATED a 0 failure=ECONNREFUSED; 200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a fault distorted the webhooks | order; 100000,101000 webhook CREATED a 503 fault="slow on ev(o1)"; 200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a fault distorted the first webhook | order; 0 webhook CREATED a 503 fault="slow on ev(o1)"; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a fault distorted one that was accepted | order; 0 webhook CREATED a fault="slow on ev(o1)"; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a call of the service was answered 503 ten seconds before | order; 90000 getOrder a 503; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a call of the service was answered 500 ten seconds before | order; 90000 getOrder a 500; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a call of the service was answered 429 ten seconds before | order; 90000 getOrder a 429; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a call of the service was not answered ten seconds before | order; 90000 getOrder a 0; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a call of the service was distorted ten seconds before | order; 90000 getOrder a 200 fault="slow on req(getOrder)";
    100000,101000 webhook CREATED a 503; 200000 givenUp CREATED a => not-exercised
  ORD-OPS-03 a call of the service was answered 503 earlier | order; 89999 getOrder a 503; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => found
  ORD-OPS-03 a call of the service was answered 404 | order; 99999 getOrder a 404; 100000,101000 webhook CREATED a 503; 200000 givenUp CREATED a => found
  AUT-MER-01 the order is of a merchant of another service | 0 created a merchant=loja-2; 100000,101000 webhook CREATED a 503;
    200000 givenUp CREATED a => not-exercised
  ORD-EVR-04 the event was changed on its way | order; 0 fact {"kind":"event.altered","eventId":"CREATED a","change":{}};
    100000,101000 webhook CREATED a 503; 200000 givenUp CREATED a => not-exercised
  ORD-EVR-07 the profile forbids the event | order; 0 emitted DISPATCHED a; 100000,101000 webhook DISPATCHED a 503;
    200000 givenUp DISPATCHED a => not-exercised
  ORD-EVR-07 the profile allows it | 0 created a type=DELIVERY & emitted DISPATCHED a; 100000,101000 webhook DISPATCHED a 503; 200000 givenUp DISPATCHED a
    => refusalFinding(DISPATCHED) a 100000,101000
  ORD-EVR-08 its type is unknown | order; 0 emitted X_HINT a; 100000,101000 webhook X_HINT a 503; 200000 givenUp X_HINT a => not-exercised
  ORD-EVR-08 its type is one of V1 | order; 0 emitted PICKED_UP a; 100000,101000 webhook PICKED_UP a 503; 200000 givenUp PICKED_UP a
    => refusalFinding(PICKED_UP) a 100000,101000
  ORD-OPS-03 it was never emitted | 100000,101000 webhook CREATED x 503; 200000 givenUp CREATED x => not-exercised
  LOG-EVT-01 it is an event of the delivery | order; 100000,101000 webhook CREATED a 503 operation=receiveDeliveryEvent;
    200000 givenUp CREATED a => not-exercised

  lag 100
  ORD-OPS-03 a call may have failed shortly before | order; 89800 getOrder a 503; 100000,101000 webhook CREATED a 503; 200000 givenUp CREATED a
    => refusalFinding(CREATED) a 100000,101000 inconclusive
  ORD-OPS-03 it had not | order; 89799 getOrder a 503; 100000,101000 webhook CREATED a 503; 200000 givenUp CREATED a => found
  ORD-OPS-03 we may have missed the answer | order; 100000,106000 webhook CREATED a 0 failure=TIMEOUT took=5200; 200000 givenUp CREATED a
    => refusalFinding(CREATED|not answered (TIMEOUT)) a 100000,106000 inconclusive
  ORD-OPS-03 there was none | order; 100000,106000 webhook CREATED a 0 failure=TIMEOUT took=5201; 200000 givenUp CREATED a
    => refusalFinding(CREATED|not answered (TIMEOUT)) a 100000,106000
`
