/** Near misses of AK-5. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { acknowledgedByTheSecondPoll } from './acknowledged-by-the-second-poll.ts'

nearMisses(acknowledgedByTheSecondPoll)(`
  third := "A poll returned CREATED of o1 for the third time, 2 s after the first, and"
  # Ended at 5 s; its effects may last 10 s longer.
  fault := 0 faultAdded; 5000 faultRemoved

  ORD-OPS-02 two polls return it | 0 created a; 0,1000 polled CREATED a => passed
  ORD-OPS-02 a third does | 0 created a; 0,1000,2000 polled CREATED a => third a 0,2000
  ORD-OPS-02 it is reported once for each event | 0 created a, b; 0,+1000x3 polled CREATED a, CREATED b
    => third a 0,2000; "CREATED of o2 for the third time" b 0,2000
  ORD-OPS-02 it was acknowledged in between | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED a; 2000,3000 polled CREATED a => passed
  ORD-OPS-02 another event was acknowledged in between | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED b;
    2000 polled CREATED a => third a 0,2000
  ORD-OPS-02 an acknowledgment failed in between | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED b 503;
    2000,3000,4000 polled CREATED a => passed
  ORD-OPS-02 after a failed and an accepted acknowledgment the count begins anew | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED b 503;
    2000 polled CREATED a; 2500 acknowledged CREATED b; 3000,4000,5000 polled CREATED a => third a 3000,5000
  ORD-OPS-02 a webhook is no poll | 0 created a; 0,1000 polled CREATED a; 2000 webhook CREATED a => passed
  ORD-OPS-02 no poll returned it | 0 created a & webhook CREATED a => not-exercised
  ORD-OPS-02 a poll returns another event | 0 created a; 0,1000 polled CREATED a; 2000 polled CREATED b => passed
  ORD-OPS-02 an event of no order | 0,1000,2000 pollingEvents 200 answer=[{"eventId":"e","eventType":"CREATED"}]
    => "A poll returned CREATED for the third time" - 0,2000
  ORD-OPS-02 faults were active | 0 created a; fault; 12999,13999,14999 polled CREATED a => not-exercised
  ORD-OPS-02 faults were active at the first poll | 0 created a; fault; 14999,15999,16999 polled CREATED a => passed
  ORD-OPS-02 faults were over at the first poll | 0 created a; fault; 15000,16000,17000 polled CREATED a => third a 15000,17000
  ORD-OPS-02 faults were active between the polls | 0 created a; 0,1000 polled CREATED a; 1500 faultAdded; 1600 faultRemoved;
    20000 polled CREATED a => passed

  lag 100
  ORD-OPS-02 the acknowledgment may have been under way | 0 created a; 0,1800,2000 polled CREATED a => third a 0,2000 inconclusive
  ORD-OPS-02 there was time for it | 0 created a; 0,1799,2000 polled CREATED a => third a 0,2000
`)
