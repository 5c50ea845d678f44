/** Near misses of the rules PO-1 to PO-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('PO-1')(`
  paused(seconds|usual|end=its last poll got a reply) := "The service did not poll for $seconds s; its usual pause is $usual s, and $end."
  stopped(seconds|end=its last poll got a reply) := "The service has not polled for $seconds s; $end."

  ORD-OPS-01 one poll | 0 polled; 10000 => not-exercised
  ORD-OPS-01 one poll, and the next may still come | 0 polled; 120000 => open
  ORD-OPS-01 one poll, and then nothing | 0 polled; 120001 => stopped(120) - 0
  ORD-OPS-01 three polls show no interval | 0,1000,2000,122000 polled => passed
  ORD-OPS-01 a pause that is too long for any interval | 0,1000,2000,122001 polled => paused(120|1) - 2000,122001
  ORD-OPS-01 after four polls the pause is as long as the grace | 0,+1000x3,13000 polled => passed
  ORD-OPS-01 it is longer than that | 0,+1000x3,13001 polled => paused(10|1) - 3000,13001
  ORD-OPS-01 the last poll is as long ago as the grace | 0,+1000x3 polled; 13000 => passed
  ORD-OPS-01 it is longer ago | 0,+1000x3 polled; 13001 => stopped(10) - 3000
  ORD-OPS-01 the process is started anew, which takes its time | 0,+1000x3 polled; 3500 renewed; 33500 polled => passed
  ORD-OPS-01 and the new one never polls | 0,+1000x3 polled; 3500 renewed; 123501 => stopped(121) - 3000
  ORD-OPS-01 it was silent, and asks for a token before it polls again, as a process does that was started again | 0,+1000x3 polled;
    13500 issueToken; 13600 polled => paused(10.6|1) - 3000,13600 advice
  ORD-OPS-01 it asks for a token while its other calls went on | 0,+1000x3 polled; 9000 confirmOrder a; 13500 issueToken; 13600 polled
    => paused(10.6|1) - 3000,13600
  ORD-OPS-01 it asked for a token before it stopped | 0,1000,2000 polled; 2500 issueToken; 3000,13600 polled => paused(10.6|1) - 3000,13600
  ORD-OPS-01 a fault is in force | 0,+1000x3 polled; 3500 faultAdded; 40000 => open
  ORD-OPS-01 of a long interval the pause is the threefold | 0,+5000x3,30000 polled => passed
  ORD-OPS-01 it is longer than that | 0,+5000x3,30001 polled => paused(15|5) - 15000,30001
  ORD-OPS-01 the interval is the median of its pauses | 0,6000,7000,12000,27001 polled => paused(15|5) - 12000,27001
  ORD-OPS-01 the interval is the median of its last 15 pauses | 0,+9000x8,+1000x8,90001 polled => paused(10|1) - 80000,90001
  ORD-OPS-01 a pause begins at the end of a poll | 0,1000,2000 polled; 3000 polled took=500; 13500 polled => passed
  ORD-OPS-01 polls that overlap have no pause between them | 500 polled took=100; 0 polled took=900 => not-exercised
  ORD-OPS-01 of polls that overlap the one that ends last begins the pause | 0,1000,2000 polled; 3000 polled took=100; 2999 polled took=1000;
    13999 polled => passed
  ORD-OPS-01 after a failed poll there is time to recover | 0,1000,2000 polled; 3000 polled 503; 123000 polled => passed
  ORD-OPS-01 not for ever | 0,1000,2000 polled; 3000 polled 503; 123001 polled => paused(120|1|its last poll got a 503) - 3000,123001
  ORD-OPS-01 that time begins when Retry-After is over | 0,1000,2000 polled; 3000 polled 503 retryAfter=10; 133000 polled => passed
  ORD-OPS-01 it ends then | 0,1000,2000 polled; 3000 polled 503 retryAfter=10; 133001 polled
    => paused(120|1|its last poll got a 503 with Retry-After: 10) - 3000,133001
  ORD-OPS-01 after a failed poll a pause that is no longer than usual | 0,1000,2000 polled; 3000 polled 503; 13000 => passed
  ORD-OPS-01 after a failed poll a longer pause may still end | 0,1000,2000 polled; 3000 polled 503; 13001 => open
  ORD-OPS-01 it may still end while webhooks are answered | 0,1000,2000 polled; 3000 polled 503; 4000 emitted CREATED a; 5000,50000 webhook CREATED a;
    60000 => open
  ORD-OPS-01 webhooks take the place of no poll | 0,1000,2000 polled; 3000 polled 503; 4000 emitted CREATED a; 5000,120000 webhook CREATED a; 123001
    => stopped(120|its last poll got a 503) - 3000
  ORD-OPS-01 a slow poll loop lives after a failed poll | 0,+30000x3 polled; 120000 polled 503; 150000 webhook CREATED a; 210000 => passed
  ORD-OPS-01 a hung poll counts from its start | 0,1000,2000 polled; 3000 polled 0 took=60000; 123000 polled => passed
  ORD-OPS-01 a hung poll counts from its start, and no further | 0,1000,2000 polled; 3000 polled 0 took=60000; 123001 polled
    => paused(120|1|its last poll got no reply) - 3000,123001
  ORD-OPS-01 a poll that broke off counts from its end | 0,1000,2000 polled; 3000 polled 0 took=60000 failure=RESET; 183000 polled => passed
  ORD-OPS-01 a fault distorted the poll | 0,1000,2000 polled; 3000 polled fault="slow on req(pollingEvents)"; 123000 polled => passed
  ORD-OPS-01 a fault was active, on another call | 0,+1000x3 polled; 3000 faultFired req(getOrder,o1); 33000 polled => passed
  ORD-OPS-01 a fault was active, on another call, and the pause is too long for that too | 0,+1000x3 polled; 3000 faultFired req(getOrder,o1); 33001 polled
    => paused(30|1) - 3000,33001
  ORD-OPS-01 req({pollingEvents|issueToken}) was distorted | 0,+1000x3 polled; 3500 faultFired req($each); 123500 polled => passed
  ORD-OPS-01 req({pollingEvents|issueToken}) was distorted, too long ago | 0,+1000x3 polled; 3500 faultFired req($each); 123501 polled
    => paused(120|1) - 3000,123501
  ORD-OPS-01 req({pollingEvents|issueToken}) was distorted before the last poll | 0,1000,2000 polled; 2999 faultFired req($each); 3000,33001 polled
    => paused(30|1) - 3000,33001
  ORD-OPS-01 req({pollingEvents|issueToken}) was distorted as the last poll began | 0,1000,2000 polled; 3000 faultFired req($each); 3000,123000 polled
    => passed
  ORD-OPS-01 a token request failed after the last poll | 0,+1000x3 polled; 3500 token 503; 123500 polled => passed
  ORD-OPS-01 a token request succeeded | 0,+1000x3 polled; 3500 token t2; 13001 polled => paused(10|1) - 3000,13001
  ORD-OPS-01 a poll hangs and was not given up | 0,+1000x3 polled; 4000 faultFired req(pollingEvents,o1) hang; 124001
    => stopped(121|its last poll was never answered) - 3000
  ORD-OPS-01 another call hangs | 0,+1000x3 polled; 4000 faultFired req(getOrder,o1) hang; 124001 => stopped(121) - 3000
  ORD-OPS-01 a token request hangs | 0,+1000x3 polled; 4000 faultFired req(issueToken) hang; 124001 => stopped(121) - 3000
  ORD-OPS-01 a poll was distorted in another way | 0,+1000x3 polled; 4000 faultFired req(pollingEvents,o1); 124001 => stopped(121) - 3000
  ORD-OPS-01 a poll hung and was given up | 0,+1000x3 polled; 4000 faultFired req(pollingEvents,o1) hang & polled 0 took=10000; 124001
    => stopped(110|its last poll got no reply) - 4000
`)

nearMisses('PO-2')(`
  early(ms) := "The service polled again after $ms ms, and not for the first time; the minimum interval is 500 ms."

  TRN-STA-10 one poll | 0 polled => not-exercised
  TRN-STA-10 polls at the minimum interval | 0,+500x4 polled => passed
  TRN-STA-10 one of them comes early | 0,499 polled => passed
  TRN-STA-10 two do | 0,499,998 polled => early(499) - 0,499,998
  TRN-STA-10 the second of them within a minute of the first | 0,499,60000,60499 polled => early(499) - 0,499,60000,60499
  TRN-STA-10 the second of them later than that | 0,499,60001,60500 polled => passed
  TRN-STA-10 it is reported once a minute | 0,+100x3,59900,60000 polled => early(100) - 0,100,200; early(100) - 200,300,59900,60000
  TRN-STA-10 each is the first of a new process | 0 polled; 100 renewed; 101 polled; 200 renewed; 201 polled; 300 renewed; 301 polled => not-exercised
  TRN-STA-10 those of a new process come early | 0 polled; 100 renewed; 101,201,301 polled => early(100) - 101,201,301
  AUT-TOK-04 after a 401 a poll may be repeated at once | 0,1,2 polled 401 => not-exercised
  TRN-STA-10 after a 503 it may not | 0,100,200 polled 503 => early(100) - 0,100,200
  TRN-STA-10 polls that overlap are as far apart as they began | 400 polled; 0 polled took=1000; 5000 polled; 4600 polled took=1000
    => early(400) - 400,0,5000,4600

  lag 100
  TRN-STA-10 both are early by more than our lag | 0,299,598 polled => early(299) - 0,299,598
  TRN-STA-10 one of both is not | 0,299,599 polled => early(300) - 0,299,599 inconclusive
  TRN-STA-10 the first of both is not | 0,300,599 polled => early(299) - 0,300,599 inconclusive
  TRN-STA-10 one that is beyond doubt counts for its minute | 0,200,500,10000,10200 polled
    => early(200) - 0,200,10000,10200; early(300) - 0,200,500 inconclusive
  TRN-STA-10 one that is beyond doubt takes the place of one that is not | 0,300,10000,10200,20000,20200 polled
    => early(200) - 10000,10200,20000,20200; early(200) - 0,300,10000,10200 inconclusive
`)

nearMisses('PO-3')(`
  orders := 0 created a, b
  behind(poison) := "CREATED of o2 came behind $poison in a poll, and the service never acknowledged it."
  stopped(poison|ago) := "The service has not polled again since a poll returned $poison, $ago s ago."
  # It polls again, and nothing more.
  goesOn := 1 polled

  ORD-OPS-02 an event behind it has until the deadline | orders; 0 polled X_HINT a, CREATED b; goesOn; 120000 => open
  ORD-OPS-02 it was not acknowledged by then | orders; 0 polled X_HINT a, CREATED b; goesOn; 120001 => behind(X_HINT) b 0
  ORD-OPS-02 it was acknowledged, even if the acknowledgment failed | orders; 0 polled X_HINT a, CREATED b; goesOn; 2 acknowledged CREATED b 503;
    120001 => passed
  ORD-OPS-02 another was acknowledged | orders; 0 polled X_HINT a, CREATED b, CREATED a; goesOn; 2 acknowledged CREATED a; 120001 => behind(X_HINT) b 0
  ORD-OPS-02 an event before it is not stopped by it | orders; 0 polled CREATED b, X_HINT a; goesOn; 120001 => passed
  ORD-OPS-02 an event of the next poll is not behind it | orders; 0 polled X_HINT a; 1 polled CREATED b; goesOn; 120001 => passed
  ORD-OPS-02 an event that was named before comes again | orders; 0 acknowledged CREATED b 503; 1 polled X_HINT a, CREATED b; 2 polled; 120001 => passed
  ORD-OPS-02 the first poison and the first poll of it are named | orders; 0 polled X_HINT a, X_OTHER a, CREATED b; 1 polled X_OTHER a, CREATED b; 2 polled;
    120001 => behind(X_HINT) b 0
  ORD-OPS-02 an event without an order is poison, and one without a type | orders;
    0 pollingEvents 200 answer=[{"eventId":"e","eventType":"CONFIRMED"},{"eventId":"f","orderId":"a"},{"eventId":"CREATED
    b","eventType":"CREATED","orderId":"b"}]; 1 polled; 120001
    => behind(CONFIRMED) b 0
  ORD-OPS-02 one without a type has no name | orders; 0 pollingEvents 200 answer=[{"eventId":"f","orderId":"a"}]; 120001
    => stopped(an event without a type|120) - 0
  ORD-OPS-02 an event that only V1 has is no poison | orders; 0 polled PICKUP_AREA_ASSIGNED a, CREATED b; 120001 => not-exercised
  ORD-OPS-03 a webhook stops no others | orders; 0 emitted X_HINT a & webhook X_HINT a; 120001 => not-exercised
  ORD-OPS-01 the next poll is not due yet | orders; 0 polled X_HINT a; 10000 => passed
  ORD-OPS-01 it is | orders; 0 polled X_HINT a; 10001 => open
  ORD-OPS-01 it is, at the deadline | orders; 0 polled X_HINT a; 120000 => open
  ORD-OPS-01 it never came | orders; 0 polled X_HINT a; 120001 => stopped(X_HINT|120) - 0
  ORD-OPS-01 a fault is in force | orders; 0 polled X_HINT a; 1 faultAdded; 120001 => open
  ORD-OPS-01 it came | orders; 0 polled X_HINT a & polled; 120001 => passed
  ORD-OPS-01 only one that had begun before came | orders; 1 polled X_HINT a took=10; 10 polled took=5; 120012 => stopped(X_HINT|120) - 1
  ORD-OPS-01 an acknowledgment is no poll | orders; 0 polled X_HINT a; 1 acknowledged X_HINT a; 120001 => stopped(X_HINT|120) - 0
`)
