/** Near misses of RT-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { retryPausesGrow } from './retry-pauses-grow.ts'

nearMisses(retryPausesGrow)(`
  orders := 0 created a, b, c, d, e, f
  # The same pauses for two or three orders, each 100 s after the one before.
  two(pauses|more=) := 0,$pauses confirmOrder a 503 $more; 100000,$pauses confirmOrder b 503 $more
  three(pauses|more=) := two($pauses|$more); 200000,$pauses confirmOrder c 503 $more
  # Three tries of four or five orders, of which the third, so many milliseconds after the first, succeeds.
  four(ms|more=) := 0,+1000 confirmOrder a 503 $more; 2$ms confirmOrder a $more; 100000,+1000 confirmOrder b 503 $more; 102$ms confirmOrder b $more;
    200000,+1000 confirmOrder c 503 $more; 202$ms confirmOrder c $more; 300000,+1000 confirmOrder d 503 $more; 302$ms confirmOrder d $more
  five(ms|more=) := four($ms|$more); 400000,+1000 confirmOrder e 503 $more; 402$ms confirmOrder e $more
  after(pauses|order=o3) := "The service retried confirmOrder of $order after $pauses, and other calls likewise: its pauses do not grow."

  TRN-STA-12 two tries | orders; three(+1000) => not-exercised
  TRN-STA-12 four tries of two calls | orders; two(+1000x3) => passed
  TRN-STA-12 four tries of three calls | orders; three(+1000x3) => after(1 s, 1 s, 1 s) c 0,+1000x3,100000,+1000x3,200000,+1000x3
  TRN-STA-12 the last three calls are shown, and each call is reported once | orders; three(+1000x4); 300000,+1000x4 confirmOrder d 503
    => after(1 s, 1 s, 1 s) c 0,+1000x3,100000,+1000x3,200000,+1000x3; after(1 s, 1 s, 1 s|o4) d 100000,+1000x3,200000,+1000x3,300000,+1000x3
  TRN-STA-12 the longest pause is nearly twice the shortest | orders; three(+1799,+1000,+1500)
    => after(1.8 s, 1 s, 1.5 s) c 0,+1799,+1000,+1500,100000,+1799,+1000,+1500,200000,+1799,+1000,+1500
  TRN-STA-12 it is so much longer that it may have grown | orders; three(+1800,+1000,+1500) => passed
  TRN-STA-12 one call was tried with growing pauses | orders; 0,+1000,+1000,+1800 confirmOrder d 503; three(+1000x3) => passed
  TRN-STA-12 one call was tried with pauses that nearly grew | orders; 0,+1000,+1000,+1799 confirmOrder d 503; 0,+1000x3 confirmOrder e 503;
    50000,+1000x3 confirmOrder f 503 => /of o6 after 1 s, 1 s, 1 s/ f 0,+1000,+1000,+1799,0,+1000x3,50000,+1000x3
  TRN-STA-12 three tries of four calls | orders; four(000) => passed
  TRN-STA-12 three tries of five calls | orders; five(000) => after(1 s, 1 s|o5) e 200000,+1000x2,300000,+1000x2,400000,+1000x2
  TRN-STA-12 four tries of two calls and three of one | orders; two(+1000x3); 200000,+1000 confirmOrder c 503; 202000 confirmOrder c
    => after(1 s, 1 s) c 0,+1000x3,100000,+1000x3,200000,+1000x2
  TRN-STA-12 three tries are given up, and a later one begins anew | orders; two(+1000x3); 200000,+1000x2,+10000 confirmOrder c 503
    => after(1 s, 1 s) c 0,+1000x3,100000,+1000x3,200000,+1000x2
  TRN-STA-12 three tries with pauses that differ by a third | orders; five(300) => passed
  TRN-STA-12 by less | orders; five(299) => after(1 s, 1.3 s|o5) e 200000,+1000,+1299,300000,+1000,+1299,400000,+1000,+1299
  TRN-STA-12 three tries show growth when their pauses differ by more | orders; 0,1000 confirmOrder d 503; 2600 confirmOrder d; three(+1000x3) => passed
  TRN-STA-12 by nearly as much | orders; 0,1000 confirmOrder d 503; 2599 confirmOrder d; three(+1000x3)
    => after(1 s, 1 s, 1 s) c 0,+1000x3,100000,+1000x3,200000,+1000x3
  TRN-STA-10 the host asked for the pauses | orders; three(+1000x3|retryAfter=1) => not-exercised
  TRN-STA-10 the host asked for the pauses of three tries | orders; five(000|retryAfter=1) => not-exercised
  AUT-TOK-04 a token was rejected in between | orders; two(+1000x3); 200000,201000 confirmOrder c 503; 201500 confirmOrder c 401;
    202000,203000 confirmOrder c 503 => passed
  ORD-OPS-01 polls and acknowledgments repeat by design | 0,+1000x4 polled 503 & acknowledgeEvents 503 => not-exercised
  TRN-STA-12 pauses of no length do not grow | orders; three(+0x3) => after(0 ms, 0 ms, 0 ms) c 0,+0x3,100000,+0x3,200000,+0x3

  # Five calls are tried twice, the second of them at these times.
  firsts(b=1,1001) := 0,1000 confirmOrder a 503; $b confirmOrder b 503; 2,1002 confirmOrder c 503; 3,1003 confirmOrder d 503; 4,1004 confirmOrder e 503
  together := "retried 6 calls 1 s after each had failed, to the millisecond: calls that fail together are retried together."

  TRN-STA-12 five calls are retried after the same pause | orders; firsts => not-exercised
  TRN-STA-12 six are | orders; firsts; 5,1005 confirmOrder f 503 => together - 0,1000,1,1001,2,1002,3,1003,4,1004,5,1005 advice
  TRN-STA-12 pauses that differ by less than a fiftieth | orders; firsts(1,1020); 5,1005 confirmOrder f 503
    => together - 0,1000,1,1020,2,1002,3,1003,4,1004,5,1005 advice
  TRN-STA-12 pauses that differ by as much | orders; firsts(1,1021); 5,1005 confirmOrder f 503 => passed
  TRN-STA-12 one call is no six | orders; 0,+1000,20000,+1000,40000,+1000,60000,+1000,80000,+1000,100000,+1000,120000,+1000 confirmOrder a 503
    => not-exercised
  TRN-STA-12 without any pause | orders; 0,0 confirmOrder a 503; 1,1 confirmOrder b 503; 2,2 confirmOrder c 503; 3,3 confirmOrder d 503;
    4,4 confirmOrder e 503; 5,5 confirmOrder f 503 => passed
  TRN-STA-12 a call that is retried differently now counts as it is now | orders; firsts; 20000,21500 confirmOrder a 503;
    40000,41000 confirmOrder f 503 => passed
  TRN-STA-10 the host asked for the pause of one | orders; firsts; 40000,41000 confirmOrder f 503 retryAfter=1 => not-exercised

  lag 100
  TRN-STA-12 so little that our lag may have made it | orders; three(+1000,+1600x2)
    => after(1 s, 1.6 s, 1.6 s) c 0,+1000,+1600x2,100000,+1000,+1600x2,200000,+1000,+1600x2 inconclusive
  TRN-STA-12 it may have made one of three, and none of the next three | orders; 0,+1000,+1600x2 confirmOrder d 503; 1,+1000x3 confirmOrder e 503;
    two(+1000x3) => after(1 s, 1 s, 1 s|o2) b 1,+1000x3,0,+1000x3,100000,+1000x3;
    after(1 s, 1 s, 1 s|o1) a 0,+1000,+1600x2,1,+1000x3,0,+1000x3 inconclusive
  TRN-STA-12 more than that | orders; three(+1000,+1599x2)
    => after(1 s, 1.6 s, 1.6 s) c 0,+1000,+1599x2,100000,+1000,+1599x2,200000,+1000,+1599x2
`)
