/** Near misses of RT-4. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { retryAfterIsWaitedOut } from './retry-after-is-waited-out.ts'

nearMisses(retryAfterIsWaitedOut)(`
  orders := 0 created a, b
  early(after|order=o1|seconds=10) := "The service made confirmOrder of $order $after after a 429 with Retry-After: $seconds."
  date := Mon, 05 Jan 2026 15:00:10 GMT

  TRN-STA-10 the call comes again in time | orders; 0 confirmOrder a 429 retryAfter=10; 10000 confirmOrder a => passed
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
  TRN-STA-10 of another order, a second later | orders; 0 confirmOrder a 429 retryAfter=10; 1000 confirmOrder b => early(1 s|o2) b 0,1000
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
  TRN-STA-10 a poll waits too | 0,5000 pollingEvents 429 retryAfter=10 => "The service made a poll 5 s after" - 0,5000

  lag 100
  TRN-STA-10 early by no more than our lag may explain | orders; 0 confirmOrder a 429 retryAfter=10; 9700 confirmOrder a
    => early(9.7 s) a 0,9700 inconclusive
  TRN-STA-10 by more | orders; 0 confirmOrder a 429 retryAfter=10; 9699 confirmOrder a => early(9.7 s) a 0,9699
  TRN-STA-10 of another order, which may have been in flight | orders; 0 confirmOrder a 429 retryAfter=10; 1200 confirmOrder b
    => early(1.2 s|o2) b 0,1200 inconclusive
  TRN-STA-10 of another order, which was not | orders; 0 confirmOrder a 429 retryAfter=10; 1201 confirmOrder b => early(1.2 s|o2) b 0,1201
`)
