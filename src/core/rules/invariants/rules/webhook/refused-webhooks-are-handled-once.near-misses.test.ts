/** Near misses of WH-4. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { refusedWebhooksAreHandledOnce } from './refused-webhooks-are-handled-once.ts'

nearMisses(refusedWebhooksAreHandledOnce)(`
  orders := 0 created a, b
  refused := orders; 10 webhook CREATED a 503
  twice := "answered the webhook of CREATED of o1 with 503 and read the order anyway, and read it again when it accepted the same webhook."
  never := "refused the webhook of CREATED of o1 with 503, accepted it when it was sent again, and never read the order."
  found := twice a 10,15,1000,1010

  ORD-EVR-03 it was not sent again | refused; 15 read a CREATED; 121001 => not-exercised
  ORD-EVR-03 it was read when it was sent again | refused; 1000 webhook CREATED a 204; 1010 read a CREATED; 121001 => passed
  ORD-EVR-03 it was read before as well | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => found
  ORD-EVR-03 it was read before, and not again | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 121001 => passed
  ORD-EVR-03 it was read a moment later | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 2000 read a CREATED => passed
  ORD-EVR-03 within a moment | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1999 read a CREATED => twice a 10,15,1000,1999
  ORD-EVR-03 another order was read before | refused; 15 read b CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => passed
  ORD-EVR-03 it was read before the answer | orders; 10 webhook CREATED a 503 took=5 [12 read a CREATED]; 1000 webhook CREATED a 204;
    1010 read a CREATED => passed
  ORD-EVR-03 it was read while it was sent again | refused; 15 read a CREATED; 1000 webhook CREATED a took=20 [1010 read a CREATED] => passed
  ORD-EVR-03 a read that failed is one | refused; 15 getOrder a 503; 1000 webhook CREATED a 204; 1010 getOrder a 503 => found
  ORD-EVR-03 it was refused twice | refused; 500 webhook CREATED a 503; 515 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED
    => twice a 10,515,1000,1010
  ORD-EVR-03 it was accepted twice | refused; 15 read a CREATED; 1000,5000 webhook CREATED a 204; 5010 read a CREATED => passed
  ORD-EVR-03 no reply came the second time | refused; 15 read a CREATED; 500 webhook CREATED a 0 failure=TIMEOUT; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-OPS-01 a poll announced the order | refused; 12 polled CREATED a; 15 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => not-exercised
  ORD-EVR-03 another webhook announced the order | refused; 11 emitted CONFIRMED a; 12 webhook CONFIRMED a; 15 read a CREATED; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-EVR-03 it was known before | orders; 0 webhook CREATED a 204; 10 webhook CREATED a 503; 15 read a CREATED; 1000 webhook CREATED a 204;
    1010 read a CREATED => not-exercised
  ORD-EVR-03 the webhook was of another event | orders; 0 emitted CONFIRMED a; 10 webhook CONFIRMED a 503; 15 read a CREATED; 1000 webhook CONFIRMED a 204;
    1010 read a CREATED => not-exercised
  ORD-OPS-03 it was never read, so far | refused; 1000 webhook CREATED a 204; 121000 => open
  ORD-OPS-03 it was never read | refused; 1000 webhook CREATED a 204; 121001 => never a 10,1000
  ORD-OPS-03 its GET failed | refused; 1000 webhook CREATED a 204; 2000 getOrder a 503; 121001 => never a 10,1000
  ORD-OPS-03 it is known to be cancelled | refused; 1000 webhook CREATED a 204 & emitted CANCELLED a; 1001 acknowledged CANCELLED a; 121001 => passed
  ORD-OPS-03 it is known to be concluded | refused; 1000 webhook CREATED a 204 & emitted CONCLUDED a; 1001 acknowledged CONCLUDED a; 121001 => passed
  ORD-OPS-03 it is known to be confirmed | refused; 1000 webhook CREATED a 204 & emitted CONFIRMED a; 1001 acknowledged CONFIRMED a;
    121001 => never a 10,1000
  ORD-EVR-03 of many GETs the first eight are known | refused; 12,+1x7 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => passed
  ORD-EVR-03 of seven all are | refused; 12,+1x6 read a CREATED; 1000 webhook CREATED a 204; 1010 read a CREATED => twice a 10,12,1000,1010

  lag 100
  ORD-EVR-03 it may have been read later | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1800 read a CREATED
    => twice a 10,15,1000,1800 inconclusive
  ORD-EVR-03 it was not | refused; 15 read a CREATED; 1000 webhook CREATED a 204; 1799 read a CREATED => twice a 10,15,1000,1799
`)
