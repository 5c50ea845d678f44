/** Near misses of RC-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { readsStopAfterTheEnd } from './reads-stop-after-the-end.ts'

nearMisses(readsStopAfterTheEnd)(`
  # A GET shows the end.
  over := 0 created a & read a DELIVERED
  often := "read o1 4 times within 3 s after it was over, without a new event of it, although the service had read DELIVERED (GET at 15:00:00.000)."

  ORD-TRA-10 three reads after the one that shows it | over; 1000,2000,3000 read a DELIVERED => passed
  ORD-TRA-10 a fourth, reported once | over; 1000,+1000x5 read a DELIVERED => often a 1000,+1000x3
  ORD-TRA-10 a read that was in flight when it was shown does not count | 0 created a; 0,499 read a DELIVERED took=500;
    1000,2000,3000 read a DELIVERED => passed
  ORD-TRA-10 a read that began right then counts | 0 created a; 0,500 read a DELIVERED took=500; 1000,2000,3000 read a DELIVERED
    => "o1 4 times within 2.5 s" a 500,1000,2000,3000
  ORD-TRA-10 reads that fail do not count | over; 1,+1x4 getOrder a 503 => passed
  ORD-TRA-10 reads that show no status do not count | over; 1,+1x4 getOrder a 200 answer={} => passed
  ORD-TRA-11 of an order that is open again | over; 1000,2000,3000 read a DELIVERED; 3500 read a READY; 4000,+1000x3 read a DELIVERED => passed
  ORD-EVT-17 after a new event the count begins anew | over; 1000,2000 read a DELIVERED; 2500 polled CREATED a; 3000,4000,5000 read a DELIVERED => passed
  ORD-EVT-17 a webhook is one too | over; 1000,2000 read a DELIVERED; 2500 webhook CREATED a; 3000,4000,5000 read a DELIVERED => passed
  ORD-EVT-17 after an event of another order it goes on | over; 0 created b; 1000,2000 read a DELIVERED; 2500 polled CREATED b;
    3000,4000 read a DELIVERED => often a 1000,+1000x3
  ORD-EVT-17 after a new event it begins at none | over; 1000,2000 read a DELIVERED; 2500 polled CREATED a; 3000,+1000x3 read a DELIVERED
    => "o1 4 times within 3 s" a 3000,+1000x3
  ORD-TRA-10 its end was acknowledged | 0 created a & emitted DELIVERED a & polled DELIVERED a & acknowledged DELIVERED a; 1,2,3 read a DELIVERED => passed
  ORD-TRA-10 its end was acknowledged, and it was read four times | 0 created a & emitted DELIVERED a & polled DELIVERED a & acknowledged DELIVERED a;
    1000,+1000x3 read a DELIVERED
    => /o1 4 times within 3 s .*, although the service had acknowledged DELIVERED/ a 1000,+1000x3
  ORD-TRA-10 its cancellation was acknowledged | 0 created a & emitted CANCELLED a & polled CANCELLED a & acknowledged CANCELLED a;
    1000,+1000x3 read a CANCELLED
    => /had acknowledged CANCELLED/ a 1000,+1000x3
  ORD-TRA-10 another event was acknowledged | 0 created a & emitted READY_FOR_PICKUP a & polled READY_FOR_PICKUP a & acknowledged READY_FOR_PICKUP a;
    1000,+1000x3 read a READY => not-exercised
  ORD-TRA-10 of an unknown order | 1000,+1000x3 read a DELIVERED => not-exercised

  lag 100
  ORD-TRA-10 the first may have been in flight | over; 200,+200x3 read a DELIVERED => "o1 4 times" a 200,+200x3 inconclusive
  ORD-TRA-10 the first may have been, and four others were not | over; 200,1000,+1000x3 read a DELIVERED
    => "o1 4 times within 3 s" a 1000,+1000x3; "o1 4 times within 2.8 s" a 200,1000,2000,3000 inconclusive
  ORD-TRA-10 it was not | over; 201,+201x3 read a DELIVERED => "o1 4 times" a 201,+201x3
`)
