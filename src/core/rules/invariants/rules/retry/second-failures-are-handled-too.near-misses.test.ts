/** Near misses of RT-8. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { secondFailuresAreHandledToo } from './second-failures-are-handled-too.ts'

nearMisses(secondFailuresAreHandledToo)(`
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
