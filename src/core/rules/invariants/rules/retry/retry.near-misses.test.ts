/** Near misses of the rules RT-1 to RT-8. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('RT-1')(`
  orders := 0 created a, b
  tried(count|within|reply=a 503) := "The service tried confirmOrder of o1 $count times within $within, although the first try got $reply."

  TRN-STA-12 one try | orders; 0 confirmOrder a 503 => not-exercised
  TRN-STA-12 two, and two of a new process | orders; 0,1 confirmOrder a 503; 2 renewed; 3,4 confirmOrder a 503 => passed
  TRN-STA-12 two tries at once | orders; 0,0 confirmOrder a 503 => passed
  TRN-STA-12 three in half a second | orders; 0,250,500 confirmOrder a 503 => passed
  TRN-STA-12 three in less | orders; 0,250,499 confirmOrder a 503 => tried(3|499 ms) a 0,250,499
  TRN-STA-12 five in three seconds | orders; 0,+600x3,3000 confirmOrder a 503 => passed
  TRN-STA-12 five in less | orders; 0,+600x3,2999 confirmOrder a 503 => tried(5|3 s) a 0,+600x3,2999
  TRN-STA-12 it is reported once for each call | orders; 0,+100x5 confirmOrder a 503 => tried(3|200 ms) a 0,100,200
  TRN-STA-12 the last succeeds | orders; 0,1 confirmOrder a 503; 2 confirmOrder a => tried(3|2 ms) a 0,1,2
  TRN-STA-12 after a success a chain begins anew | orders; 0 confirmOrder a 503; 1 confirmOrder a; 2,3 confirmOrder a 503 => passed
  TRN-STA-12 of two orders, and of two operations | orders; 0,1 confirmOrder a 503 & confirmOrder b 503 & setOrderPreparing a 503 => passed
  TRN-STA-12 each event that it sends is a call of its own | orders; 0 receiveAccountEvent 503 body={"eventId":"event-0","orderId":"a"};
    1 receiveAccountEvent 503 body={"eventId":"event-1","orderId":"a"}; 2 receiveAccountEvent 503 body={"eventId":"event-2","orderId":"a"};
    3 receiveAccountEvent 503 body={"eventId":"event-3","orderId":"a"}; 4 receiveAccountEvent 503 body={"eventId":"event-4","orderId":"a"} => not-exercised
  TRN-STA-12 the same event again and again | orders; 0,1,2 receiveAccountEvent 503 body={"eventId":"event","orderId":"a"}
    => "The service tried receiveAccountEvent 3 times within 2 ms" - 0,1,2
  TRN-STA-12 each position of a courier is a call of its own | orders; 0 sendOrderTracking a 503 body={"latitude":1}; 1 sendOrderTracking a 503 body={"latitude":2};
    2 sendOrderTracking a 503 body={"latitude":3} => not-exercised
  TRN-STA-12 the same position again and again | orders; 0,1,2 sendOrderTracking a 503 body={"latitude":1}
    => "The service tried sendOrderTracking of o1 3 times within 2 ms" a 0,1,2
  TRN-STA-12 an item of two accounts | 0 cancelAccountItem 503 body={"accountId":"0"}; 1 cancelAccountItem 503 body={"accountId":"1"};
    2 cancelAccountItem 503 body={"accountId":"2"} => not-exercised
  TRN-STA-12 polls have rules of their own | 0,+1x4 polled 503 => not-exercised
  TRN-STA-12 acknowledgments have not | 0 acknowledgeEvents 503 body=["0"]; 1 acknowledgeEvents 503 body=["0"]; 2 acknowledgeEvents 503 body=["0","1"]
    => "tried an acknowledgment 3 times within 2 ms" - 0,1,2
  TRN-STA-12 one for each event is a call of its own | 0 acknowledgeEvents 503 body=["0"]; 1 acknowledgeEvents 503 body=["1"];
    2 acknowledgeEvents 503 body=["2"] => not-exercised
  TRN-ERB-01 what was refused for good is no failed call | orders; 0,1,2 confirmOrder a 422 => not-exercised
  TRN-STA-10 a 429 is | orders; 0,1,2 confirmOrder a 429 => tried(3|2 ms|a 429) a 0,1,2
  TRN-STA-12 a {408|425|500} is | orders; 0,1,2 confirmOrder a $each => tried(3|2 ms|a $each) a 0,1,2
  TRN-STA-12 a 499 is not | orders; 0,1,2 confirmOrder a 499 => not-exercised
  TRN-STA-12 no reply is | orders; 0,1,2 confirmOrder a 0 => tried(3|2 ms|no reply) a 0,1,2
  TRN-STA-12 an incomplete one is | orders; 0,1,2 confirmOrder a 200 failure=TRUNCATED => tried(3|2 ms|an incomplete reply) a 0,1,2
  TRN-ERB-01 a 422 that may be retried is | orders; 0,1,2 confirmOrder a 422 answer={"error":{"retryable":true}} => tried(3|2 ms|a 422) a 0,1,2
  TRN-ERB-01 a 503 that may not is not | orders; 0,1,2 confirmOrder a 503 answer={"error":{"retryable":false}} => not-exercised
  AUT-TOK-04 a 401 is not | orders; 0,1,2 confirmOrder a 401 => not-exercised
  ORD-OPS-04 a GET that was refused is, since it may succeed later | orders; 0,1,2 getOrder a 404
    => "tried the GET of o1 3 times within 2 ms, although the first try got a 404" a 0,1,2
  TRN-STA-12 a call that began before the end of the last is no retry of it | orders; 0,1,2 confirmOrder a 503 took=10 => not-exercised
  ORD-OPS-03 a webhook in between is a reason of its own | orders; 0 confirmOrder a 503; 1 webhook CREATED a; 2,3 confirmOrder a 503 => passed
  ORD-OPS-03 the one before is the reason of the first try | orders; 0 webhook CREATED a; 0,1,2 confirmOrder a 503 => tried(3|2 ms) a 0,1,2
  ORD-EVR-01 each event of a poll is a reason to read | orders; 0 polled CREATED a & polled CONFIRMED a & polled PREPARING a; 1,2,3 getOrder a 503 => passed
  ORD-EVR-01 no more than one for each | orders; 0 polled CREATED a & polled CONFIRMED a; 1,2,3,4 getOrder a 503
    => "tried the GET of o1 4 times within 3 ms" a 1,2,3,4
  ORD-EVR-01 but none to confirm | orders; 0 polled CREATED a & polled CONFIRMED a & polled PREPARING a; 1,2,3 confirmOrder a 503 => tried(3|2 ms) a 1,2,3
  ORD-EVR-01 those of a poll long before are none | orders; 0 polled CREATED a & polled CONFIRMED a & polled PREPARING a; 4000,4001,4002 getOrder a 503
    => "tried the GET of o1 3 times within 2 ms" a 4000,4001,4002
  ORD-OPS-03 one about another order is none | orders; 0 confirmOrder a 503; 1 webhook CREATED b; 2,3 confirmOrder a 503 => tried(3|3 ms) a 0,2,3
  ORD-OPS-03 with a webhook four at once are too many | orders; 0 confirmOrder a 503; 1 webhook CREATED a; 2,3,4 confirmOrder a 503
    => tried(4|4 ms) a 0,2,3,4

  lag 100
  TRN-STA-12 by no more than our lag may explain | orders; 0,1,300 confirmOrder a 503 => tried(3|300 ms) a 0,1,300 inconclusive
  TRN-STA-12 by more | orders; 0,1,299 confirmOrder a 503 => tried(3|299 ms) a 0,1,299
  TRN-STA-12 one limit by no more and the other by more | orders; 0,600,1790,1900,2100 confirmOrder a 503 => tried(5|2.1 s) a 0,600,1790,1900,2100
`)

nearMisses('RT-2')(`
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
  together := "retried 6 calls 1 s after each had failed, within 2 % of each other: calls that fail together would be retried together."

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

nearMisses('RT-3')(`
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

nearMisses('RT-4')(`
  orders := 0 created a, b
  early(after|order=o1|seconds=10) := "The service made confirmOrder of $order $after after a 429 with Retry-After: $seconds"
  date := Mon, 05 Jan 2026 15:00:10 GMT

  TRN-STA-10 the call comes again in time | orders; 0 confirmOrder a 429 retryAfter=10; 10000 confirmOrder a => passed
  TRN-STA-10 a new process, which has not read it | orders; 0 confirmOrder a 429 retryAfter=10; 1 renewed; 2 confirmOrder a => passed
  TRN-STA-10 a tenth of a second early | orders; 0 confirmOrder a 429 retryAfter=10; 9900 confirmOrder a => passed
  TRN-STA-10 by more | orders; 0 confirmOrder a 429 retryAfter=10; 9899 confirmOrder a => early(9.9 s) a 0,9899
  TRN-STA-10 at once | orders; 0 confirmOrder a 429 retryAfter=10 & confirmOrder a => early(0 ms) a 0,0
  TRN-STA-10 before the reply had come | orders; 0 confirmOrder a 429 retryAfter=10 took=500; 499 confirmOrder a took=500 => passed
  TRN-STA-10 the time runs from the reply | orders; 0 confirmOrder a 429 retryAfter=10 took=500; 10399 confirmOrder a => early(9.9 s) a 0,10399
  TRN-STA-10 a date | orders; 0 confirmOrder a 429 retryAfter="$date"; 9900 confirmOrder a => passed
  TRN-STA-10 before a date | orders; 0 confirmOrder a 429 retryAfter="$date"; 9899 confirmOrder a => "9.9 s after a 429 with Retry-After: $date" a 0,9899
  TRN-STA-10 neither a number nor a date | orders; 0 confirmOrder a 429 retryAfter=soon & confirmOrder a => not-exercised
  TRN-STA-10 no time at all | orders; 0 confirmOrder a 429 retryAfter=0 & confirmOrder a => not-exercised
  TRN-STA-10 of another order, which was in flight | orders; 0 confirmOrder a 429 retryAfter=10; 999 confirmOrder b => passed
  TRN-STA-10 of another order, a second later | orders; 0 confirmOrder a 429 retryAfter=10; 1000 confirmOrder b => early(1 s|o2|10 to confirmOrder of o1.) b 0,1000
  TRN-STA-10 another operation | orders; 0 confirmOrder a 429 retryAfter=10; 5000 setOrderPreparing a => passed
  TRN-STA-10 the same operation of another host | orders; 0 confirmOrder a 429 retryAfter=10; 5000 confirmOrder a origin=http://other.test => passed
  TRN-STA-10 it is reported once for each reply | orders; 0 confirmOrder a 429 retryAfter=10; 1000,2000 confirmOrder a;
    3000 confirmOrder a 429 retryAfter=20; 4000 confirmOrder a
    => early(1 s) a 0,1000; early(1 s|o1|20) a 3000,4000
  TRN-STA-10 a longer time that was asked for before still runs | orders; 0 confirmOrder a 429 retryAfter=100; 100 confirmOrder b 429 retryAfter=1;
    5000 confirmOrder a
    => early(5 s|o1|100) a 0,5000
  TRN-STA-10 the last four times are known | orders; 0 confirmOrder a 429 retryAfter=100; 500,500,500 confirmOrder b 429 retryAfter=1 took=400;
    5000 confirmOrder a
    => early(5 s|o1|100) a 0,5000
  TRN-STA-10 and no more | orders; 0 confirmOrder a 429 retryAfter=100; 500,+0x3 confirmOrder b 429 retryAfter=1 took=400; 5000 confirmOrder a => passed
  TRN-STA-10 a success asks for nothing | orders; 0 confirmOrder a 200 retryAfter=10; 1 confirmOrder a => not-exercised
  TRN-STA-12 a 503 does | orders; 0 confirmOrder a 503 retryAfter=10; 1 confirmOrder a => "1 ms after a 503 with Retry-After: 10" a 0,1
  TRN-STA-12 a 503 about another order is advice | orders; 0 confirmOrder a 503 retryAfter=10; 1000 confirmOrder b
    => "1 s after a 503 with Retry-After: 10" b 0,1000 advice
  TRN-STA-12 and hides no call about its own | orders; 0 confirmOrder a 503 retryAfter=10; 1000 confirmOrder b; 2000 confirmOrder a
    => "2 s after a 503" a 0,2000; "1 s after a 503" b 0,1000 advice
  TRN-STA-10 a poll waits too | 0,5000 pollingEvents 429 retryAfter=10 => "The service made a poll 5 s after" - 0,5000

  lag 100
  TRN-STA-10 early by no more than our lag may explain | orders; 0 confirmOrder a 429 retryAfter=10; 9700 confirmOrder a
    => early(9.7 s) a 0,9700 inconclusive
  TRN-STA-10 by more | orders; 0 confirmOrder a 429 retryAfter=10; 9699 confirmOrder a => early(9.7 s) a 0,9699
  TRN-STA-10 of another order, which may have been in flight | orders; 0 confirmOrder a 429 retryAfter=10; 1200 confirmOrder b
    => early(1.2 s|o2) b 0,1200 inconclusive
  TRN-STA-10 of another order, which was not | orders; 0 confirmOrder a 429 retryAfter=10; 1201 confirmOrder b => early(1.2 s|o2) b 0,1201
`)

nearMisses('RT-5')(`
  orders := 0 created a, b
  repeated(what=confirmOrder of o1|reply=a 422|after=1 s) := "The service repeated $what $after after $reply that refused it for good, without a new event
    or status in between."
  found := repeated a 0,1000

  TRN-ERB-01 a refusal | orders; 0 confirmOrder a 422 => passed
  TRN-ERB-01 the call is repeated | orders; 0,1000 confirmOrder a 422 => found
  TRN-ERB-01 by a new process | orders; 0 confirmOrder a 422; 1 renewed; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 again and again, reported once | orders; 0,1000,2000 confirmOrder a 422 => found
  TRN-ERB-01 with success | orders; 0 confirmOrder a 422; 1000 confirmOrder a => found
  TRN-ERB-01 once more after a success | orders; 0 confirmOrder a 422 & confirmOrder a; 1000 confirmOrder a 422
    => repeated(confirmOrder of o1|a 422|0 ms) a 0,0
  TRN-ERB-01 with another body | orders; 0 confirmOrder a 422; 1000 confirmOrder a 422 body={} => passed
  TRN-ERB-01 of another order | orders; 0 confirmOrder a 422; 1000 confirmOrder b 422 => passed
  TRN-ERB-01 another operation | orders; 0 confirmOrder a 422; 1000 setOrderPreparing a 422 => passed
  TRN-ERB-01 the call had begun before the refusal | orders; 0,999 confirmOrder a 422 took=1000 => passed
  TRN-STA-12 a temporary failure | orders; 0 confirmOrder a 503; 1000 confirmOrder a 422 => passed
  AUT-TOK-04 a rejected token | orders; 0,1000 confirmOrder a 401 => not-exercised
  TRN-ERB-01 a GET | orders; 0,1000 getOrder a 404 => not-exercised
  TRN-ERB-01 a call about no order | 0,1000 createPayment 422 => not-exercised
  TRN-ERB-01 an event came | orders; 0 confirmOrder a 422; 500 polled CREATED a; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 an event came by webhook | orders; 0 confirmOrder a 422; 500 webhook CREATED a; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 an event of another order came | orders; 0 confirmOrder a 422; 500 polled CREATED b; 1000 confirmOrder a 422 => found
  TRN-ERB-01 a GET showed a status | orders; 0 confirmOrder a 422; 500 read a CREATED; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 a GET showed the same status | orders; 0 read a CREATED & confirmOrder a 422; 500 read a CREATED; 1000 confirmOrder a 422 => found
  TRN-ERB-01 a GET showed another | orders; 0 read a CREATED & confirmOrder a 422; 500 read a CONFIRMED; 1000 confirmOrder a 422 => passed
  TRN-ERB-01 a GET showed another last event | orders; 0 read a CREATED & confirmOrder a 422;
    500 read a CREATED answer={"status":"CREATED","lastEvent":"ITEM_CANCELLED"}; 1000 confirmOrder a 422 => passed
  LOG-RUL-02 a GET showed the delivery | orders; 0 confirmOrder a 422; 500 getDelivery a 200 answer={"status":"PENDING"}; 1000 confirmOrder a 422 => passed
  LOG-RUL-02 a GET of it failed | orders; 0 confirmOrder a 422; 500 getDelivery a 503 answer={"status":"PENDING"}; 1000 confirmOrder a 422 => found
  LOG-RUL-02 a GET showed the same of the delivery | orders; 0 getDelivery a 200 answer={"status":"PENDING"} & confirmOrder a 422;
    500 getDelivery a 200 answer={"status":"PENDING"}; 1000 confirmOrder a 422 => found
  TRN-ERB-01 a webhook was in flight when it was refused | orders; 0 emitted CONFIRMED a & webhook CONFIRMED a took=500 [0 confirmOrder a 422];
    1000 confirmOrder a 422 => passed
  TRN-ERB-01 a webhook was in flight when it was repeated | orders; 0 emitted CONFIRMED a & confirmOrder a 422;
    900 webhook CONFIRMED a took=500 [1000 confirmOrder a 422] => passed
  TRN-ERB-01 a webhook about another order was in flight | orders; 0 confirmOrder a 422; 900 webhook CREATED b took=500 [1000 confirmOrder a 422] => found
  TRN-ERB-01 a person asks for the cancellation again | orders; 0 requestCancellation a 422 key=one; 1000 requestCancellation a 422 key=two => passed
  TRN-ERB-01 the service does | orders; 0,1000 requestCancellation a 422 key=one => repeated(requestCancellation of o1) a 0,1000
  TRN-ERB-01 with another id it is the same call | orders; 0 confirmOrder a 422 key=one; 1000 confirmOrder a 422 key=two => found
  LOG-RUL-02 a request for a delivery names its order in the body | orders; 0,1000 createDelivery a 422 => repeated(createDelivery of o1) a 0,1000

  lag 100
  TRN-ERB-01 the call may have begun before | orders; 0,200 confirmOrder a 422 => repeated(confirmOrder of o1|a 422|200 ms) a 0,200 inconclusive
  TRN-ERB-01 it had not | orders; 0,201 confirmOrder a 422 => repeated(confirmOrder of o1|a 422|201 ms) a 0,201
`)

nearMisses('RT-6')(`
  orders := 0 created a, b
  failed := orders; 0 confirmOrder a 503
  gaveUp(times=once|reply=a 503|ago=120 s|what=confirmOrder of o1) := "The service tried $what $times, got $reply, and has not retried it for $ago."
  found := gaveUp a 0
  # A call that failed, and what has become of the order.
  failing(operation|status|more=) := 0 created a & $operation a 503 $more; 1 moved a $status; 120001
  tried := "The service tried" a 0
  requested := orders; 0 createDelivery a 503
  noDelivery := gaveUp(once|a 503|120 s|createDelivery of o1) a 0

  TRN-STA-12 it need not be tried again yet | failed; 120000 => open
  TRN-STA-12 it was not tried again | failed; 120001 => found
  TRN-STA-12 it was, with success | failed; 120000 confirmOrder a; 120001 => passed
  TRN-ERB-01 it was, and refused | failed; 120000 confirmOrder a 422; 240002 => passed
  TRN-STA-12 it was, and failed again | failed; 1000 confirmOrder a 503; 121001 => gaveUp(twice) a 1000
  TRN-STA-12 another order was confirmed | failed; 1 confirmOrder b; 120001 => found
  TRN-STA-12 of both orders it is missing | failed; 0 confirmOrder b 503; 120001 => gaveUp a 0; gaveUp(once|a 503|120 s|confirmOrder of o2) b 0
  TRN-STA-12 a try that had begun before the failed one succeeded | orders; 1 confirmOrder a 503; 0 confirmOrder a took=500; 120002 => gaveUp a 1
  TRN-STA-12 one that began with it did | orders; 1 confirmOrder a 503 & confirmOrder a took=500; 120002 => passed
  TRN-STA-10 Retry-After is not over for so long | orders; 0 confirmOrder a 429 retryAfter=10; 130000 => open
  TRN-STA-10 it is | orders; 0 confirmOrder a 429 retryAfter=10; 130001 => gaveUp(once|a 429 with Retry-After: 10|130 s) a 0
  TRN-STA-12 it has time from the end of the call | orders; 0 confirmOrder a 503 took=1000; 121000 => open
  TRN-STA-11 a fault is in force | failed; 1 faultAdded; 120001 => open
  TRN-STA-12 no reply came | orders; 0 confirmOrder a 0; 120001 => gaveUp(once|no reply) a 0
  TRN-ERB-01 it was refused | orders; 0 confirmOrder a 422; 120001 => not-exercised
  AUT-TOK-04 its token was rejected | orders; 0 confirmOrder a 401; 120001 => not-exercised
  ORD-CAN-04 a person asked for its cancellation | orders; 0 requestCancellation a 503; 120001 => not-exercised
  ORD-CAN-04 its cancellation was asked for | failed; 1 cancellationRequested a; 120001 => passed
  ORD-CAN-04 an operator had the order cancelled: it needs no delivery | requested; 1 operatorCancels a; 120001 => passed
  ORD-CAN-04 an operator had another order cancelled | requested; 1 operatorCancels b; 120001 => noDelivery
  ORD-CAN-06 its cancellation was denied | failed; 1 cancellationRequested a; 2 cancellationAnswered a deny; 120001 => found
  TRN-STA-12 the order is unknown | 0 confirmOrder x 503; 120001 => passed
  TRN-STA-12 getOrder of an order that is IN_DELIVERY | failing(getOrder|IN_DELIVERY) => tried
  TRN-STA-12 getOrder of an order that is DELIVERED | failing(getOrder|DELIVERED) => passed
  TRN-STA-12 confirmOrder of an order that is CREATED | failing(confirmOrder|CREATED) => tried
  TRN-STA-12 confirmOrder of an order that is CONFIRMED | failing(confirmOrder|CONFIRMED) => passed
  TRN-STA-12 setOrderPreparing of an order that is CONFIRMED | failing(setOrderPreparing|CONFIRMED) => tried
  TRN-STA-12 setOrderPreparing of an order that is PREPARING | failing(setOrderPreparing|PREPARING) => passed
  TRN-STA-12 setOrderReadyForPickup of an order that is PREPARING | failing(setOrderReadyForPickup|PREPARING) => tried
  TRN-STA-12 setOrderReadyForPickup of an order that is READY | failing(setOrderReadyForPickup|READY) => passed
  TRN-STA-12 dispatchOrder of an order that is READY | failing(dispatchOrder|READY) => tried
  TRN-STA-12 dispatchOrder of an order that is IN_DELIVERY | failing(dispatchOrder|IN_DELIVERY) => passed
  TRN-STA-12 setOrderDelivered of an order that is IN_DELIVERY | failing(setOrderDelivered|IN_DELIVERY) => tried
  TRN-STA-12 setOrderDelivered of an order that is DELIVERED | failing(setOrderDelivered|DELIVERED) => passed
  TRN-STA-12 checkDeliveryAvailability of an order that is READY | failing(checkDeliveryAvailability|READY) => tried
  TRN-STA-12 checkDeliveryAvailability of an order that is IN_DELIVERY | failing(checkDeliveryAvailability|IN_DELIVERY) => passed
  TRN-STA-12 setDeliveryReadyForPickup of an order that is READY | failing(setDeliveryReadyForPickup|READY|body={"orderId":"a"}) => tried
  TRN-STA-12 setDeliveryReadyForPickup of an order that is IN_DELIVERY | failing(setDeliveryReadyForPickup|IN_DELIVERY|body={"orderId":"a"}) => passed
  LOG-CON-03 a delivery was not requested again | requested; 120001 => noDelivery
  LOG-CON-03 the delivery exists | requested; 1 deliveryCreated a; 120001 => passed
  LOG-CON-04 its order was cancelled | requested; 1 moved a CANCELLED; 120001 => passed
  LOG-CON-03 its order is under way without it | requested; 1 moved a IN_DELIVERY; 120001 => noDelivery
  LOG-CON-03 it was requested twice, and the order is under way without it | requested; 1 createDelivery a 503 & moved a IN_DELIVERY; 120002 => passed
  LOG-CON-03 it was requested twice, and the order is ready | requested; 1 createDelivery a 503 & moved a READY; 120002
    => gaveUp(twice|a 503|120 s|createDelivery of o1) a 1
  LOG-CON-03 it was requested twice, and the service goes on with {getDelivery|setDeliveryReadyForPickup} | requested; 1 createDelivery a 503;
    2 $each a 200 & moved a IN_DELIVERY; 120003
    => gaveUp(twice|a 503|120 s|createDelivery of o1) a 1
  LOG-CON-04 a delivery was not cancelled | orders; 0 deliveryCreated a & cancelDelivery a 503; 120001 => gaveUp(once|a 503|120 s|cancelDelivery of o1) a 0
  LOG-CON-04 a delivery that is {DELIVERED|CANCELLED|FAILED|IN_TRANSIT} can no longer be | orders; 0 deliveryCreated a & cancelDelivery a 503;
    1 deliveryMoved a $each; 120001 => passed
  LOG-CON-04 there is no delivery to cancel | orders; 0 cancelDelivery a 503; 120001 => passed
  LOG-CON-04 the cancellation of a delivery is needed though that of its order was asked for | orders;
    0 deliveryCreated a & cancellationRequested a & cancelDelivery a 503; 120001
    => gaveUp(once|a 503|120 s|cancelDelivery of o1) a 0
`)

nearMisses('RT-7')(`
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

nearMisses('RT-8')(`
  orders := 0 created a, b
  gaveUp(first|second|ago=120 s) := "After $first the service got $second to confirmOrder of o1, and has not retried it for $ago."
  same(first=a 503) := "After $first the service got a 401 to confirmOrder of o1, and repeated it with the same token."

  TRN-STA-12 one failure | orders; 0 confirmOrder a 503; 120001 => not-exercised
  TRN-STA-12 two of one kind | orders; 0 confirmOrder a 503; 1000 confirmOrder a 500; 121001 => not-exercised
  TRN-STA-12 two of one kind, 429 | orders; 0,1000 confirmOrder a 429; 121001 => not-exercised
  TRN-STA-12 two kinds, until the deadline | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 121000 => open
  TRN-STA-12 a 429 after a 503 | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 121001 => gaveUp(a 503|a 429) a 0,1000
  TRN-STA-12 a 503 after a 429 | orders; 0 confirmOrder a 429; 1000 confirmOrder a 503; 121001 => gaveUp(a 429|a 503) a 0,1000
  TRN-STA-12 no reply after a 503 | orders; 0 confirmOrder a 503; 1000 confirmOrder a 0; 121001 => gaveUp(a 503|no reply) a 0,1000
  TRN-STA-12 a 503 after no reply | orders; 0 confirmOrder a 0; 1000 confirmOrder a 503; 121001 => gaveUp(no reply|a 503) a 0,1000
  AUT-TOK-04 a 401 after a 503 | orders; 0 confirmOrder a 503; 1000 confirmOrder a 401; 121001 => gaveUp(a 503|a 401) a 0,1000
  TRN-STA-10 Retry-After is not over for so long | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429 retryAfter=10; 131000 => open
  TRN-STA-10 it is | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429 retryAfter=10; 131001 => gaveUp(a 503|a 429 with Retry-After: 10|130 s) a 0,1000
  TRN-STA-12 a third try succeeds | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 2000 confirmOrder a; 120001 => passed
  TRN-ERB-01 a third try is refused | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 2000 confirmOrder a 422; 123001 => passed
  TRN-STA-12 a third fails as the second did | orders; 0 confirmOrder a 503; 1000,2000 confirmOrder a 429; 122001 => passed
  TRN-STA-12 a third fails as the first did | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 2000 confirmOrder a 503; 122001
    => gaveUp(a 503|a 503) a 0,2000
  TRN-STA-12 the order has moved on | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 2000 moved a CONFIRMED; 121001 => passed
  TRN-STA-12 another order was confirmed | orders; 0 confirmOrder a 503; 1000 confirmOrder a 429; 2000 confirmOrder b; 121001
    => gaveUp(a 503|a 429) a 0,1000
  TRN-STA-12 of two orders each failed once | orders; 0 confirmOrder a 503; 1000 confirmOrder b 429; 121001 => not-exercised
  TRN-STA-12 a try that had begun before the end of the first | orders; 0 confirmOrder a 503 took=1000; 999 confirmOrder a 429 took=1000;
    122001 => not-exercised
  TRN-STA-12 a try that began then | orders; 0 confirmOrder a 503 took=1000; 1000 confirmOrder a 429 took=1000; 122001 => gaveUp(a 503|a 429) a 0,1000
  AUT-TOK-04 after a 401 it comes with another token | orders; 0 confirmOrder a 503; 1000 confirmOrder a 401; 2000 confirmOrder a token=t2 => passed
  AUT-TOK-04 after a 401 it comes with the same token | orders; 0 confirmOrder a 503; 1000 confirmOrder a 401; 2000 confirmOrder a => same a 0,1000,2000
  AUT-TOK-04 after a 401 alone belongs to another rule | orders; 0 confirmOrder a 401; 1000 confirmOrder a => not-exercised
  AUT-TOK-04 a 503 came last | orders; 0 confirmOrder a 401; 1000 confirmOrder a 503; 2000 confirmOrder a => passed
  AUT-TOK-04 a new token was rejected as well: there is nothing more to do | orders; 0 confirmOrder a 503; 1000 confirmOrder a 401;
    2000 confirmOrder a 503 token=t2; 3000,4000 confirmOrder a 401 token=t2 => passed
  ORD-CAN-04 a call that no order needs | orders; 0 requestCancellation a 503; 1000 requestCancellation a 429; 121001 => not-exercised

  lag 100
  AUT-TOK-04 it may have been sent before the 401 came | orders; 0 confirmOrder a 503; 1000 confirmOrder a 401; 1200 confirmOrder a
    => same a 0,1000,1200 inconclusive
  AUT-TOK-04 it cannot have | orders; 0 confirmOrder a 503; 1000 confirmOrder a 401; 1201 confirmOrder a => same a 0,1000,1201
`)
