/** Near misses of WH-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { forgedWebhooksAreRefused } from './forged-webhooks-are-refused.ts'

nearMisses(forgedWebhooksAreRefused)(`
  fault := wrong-signature on ev(o1,CREATED,webhook)
  orders := 0 created a, b
  refused := orders; 10 webhook CREATED a 401 fault="$fault"
  acted(by=the GET) := "refused a forged webhook of o1 with 401, but made $by of o1 anyway, before anything else had announced the order."

  AUT-GEN-02 it was refused | refused; 120011 => passed
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
