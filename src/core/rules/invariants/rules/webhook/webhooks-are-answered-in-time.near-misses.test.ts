/** Near misses of WH-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { webhooksAreAnsweredInTime } from './webhooks-are-answered-in-time.ts'

nearMisses(webhooksAreAnsweredInTime)(`
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
