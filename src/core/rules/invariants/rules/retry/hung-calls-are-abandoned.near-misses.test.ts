/** Near misses of RT-7. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { hungCallsAreAbandoned } from './hung-calls-are-abandoned.ts'

nearMisses(hungCallsAreAbandoned)(`
  on := req(getOrder,o1)
  order := 0 created a
  waits(of= of o1|since=15:00:00.000|seconds=120) := "has been waiting for $seconds s for the reply to a call$of that never came ($on, at $since)."

  ORD-GEN-05 a call hangs until the deadline | order; 0 faultFired $on hang; 120000 => open
  ORD-GEN-05 it still does | order; 0 faultFired $on hang; 120001 => waits() - none
  ORD-GEN-05 one about an order | order; 0 faultFired $on hang orderId=a; 120001 => waits a none
  ORD-GEN-05 it was given up at the deadline | order; 0 faultFired $on hang & getOrder a 0 took=120000 fault="fail on $on" failure=HUNG => passed
  ORD-GEN-05 later | order; 0 faultFired $on hang & getOrder a 0 took=120001 fault="fail on $on" failure=HUNG
    => "The service waited 120 s for a reply to the GET of o1." a 0
  ORD-GEN-05 another call was | order; 0 faultFired $on hang & getOrder a 0 took=1 fault="fail on req(getOrder,o2)" failure=HUNG; 120002 => waits() - none
  ORD-GEN-05 it ended in another way | order; 0 faultFired $on hang & getOrder a 0 took=1 fault="fail on $on" failure=RESET; 120002 => waits() - none
  ORD-GEN-05 of two the later one still hangs, reported once | order; 0,1000,1000 faultFired $on hang;
    0 getOrder a 0 took=5000 fault="fail on $on" failure=HUNG; 125001
    => waits(|15:00:01.000|124) - none
  ORD-GEN-05 both were given up | order; 0,0 faultFired $on hang; 0,0 getOrder a 0 took=5000 fault="fail on $on" failure=HUNG; 120001 => passed
  ORD-GEN-05 a call is answered with an error | order; 0 faultFired $on; 120001 => not-exercised
  ORD-GEN-05 a call of ours hangs | order; 0 faultFired ev(o1,CREATED,webhook) hang; 120001 => not-exercised
`)
