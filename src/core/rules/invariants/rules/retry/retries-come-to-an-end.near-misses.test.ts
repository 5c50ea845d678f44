/** Near misses of RT-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { retriesComeToAnEnd } from './retries-come-to-an-end.ts'

nearMisses(retriesComeToAnEnd)(`
  order := 0 created a
  tried(count|reply=a 503) := "The service tried confirmOrder of o1 $count times without a pause of 10 s or growing pauses, the last time after $reply;
    the limit is 6 tries."

  TRN-STA-12 one try | order; 0 confirmOrder a 503 => not-exercised
  TRN-STA-12 six tries | order; 0,+1000x5 confirmOrder a 503 => passed
  TRN-STA-12 seven | order; 0,+1000x6 confirmOrder a 503 => tried(7) a 0,+1000x6
  TRN-STA-12 more is reported once | order; 0,+1000x9 confirmOrder a 503 => tried(7) a 0,+1000x6
  TRN-STA-12 the seventh succeeds | order; 0,+1000x5 confirmOrder a 503; 6000 confirmOrder a => tried(7) a 0,+1000x6
  TRN-STA-12 the reply to the sixth is named | order; 0,+1000x4 confirmOrder a 503; 5000 confirmOrder a 500; 6000 confirmOrder a 503
    => tried(7|a 500) a 0,+1000x6
  TRN-STA-12 one succeeded in between | order; 0,1000,2000 confirmOrder a 503; 3000 confirmOrder a; 4000,+1000x5 confirmOrder a 503 => passed
  TRN-ERB-01 one was refused for good in between | order; 0,1000,2000 confirmOrder a 503; 3000 confirmOrder a 422; 4000,+1000x5 confirmOrder a 503 => passed
  TRN-STA-12 a pause of ten seconds in between | order; 0,1000,2000,12000,+1000x5 confirmOrder a 503 => passed
  TRN-STA-12 a pause of nearly ten seconds | order; 0,9999,+1x5 confirmOrder a 503 => tried(7) a 0,9999,+1x5
  TRN-STA-12 pauses that grow by a third | order; 0,+1000x3,+1300x3 confirmOrder a 503 => passed
  TRN-STA-12 pauses that grow by less | order; 0,+1000x3,4300,5600,6899 confirmOrder a 503 => tried(7) a 0,+1000x3,4300,5600,6899
  TRN-STA-12 pauses that no longer grow; the last eight tries are shown | order; 0,+1000x3,+2000x4,11100,11200 confirmOrder a 503
    => tried(10) a 2000,3000,+2000x4,11100,11200
  TRN-STA-12 they may all be as long as the limit | order; 0,100,300,600,1000,1500,2100,2800,3600,4500,+1000x3 confirmOrder a 503 => passed
  TRN-STA-12 without any pause | order; 0,+0x6 confirmOrder a 503 => tried(7) a 0,+0x6
  ORD-OPS-03 a webhook in between is a reason of its own | order; 0,1000,2000 confirmOrder a 503; 2500 webhook CREATED a;
    3000,+1000x3 confirmOrder a 503 => passed
  ORD-OPS-03 the one before is the reason of the first try | order; 0 webhook CREATED a; 0,+1000x6 confirmOrder a 503 => tried(7) a 0,+1000x6
  ORD-OPS-03 eight tries with one webhook | order; 0,1000,2000 confirmOrder a 503; 2500 webhook CREATED a;
    3000,+1000x4 confirmOrder a 503 => tried(8) a 0,+1000x7
  ORD-OPS-01 polls and acknowledgments repeat by design | 0,+1000x7 polled 503 & acknowledgeEvents 503 => not-exercised

  lag 100
  TRN-STA-12 our lag may have shortened the pause | order; 0,9800,+100x5 confirmOrder a 503 => tried(7) a 0,9800,+100x5 inconclusive
  TRN-STA-12 it cannot have | order; 0,9799,+100x5 confirmOrder a 503 => tried(7) a 0,9799,+100x5
  TRN-STA-12 our lag may have shortened the later pauses | order; 0,+1000x3,+1100x3 confirmOrder a 503 => tried(7) a 0,+1000x3,+1100x3 inconclusive
  TRN-STA-12 not by so much | order; 0,+1000x3,4100,5200,6298 confirmOrder a 503 => tried(7) a 0,+1000x3,4100,5200,6298
`)
