/** Near misses of the rules RC-1 to RC-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('RC-1')(`
  orders := 0 created a, b
  often := "The service read o1 9 times within 3 s, each time with success."

  ORD-OPS-04 one read | orders; 0 read a CREATED => not-exercised
  ORD-OPS-04 eight reads at once | orders; 0,+0x7 read a CREATED => passed
  ORD-OPS-04 nine in three seconds | orders; 0,+375x8 read a CREATED => passed
  ORD-OPS-04 nine in less | orders; 0,+374x8 read a CREATED => often a 0,+374x8
  ORD-OPS-04 eight, and eight of a new process | orders; 0,+0x7 read a CREATED; 1 renewed; 2,+0x7 read a CREATED => passed
  ORD-OPS-04 more is reported once for each order | orders; 0,+374x11 read a CREATED => often a 0,+374x8
  ORD-OPS-04 of two orders | orders; 0,+0x7 read a CREATED; 0,+0x7 read b CREATED => passed
  ORD-OPS-04 that fail | orders; 0,+0x19 read a CREATED 503 => not-exercised
  ORD-OPS-04 nine with a webhook in that time | orders; 0 webhook CREATED a; 0,+374x8 read a CREATED => passed
  ORD-OPS-04 nine with a webhook before | orders; 0 webhook CREATED a; 1,+374x8 read a CREATED => often a 1,+374x8
  ORD-OPS-04 nine with a webhook about another order | orders; 0 webhook CREATED b; 0,+374x8 read a CREATED => often a 0,+374x8
  ORD-OPS-04 ten with a webhook | orders; 0 webhook CREATED a; 0,+300x9 read a CREATED
    => "o1 10 times within 2.7 s, each time with success, while one webhook about it arrived in that time." a 0,+300x9
  ORD-OPS-04 eleven with two | orders; 0,0 webhook CREATED a; 0,+100x10 read a CREATED
    => "o1 11 times within 1 s, each time with success, while 2 webhooks about" a 0,+100x10
  TRN-STA-10 of one account | 0,+374x8 getAccount 200 query=?identifier=12 => "The service read getAccount 9 times within 3 s" - 0,+374x8
  TRN-STA-10 of two accounts | 0,+0x7 getAccount 200 query=?identifier=12; 0,+0x7 getAccount 200 query=?identifier=13 => passed

  lag 100
  ORD-OPS-04 in less than our lag may explain | orders; 0,+349x8 read a CREATED => "o1 9 times" a 0,+349x8
  ORD-OPS-04 in as much less as it may | orders; 0,+350x8 read a CREATED => "o1 9 times" a 0,+350x8 inconclusive
`)

nearMisses('RC-2')(`
  # A GET shows the end.
  over := 0 created a & read a DELIVERED
  often := "read o1 4 times within 3 s after it was over, without a new event of it, although the service had read DELIVERED (GET at 15:00:00.000)."

  ORD-TRA-10 three reads after the one that shows it | over; 61000,62000,63000 read a DELIVERED => passed
  ORD-EVT-17 a fourth within the minute in which CONCLUDED may come | over; 3000,+3000x18 read a DELIVERED => passed
  ORD-EVT-17 they go on for longer | over; 50000,+3000x3,+1000 read a DELIVERED => "o1 4 times" a 53000,+3000x2,60000
  ORD-TRA-10 a fourth after CONCLUDED, at once | 0 created a & read a CONCLUDED; 1000,+1000x3 read a CONCLUDED => "o1 4 times" a 1000,+1000x3
  ORD-TRA-10 a fourth, reported once | over; 61000,+1000x5 read a DELIVERED => often a 61000,+1000x3
  ORD-TRA-10 with pauses that grow | over; 62000,64000,68000,76000,92000 read a DELIVERED => passed
  ORD-TRA-10 with pauses that grow no more | over; 62000,64000,68000,76000,84000,92000 read a DELIVERED
    => "o1 4 times within 20 s" a 64000,68000,76000,84000
  ORD-TRA-10 a read that was in flight when it was shown does not count | 0 created a; 0,499 read a DELIVERED took=500;
    61000,62000,63000 read a DELIVERED => passed
  ORD-TRA-10 a read that began right then counts | 0 created a; 0,500 read a CANCELLED took=500; 1000,2000,3000 read a CANCELLED
    => "o1 4 times within 2.5 s" a 500,1000,2000,3000
  ORD-TRA-10 reads that fail do not count | over; 1,+1x4 getOrder a 503 => passed
  ORD-TRA-10 reads that show no status do not count | over; 1,+1x4 getOrder a 200 answer={} => passed
  ORD-TRA-11 of an order that is open again | over; 61000,62000,63000 read a DELIVERED; 63500 read a READY; 64000,+1000x3 read a DELIVERED => passed
  ORD-EVT-17 after a new event the count begins anew | over; 61000,62000 read a DELIVERED; 62500 polled CREATED a; 63000,64000,65000 read a DELIVERED => passed
  ORD-EVT-17 a webhook is one too | over; 61000,62000 read a DELIVERED; 62500 webhook CREATED a; 63000,64000,65000 read a DELIVERED => passed
  ORD-EVT-17 after an event of another order it goes on | over; 0 created b; 61000,62000 read a DELIVERED; 62500 polled CREATED b;
    63000,64000 read a DELIVERED => often a 61000,+1000x3
  ORD-EVT-17 after a new event it begins at none | over; 61000,62000 read a DELIVERED; 62500 polled CREATED a; 63000,+1000x3 read a DELIVERED
    => "o1 4 times within 3 s" a 63000,+1000x3
  ORD-TRA-10 its end was acknowledged | 0 created a & emitted DELIVERED a & polled DELIVERED a & acknowledged DELIVERED a; 1,2,3 read a DELIVERED => passed
  ORD-TRA-10 its end was acknowledged, and it was read four times | 0 created a & emitted DELIVERED a & polled DELIVERED a & acknowledged DELIVERED a;
    61000,+1000x3 read a DELIVERED
    => /o1 4 times within 3 s .*, although the service had acknowledged DELIVERED/ a 61000,+1000x3
  ORD-TRA-10 its cancellation was acknowledged | 0 created a & emitted CANCELLED a & polled CANCELLED a & acknowledged CANCELLED a;
    1000,+1000x3 read a CANCELLED
    => /had acknowledged CANCELLED/ a 1000,+1000x3
  ORD-TRA-10 another event was acknowledged | 0 created a & emitted READY_FOR_PICKUP a & polled READY_FOR_PICKUP a & acknowledged READY_FOR_PICKUP a;
    61000,+1000x3 read a READY => not-exercised
  ORD-TRA-10 of an unknown order | 61000,+1000x3 read a DELIVERED => not-exercised

  lag 100
  ORD-TRA-10 the first may have been in flight | 0 created a & read a CANCELLED; 200,+200x3 read a CANCELLED => "o1 4 times" a 200,+200x3 inconclusive
  ORD-TRA-10 the first may have been, and four others were not | 0 created a & read a CANCELLED; 200,1000,+1000x3 read a CANCELLED
    => "o1 4 times within 3 s" a 1000,+1000x3; "o1 4 times within 2.8 s" a 200,1000,2000,3000 inconclusive
  ORD-TRA-10 it was not | 0 created a & read a CANCELLED; 201,+201x3 read a CANCELLED => "o1 4 times" a 201,+201x3
`)

nearMisses('RC-3')(`
  orders := 0 created a, b
  made(within|gets) := "The service made 101 calls about o1 within $within (GETs: $gets), while the order did not change."
  # Over at 100 s; its effects may last 10 s longer.
  fault := 1 faultAdded; 100000 faultRemoved

  TRN-STA-10 a hundred calls at once | orders; 0,+0x99 read a CREATED => passed
  TRN-STA-10 one more | orders; 0,+100x100 read a CREATED => made(10 s|101) a 0,10000
  TRN-STA-10 one more, a minute after the first | orders; 0,+600x100 read a CREATED => passed
  TRN-STA-10 just before | orders; 0,+599x100 read a CREATED => made(59.9 s|101) a 0,59900
  TRN-STA-10 of which some are GETs | orders; 0,+0x9 read a CREATED; 100,+10x90 confirmOrder a => made(1 s|10) a 0,1000
  TRN-STA-10 of which the first is none | orders; 0 confirmOrder a; 10,+10x99 read a CREATED => made(1 s|100) a 0,1000
  TRN-STA-10 of two orders | orders; 0,+0x99 read a CREATED; 0,+0x99 read b CREATED => passed
  TRN-STA-10 the order changed in between | orders; 0,+0x99 read a CREATED; 1 moved a CONFIRMED; 1,+0x99 read a CREATED => passed
  TRN-STA-10 after the minute the count begins anew | orders; 0,+0x99,60000,+0x99,60001 read a CREATED => made(1 ms|101) a 60000,60001
  TRN-STA-10 the order is over | orders; 0 moved a DELIVERED; 0,+0x100 read a CREATED => not-exercised
  TRN-STA-10 a fault is in force | orders; 0 faultAdded; 0,+0x100 read a CREATED => not-exercised
  TRN-STA-10 a fault was in force | orders; fault; 109999,+0x100 read a CREATED => not-exercised
  TRN-STA-10 a fault is over | orders; fault; 110000,+1x100 read a CREATED => made(100 ms|101) a 110000,110100
  TRN-STA-10 a fault came in between | orders; 0,+0x99 read a CREATED; 1 faultAdded; 2 faultRemoved; 10002,+0x99 read a CREATED => passed
  TRN-STA-10 a call whose body names the order counts | orders; 0,+0x99 read a CREATED; 5 createDelivery a 503 => made(5 ms|100) a 0,5
  TRN-STA-10 of an unknown order | 0,+0x100 read x CREATED => not-exercised
`)
