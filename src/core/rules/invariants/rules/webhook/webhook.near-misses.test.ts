/** Near misses of the rules WH-1 to WH-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('WH-1')(`
  taken := 0 created a & webhook CREATED a

  ORD-OPS-03 it need not be read yet | taken; 120000 => open
  ORD-OPS-03 it was never read | taken; 120001
    => "answered the webhook of CREATED of o1 with 204, so the event will not come again; the service never read the order." a 0
  ORD-OPS-03 it was read | taken; 120000 read a CREATED; 120001 => passed
  ORD-GEN-05 its GET failed | taken; 1 getOrder a 503; 120001 => "its GET failed and was not retried" a 0,1
  ORD-OPS-03 the webhook was refused | 0 created a & webhook CREATED a 503; 120001 => not-exercised
  ORD-OPS-03 the webhook was of another event | 0 created a & emitted CONFIRMED a & webhook CONFIRMED a; 120001 => not-exercised
  AUT-GEN-02 the webhook was forged | 0 created a & webhook CREATED a fault="wrong-signature on ev(o1)"; 120001 => not-exercised
  ORD-OPS-02 the event was polled and acknowledged | 0 created a & polled CREATED a & acknowledged CREATED a; 120001 => not-exercised
  AUT-MER-01 the order is of a merchant of another service | 0 created a merchant=loja-2 & webhook CREATED a; 120001 => not-exercised
`)

nearMisses('WH-2')(`
  slow(of= receiveOrderEvent of o1) := "The service took 5 s to answer the webhook$of; the time limit is 5 s."
  none := "did not answer the webhook receiveOrderEvent of o1 within 5 s; the time limit is 5 s."

  ORD-OPS-03 at the limit | 0 created a & webhook CREATED a took=5000 => passed
  ORD-OPS-03 later | 0 created a & webhook CREATED a took=5001 => slow a 0
  ORD-OPS-03 with an error | 0 created a & webhook CREATED a 503 took=5001 => slow a 0
  ORD-OPS-03 not at all | 0 created a & webhook CREATED a 0 took=5000 failure=TIMEOUT => none a 0
  ORD-OPS-03 it could not be reached | 0 created a & webhook CREATED a 0 took=9000 failure=ECONNREFUSED => not-exercised
  ORD-OPS-03 a fault delayed it | 0 created a & webhook CREATED a took=9000 fault="slow on ev(o1)" => not-exercised
  ORD-OPS-03 each is reported | 0 created a; 0,9000 webhook CREATED a took=5001 => slow a 0; slow a 9000
  IND-EVR-01 one about no order | 0 receiveAccountEvent 204 by=sparring took=5001 => slow( receiveAccountEvent) - 0

  lag 100
  ORD-OPS-03 our lag may have made it so late | 0 created a & webhook CREATED a took=5200 => /took 5.2 s/ a 0 inconclusive
  ORD-OPS-03 it cannot have | 0 created a & webhook CREATED a took=5201 => /took 5.2 s/ a 0
  ORD-OPS-03 it may have kept an answer from us | 0 created a & webhook CREATED a 0 took=5000 failure=TIMEOUT => none a 0 inconclusive
`)

nearMisses('WH-3')(`
  fault := wrong-signature on ev(o1,CREATED,webhook)
  orders := 0 created a, b
  refused := orders; 10 webhook CREATED a 401 fault="$fault"
  acted(by=the GET) := "refused a forged webhook of o1 with 401, but made $by of o1 anyway, before anything else had announced the order."

  AUT-GEN-02 it was refused | refused; 120011 => passed
  TRN-STA-05 it was answered 503 | orders; 10 webhook CREATED a 503 fault="$fault"; 120011 => passed
  TRN-STA-05 it was answered 500 | orders; 10 webhook CREATED a 500 fault="$fault"; 120011
    => "The service answered a forged webhook of o1 with 500 in place of 401: $fault." a 10
  AUT-GEN-02 each that was accepted is reported | orders; 0,1 webhook CREATED a 204 fault="$fault"
    => "The service answered a forged webhook of o1 with 204: $fault." a 0; "The service answered a forged webhook of o1 with 204: $fault." a 1
  AUT-GEN-02 one about no order was accepted | 0 receiveAccountEvent 204 by=sparring fault="$fault"
    => "The service answered a forged webhook with 204: $fault." - 0
  AUT-GEN-02 another fault distorted it | orders; 0 webhook CREATED a 204 fault="slow on ev(o1)" => not-exercised
  LOG-EVT-04 a delivery event without a signature | orders; 0 webhook CREATED a 204 fault="$fault" operation=receiveDeliveryEvent => not-exercised
  LOG-EVT-04 an event of Customer needs no signature | orders; 0 webhook CREATED a 204 fault="$fault" operation=receiveCustomerEvent => not-exercised
  LOG-EVT-04 nor does one of Loyalty | orders; 0 webhook CREATED a 204 fault="$fault" operation=receiveLoyaltyEvent => not-exercised
  LOG-EVT-04 a delivery event with a wrong one | orders; 0 webhook CREATED a 204 fault="$fault" operation=receiveDeliveryEvent
    headers=[["X-App-Signature","wrong"]]
    => "answered a forged webhook of o1 with 204" a 0
  TRN-STA-12 a genuine one had announced the order, and its reply was lost | orders; 0 webhook CREATED a 0 failure=LOST;
    10 webhook CREATED a 401 fault="$fault"; 20 read a CREATED; 30 webhook CREATED a; 120011 => passed
  TRN-STA-12 a genuine one had announced the order, and was answered with an error | orders; 0 webhook CREATED a 503;
    10 webhook CREATED a 401 fault="$fault"; 20 read a CREATED; 30 webhook CREATED a; 120011 => passed
  TRN-STA-12 it was ended when it had taken the genuine one | refused; 12 webhook CREATED a 0 failure=ECONNRESET; 15 read a CREATED; 20 webhook CREATED a;
    120016 => passed
  TRN-STA-12 it could not be reached | refused; 12 webhook CREATED a 0 failure=ECONNREFUSED; 15 read a CREATED; 20 webhook CREATED a => acted a 10,15,20
  TRN-STA-12 a genuine one that never reached the service announced nothing | orders; 0 webhook CREATED a 0 failure=REFUSED;
    10 webhook CREATED a 401 fault="$fault"; 20 read a CREATED; 30 webhook CREATED a; 120011 => acted a 10,20,30
  AUT-GEN-02 it read the order after the genuine one | refused; 20 webhook CREATED a; 30 read a CREATED; 120011 => passed
  AUT-GEN-02 it read the order before | refused; 15 read a CREATED; 20 webhook CREATED a => acted a 10,15,20
  AUT-GEN-02 it called before, for the first time in another way | refused; 12 createDelivery a; 15 read a CREATED; 20 webhook CREATED a
    => acted(createDelivery) a 10,12,20
  AUT-GEN-02 it read the order before the forged one | orders; 5 read a CREATED; 10 webhook CREATED a 401 fault="$fault"; 20 webhook CREATED a;
    120011 => passed
  AUT-GEN-02 it read another order | refused; 15 read b CREATED; 20 webhook CREATED a; 120011 => passed
  ORD-OPS-01 a poll announced the order | refused; 15 read a CREATED; 20 polled CREATED a; 120011 => passed
  AUT-GEN-02 another webhook about it was in flight | refused; 10 emitted CONFIRMED a; 12 webhook CONFIRMED a 503 took=50 [15 read a CREATED;
    20 webhook CREATED a] => passed
  AUT-GEN-02 the genuine one was in flight twice | refused; 11 webhook CREATED a 0 took=500 [12 webhook CREATED a took=50 [15 read a CREATED]] => passed
  AUT-GEN-02 only the genuine one was in flight | refused; 12 webhook CREATED a took=50 [15 read a CREATED] => acted a 10,15,12
  AUT-GEN-02 it was announced before | orders; 0 webhook CREATED a; 10 webhook CREATED a 401 fault="$fault"; 15 read a CREATED; 20 webhook CREATED a;
    120011 => passed
  AUT-GEN-02 of two forged ones the first counts | refused; 15 read a CREATED; 17 webhook CREATED a 401 fault="$fault";
    20 webhook CREATED a => acted a 10,15,20
  AUT-GEN-02 nothing else announced the order so far | refused; 15 read a CREATED; 120015 => passed
  AUT-GEN-02 nothing else ever did | refused; 15 read a CREATED; 120016
    => "refused a forged webhook of o1 with 401, but made the GET of o1 anyway; nothing else ever announced the order." a 10,15
  AUT-GEN-02 it read the order before the only one | orders; 5 read a CREATED; 10 webhook CREATED a 401 fault="$fault"; 200000 => passed
  AUT-GEN-02 the forged one was accepted, and it acted on it | orders; 10 webhook CREATED a 204 fault="$fault"; 15 read a CREATED; 200000
    => "answered a forged webhook" a 10
`)

nearMisses('WH-4')(`
  orders := 0 created a, b
  refused := orders; 10 webhook CREATED a 503
  twice := "answered the webhook of CREATED of o1 with 503 and read the order anyway, and read it again when it accepted the same webhook."
  never := "refused the webhook of CREATED of o1 with 503, accepted it when it was sent again, and never read the order."
  found := twice a 10,15,1000,1010

  ORD-EVR-03 it was not sent again | refused; 15 read a CREATED; 121001 => not-exercised
  ORD-EVR-03 it was read when it was sent again | refused; 1000 webhook CREATED a 204; 1010 read a CREATED; 121001 => passed
  ORD-EVR-03 it was read before as well | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => found
  ORD-EVR-03 it was read before, and not again | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 121001 => passed
  ORD-EVR-03 it was read a moment later | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 2000 read a CREATED => passed
  ORD-EVR-03 within a moment | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1999 read a CREATED => twice a 10,15,1000,1999
  ORD-EVR-03 another order was read before | refused; 15 read b CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => passed
  ORD-EVR-03 it was read before the answer | orders; 10 webhook CREATED a 503 took=5 [12 read a CREATED]; 1000 webhook CREATED a 204;
    1010 read a CREATED => passed
  ORD-EVR-03 it was read while it was sent again | refused; 15 read a CREATED; 1000 webhook CREATED a took=20 [1010 read a CREATED] => passed
  ORD-EVR-03 a read that failed was the reason | orders; 10 webhook CREATED a 503 took=5 [12 getOrder a 500]; 500 webhook CREATED a 503 took=5 [502 getOrder a 500];
    1000 webhook CREATED a 204; 1010 read a CREATED => passed
  ORD-EVR-03 a read that failed is none for 401 | orders; 10 webhook CREATED a 503; 500 webhook CREATED a 401 took=5 [502 getOrder a 500];
    1000 webhook CREATED a 204; 1010 read a CREATED => twice a 10,502,1000,1010
  ORD-EVR-03 a read that failed since is none | refused; 15 getOrder a 503; 1000 webhook CREATED a 204; 1010 read a CREATED; 121001 => passed
  ORD-EVR-03 a read that failed since 401 is one | orders; 10 webhook CREATED a 401; 15 getOrder a 503; 1000 webhook CREATED a 204; 1010 getOrder a 503
    => "answered the webhook of CREATED of o1 with 401 and read the order anyway" a 10,15,1000,1010
  TRN-STA-12 it was ended when it had taken one | refused; 11 webhook CREATED a 0 failure=ECONNRESET; 15 read a CREATED; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-EVR-03 it was refused twice | refused; 500 webhook CREATED a 503; 515 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED
    => twice a 10,515,1000,1010
  ORD-EVR-03 it was accepted twice | refused; 15 read a CREATED; 1000,5000 webhook CREATED a 204; 5010 read a CREATED => passed
  ORD-EVR-03 no reply came the second time | refused; 15 read a CREATED; 500 webhook CREATED a 0 failure=TIMEOUT; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-OPS-01 a poll announced the order | refused; 12 polled CREATED a; 15 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => not-exercised
  ORD-EVR-03 another webhook announced the order | refused; 11 emitted CONFIRMED a; 12 webhook CONFIRMED a; 15 read a CREATED; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-EVR-03 it was known before | orders; 0 webhook CREATED a 204; 10 webhook CREATED a 503; 15 read a CREATED; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-EVR-03 the webhook was of another event | orders; 0 emitted CONFIRMED a; 10 webhook CONFIRMED a 503; 15 read a CREATED; 1000 webhook CONFIRMED a 204;
    1010 read a CREATED => not-exercised
  ORD-OPS-03 it was never read, so far | refused; 1000 webhook CREATED a 204; 121000 => open
  ORD-OPS-03 it was never read | refused; 1000 webhook CREATED a 204; 121001 => never a 10,1000
  ORD-OPS-03 its GET failed | refused; 1000 webhook CREATED a 204; 2000 getOrder a 503; 121001 => never a 10,1000
  ORD-OPS-03 it is known to be cancelled | refused; 1000 webhook CREATED a 204 & emitted CANCELLED a; 1001 acknowledged CANCELLED a; 121001 => passed
  ORD-OPS-03 it is known to be concluded | refused; 1000 webhook CREATED a 204 & emitted CONCLUDED a; 1001 acknowledged CONCLUDED a; 121001 => passed
  ORD-OPS-03 it is known to be confirmed | refused; 1000 webhook CREATED a 204 & emitted CONFIRMED a; 1001 acknowledged CONFIRMED a;
    121001 => never a 10,1000
  ORD-EVR-03 of many GETs the first eight are known | refused; 12,+1x7 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => passed
  ORD-EVR-03 of seven all are | refused; 12,+1x6 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => twice a 10,12,1000,1010

  lag 100
  ORD-EVR-03 it may have been read later | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1800 read a CREATED
    => twice a 10,15,1000,1800 inconclusive
  ORD-EVR-03 it was not | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1799 read a CREATED => twice a 10,15,1000,1799
`)

nearMisses('WH-5')(`
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
