/** Near misses of WH-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { validWebhooksAreTaken } from './valid-webhooks-are-taken.ts'

nearMisses(validWebhooksAreTaken)(`
  order := 0 created a
  # The webhook is sent twice with the same result, and then given up.
  refused(eventId|reply=503) := 100000,101000 webhook $eventId $reply; 200000 givenUp $eventId
  sentTwice(type|last=answered 503) := "The service refused the webhook of $type of o1 twice, until the partner gave up: the last was $last."
  found := sentTwice(CREATED) a 100000,101000

  ORD-OPS-03 it was accepted | order; 0 webhook CREATED a => passed
  ORD-OPS-03 it was refused, and is not given up yet | order; 0 webhook CREATED a 503 => not-exercised
  ORD-OPS-03 it was given up | order; refused(CREATED a) => found
  ORD-EVR-03 it was given up again | order; 100000,101000 webhook CREATED a 503; 200000,200000 givenUp CREATED a => found
  ORD-OPS-03 it was accepted at last | order; 0 webhook CREATED a 503; 1000 webhook CREATED a; 200000 givenUp CREATED a => passed
  ORD-OPS-03 another event was accepted | order; 0 emitted CONFIRMED a & webhook CONFIRMED a; refused(CREATED a) => found
  ORD-OPS-03 another event was given up | order; 0 webhook CREATED a 503; 200000 givenUp CONFIRMED a => not-exercised
  ORD-OPS-03 no webhook was answered | order; refused(CREATED a|0 failure=TIMEOUT) => sentTwice(CREATED|not answered (TIMEOUT)) a 100000,101000
  ORD-OPS-03 the service could not be reached | order; refused(CREATED a|0 failure=ECONNREFUSED) => not-exercised
  ORD-OPS-03 a fault distorted the webhooks | order; refused(CREATED a|503 fault="slow on ev(o1)") => not-exercised
  ORD-OPS-03 a fault distorted the first webhook | order; 0 webhook CREATED a 503 fault="slow on ev(o1)"; refused(CREATED a) => not-exercised
  ORD-OPS-03 a fault distorted one that was accepted | order; 0 webhook CREATED a fault="slow on ev(o1)"; refused(CREATED a) => not-exercised
  ORD-OPS-03 a call of the service was answered {503|500|429} ten seconds before | order; 90000 getOrder a $each; refused(CREATED a) => not-exercised
  ORD-OPS-03 a call of the service was not answered ten seconds before | order; 90000 getOrder a 0; refused(CREATED a) => not-exercised
  ORD-OPS-03 a call of the service was distorted ten seconds before | order; 90000 getOrder a 200 fault="slow on req(getOrder)";
    refused(CREATED a) => not-exercised
  ORD-OPS-03 a call of the service was answered 503 earlier | order; 89999 getOrder a 503; refused(CREATED a) => found
  ORD-OPS-03 a call of the service was answered 404 | order; 99999 getOrder a 404; refused(CREATED a) => found
  AUT-MER-01 the order is of a merchant of another service | 0 created a merchant=loja-2; refused(CREATED a) => not-exercised
  ORD-EVR-04 the event was changed on its way | order; 0 fact {"kind":"event.altered","eventId":"CREATED a","change":{}};
    refused(CREATED a) => not-exercised
  ORD-EVR-07 the profile forbids the event | order; 0 emitted DISPATCHED a; refused(DISPATCHED a) => not-exercised
  ORD-EVR-07 the profile allows it | 0 created a type=DELIVERY & emitted DISPATCHED a; refused(DISPATCHED a) => sentTwice(DISPATCHED) a 100000,101000
  ORD-EVR-08 its type is unknown | order; 0 emitted X_HINT a; refused(X_HINT a) => not-exercised
  ORD-EVR-08 its type is one of V1 | order; 0 emitted PICKED_UP a; refused(PICKED_UP a) => sentTwice(PICKED_UP) a 100000,101000
  ORD-OPS-03 it was never emitted | refused(CREATED x) => not-exercised
  LOG-EVT-01 it is an event of the delivery | order; refused(CREATED a|503 operation=receiveDeliveryEvent) => not-exercised

  lag 100
  ORD-OPS-03 a call may have failed shortly before | order; 89800 getOrder a 503; refused(CREATED a) => sentTwice(CREATED) a 100000,101000 inconclusive
  ORD-OPS-03 it had not | order; 89799 getOrder a 503; refused(CREATED a) => found
  ORD-OPS-03 we may have missed the answer | order; 100000,106000 webhook CREATED a 0 failure=TIMEOUT took=5200; 200000 givenUp CREATED a
    => sentTwice(CREATED|not answered (TIMEOUT)) a 100000,106000 inconclusive
  ORD-OPS-03 there was none | order; 100000,106000 webhook CREATED a 0 failure=TIMEOUT took=5201; 200000 givenUp CREATED a
    => sentTwice(CREATED|not answered (TIMEOUT)) a 100000,106000
`)
