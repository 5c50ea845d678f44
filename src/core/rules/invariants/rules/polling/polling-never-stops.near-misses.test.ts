/** Near misses of PO-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { pollingNeverStops } from './polling-never-stops.ts'

nearMisses(pollingNeverStops)(`
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
