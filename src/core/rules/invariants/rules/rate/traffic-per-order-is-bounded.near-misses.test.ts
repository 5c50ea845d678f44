/** Near misses of RC-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { trafficPerOrderIsBounded } from './traffic-per-order-is-bounded.ts'

nearMisses(trafficPerOrderIsBounded)(`
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
