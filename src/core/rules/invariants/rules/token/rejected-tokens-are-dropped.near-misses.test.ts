/** Near misses of TK-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { rejectedTokensAreDropped } from './rejected-tokens-are-dropped.ts'

nearMisses(rejectedTokensAreDropped)(`
  orders := 0 created a, b, c, d, e
  used(later) := "used a token 4 more times after it had been rejected, and was rejected each time, the last time $later later."
  repeated(before) := "repeated confirmOrder of o1 with the token that had been rejected $before before, although it had requested a new one."
  renewed := orders; 0 token t1; 10 confirmOrder a 401; 20 token t2

  AUT-TOK-04 no call was rejected | orders; 0 confirmOrder a & confirmOrder a 503 => not-exercised
  AUT-TOK-04 three uses later | orders; 0 confirmOrder a 401; 1000 confirmOrder b 401; 1001 confirmOrder c 401; 1002 confirmOrder d 401 => passed
  AUT-TOK-04 four | orders; 0 confirmOrder a 401; 1000 confirmOrder b 401; 1001 confirmOrder c 401; 1002 confirmOrder d 401;
    1003 confirmOrder e 401 => used(1 s) - 0,1003
  AUT-TOK-04 it is reported once | orders; 0 confirmOrder a 401; 1000 confirmOrder b 401; 1001 confirmOrder c 401; 1002 confirmOrder d 401;
    1003 confirmOrder e 401; 1004 confirmOrder a 401 => used(1 s) - 0,1003
  AUT-TOK-04 four of which one was in flight | orders; 0 confirmOrder a 401; 999 confirmOrder b 401; 1000 confirmOrder c 401; 1001 confirmOrder d 401;
    1002 confirmOrder e 401 => passed
  AUT-TOK-04 uses that fail in another way do not count | orders; 0 confirmOrder a 401; 1000 confirmOrder b 401; 1001 confirmOrder c 401;
    1002 confirmOrder d 401; 1003 confirmOrder e 503 => passed
  AUT-TOK-04 with a token of its own each | orders; 0 confirmOrder a 401 token=t0; 2000 confirmOrder b 401; 4000 confirmOrder c 401 token=t2;
    6000 confirmOrder d 401 token=t3; 8000 confirmOrder e 401 token=t4 => passed
  AUT-TOK-04 the host accepted it again | orders; 0 confirmOrder a 401; 1000 confirmOrder b 401; 1001 confirmOrder c 401; 1002 confirmOrder a;
    3000 confirmOrder b 401; 4001 confirmOrder c 401; 4002 confirmOrder d 401; 4003 confirmOrder e 401 => passed
  AUT-TOK-04 a failure in between shows nothing of the token | orders; 0 confirmOrder a 401; 1000 confirmOrder b 401; 1001 confirmOrder c 401;
    1002 confirmOrder a 503; 3000 confirmOrder b 401; 4001 confirmOrder c 401 => used(4 s) - 0,4001
  AUT-TOK-04 the call came with the new token | renewed; 30 confirmOrder a token=t2 => passed
  AUT-TOK-04 the call came with the old one | renewed; 30 confirmOrder a 401 => repeated(20 ms) a 10,20,30
  AUT-TOK-04 it did, again and again, reported once | renewed; 30,5000,9000 confirmOrder a 401 => repeated(20 ms) a 10,20,30
  AUT-TOK-04 whatever the reply | renewed; 30 confirmOrder a => repeated(20 ms) a 10,20,30
  AUT-TOK-04 another call did | renewed; 30 confirmOrder b 401 => passed
  AUT-TOK-04 a call that was rejected later as well | renewed; 30 confirmOrder b 401; 40 token t3; 50 confirmOrder b 401
    => "repeated confirmOrder of o2 with the token that had been rejected 20 ms before" b 30,40,50
  AUT-TOK-04 there is no new token | orders; 0 token t1; 10,30 confirmOrder a 401 => passed
  AUT-TOK-04 the new one was requested before | orders; 0 token t1; 5 token t2; 10,30 confirmOrder a 401 => passed
  AUT-TOK-04 the request for it failed | orders; 0 token t1; 10 confirmOrder a 401; 20 token 503; 30 confirmOrder a 401 => passed
  AUT-TOK-04 the new one has other credentials | orders; 0 token t1; 10 confirmOrder a 401; 20 token t2 body=client_id=other;
    30 confirmOrder a 401 => passed
  AUT-TOK-04 the new one came after the call had begun | orders; 0 token t1; 10 confirmOrder a 401; 20 token t2 took=20;
    39 confirmOrder a 401 took=10 => passed

  lag 100
  AUT-TOK-04 all may have been in flight | orders; 0 confirmOrder a 401;
    1199 confirmOrder b 401 & confirmOrder c 401 & confirmOrder d 401 & confirmOrder e 401
    => used(1.2 s) - 0,1199 inconclusive
  AUT-TOK-04 one may have been | orders; 0 confirmOrder a 401; 1199 confirmOrder b 401; 1200 confirmOrder c 401 & confirmOrder d 401 & confirmOrder e 401
    => used(1.2 s) - 0,1200 inconclusive
  AUT-TOK-04 none can have been | orders; 0 confirmOrder a 401;
    1200 confirmOrder b 401 & confirmOrder c 401 & confirmOrder d 401 & confirmOrder e 401 => used(1.2 s) - 0,1200
  AUT-TOK-04 the new token may have come later | renewed; 220 confirmOrder a 401 => repeated(210 ms) a 10,20,220 inconclusive
  AUT-TOK-04 it had come | renewed; 221 confirmOrder a 401 => repeated(211 ms) a 10,20,221
`)
