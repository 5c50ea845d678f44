/** Near misses of the rules TK-1 to TK-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('TK-1')(`
  together := "requested a token while its request for the same token was in progress or had just been answered."
  needless(after) := "requested another token $after after it had received one (a 200) that had not been rejected, and not for the first time."
  fault := slow on req(issueToken)
  atTheSameTime := 0 token t1 took=2500; 500 token t2 took=2000

  AUT-TOK-03 one token | 0 token t1 => passed
  AUT-TOK-03 another within a moment | 0 token t1; 999 token t2 => together - 0,999
  AUT-TOK-03 another after a moment, as after a restart | 0 token t1; 1000 token t2 => passed
  AUT-TOK-03 each by a new process | 0 token t1; 1 renewed; 2 token t2; 500 renewed; 501 token t3; 1000 renewed; 1001 token t4 => passed
  AUT-TOK-03 each by a new process, on a clock that stands | 0 token t1; 0 renewed; 0 token t2 => passed
  AUT-TOK-03 two by a new process, on a clock that stands | 0 token t1; 0 renewed; 0 token t2; 0 token t3 => together - 0,0
  AUT-TOK-03 two by a new process | 0 token t1; 1 renewed; 2 token t2; 3 token t3 => together - 2,3
  AUT-TOK-03 it is reported once | 0 token t1; 1 token t2; 2 token t3 => together - 0,1
  AUT-TOK-03 another with other credentials | 0 token t1; 1 token t2 body="grant_type=client_credentials&client_id=other";
    2 token t3 to=delivery-platform => passed
  AUT-TOK-03 another at another address | 0 token t1; 1 token t2 origin=http://other.test => passed
  AUT-TOK-03 a third within a minute of the second | 0 token t1; 5000 token t2; 64999 token t3 => needless(60 s) - 5000,64999
  AUT-TOK-03 a third later than that | 0 token t1; 5000 token t2; 65000 token t3 => passed
  AUT-TOK-03 half of the lifetime is over | 0 token t1 answer={"access_token":"t","expires_in":200}; 100000 token t2; 110000 token t3 => passed
  AUT-TOK-03 it is not | 0 token t1 answer={"access_token":"t","expires_in":200}; 99999 token t2; 109999 token t3 => needless(10 s) - 99999,109999
  AUT-TOK-03 a minute before the end, the margin of many clients | 0 token t1; 5000 token t2 answer={"access_token":"t","expires_in":80}; 25000 token t3 => passed
  AUT-TOK-03 more than a minute before it | 0 token t1; 5000 token t2 answer={"access_token":"t","expires_in":80}; 24999 token t3
    => needless(20 s) - 5000,24999
  AUT-TOK-03 a token of 40 s is asked for with each call | 0 token t1 answer={"access_token":"t","expires_in":40}; 10 token t2 answer={"access_token":"t","expires_in":40}; 20 token t3 => passed
  AUT-TOK-03 a token of 40 s is asked for at the same time | 0 token t1 answer={"access_token":"t","expires_in":40} took=50; 10 token t2 answer={"access_token":"t","expires_in":40} => together - 0,10
  AUT-TOK-03 a lifetime of undefined is an hour | 0 token t1 answer={"access_token":"t"}; 1799000 token t2 answer={"access_token":"t"}; 1809000 token t3
    => needless(10 s) - 1799000,1809000
  AUT-TOK-03 a lifetime of soon is an hour | 0 token t1 answer={"access_token":"t","expires_in":"soon"};
    1799000 token t2 answer={"access_token":"t","expires_in":"soon"}; 1809000 token t3
    => needless(10 s) - 1799000,1809000
  AUT-TOK-03 after half an hour of an hour | 0 token t1 answer={"access_token":"t"}; 1800000 token t1; 1810000 token t2 => passed
  AUT-TOK-04 the last token was rejected | 0 token t1; 5000 token t2; 6000 getOrder a 401 token=t2; 6001 token t3 => passed
  AUT-TOK-04 an earlier one was | 0 token t1; 5000 token t2; 6000 getOrder a 401; 6100 token t3 => needless(1.1 s) - 5000,6100
  AUT-TOK-04 one that it never got was | 0 token t1; 5000 token t2; 6000 getOrder a 401 token=t9; 6100 token t3 => needless(1.1 s) - 5000,6100
  AUT-TOK-04 a call was refused for another reason | 0 token t1; 5000 token t2; 6000 getOrder a 403 token=t2; 6100 token t3 => needless(1.1 s) - 5000,6100
  AUT-TOK-04 a rejection justifies one token | 0 token t1; 5000 token t2; 6000 getOrder a 401 token=t2; 6001 token t3; 8000 token t4
    => needless(2 s) - 5000,6001,8000
  AUT-TOK-03 the request failed | 0 token 503; 1 token t2 => passed
  AUT-TOK-03 a fault distorted the reply | 0 token t1 fault="$fault"; 1 token t2 => passed
  AUT-TOK-03 two requests overlap | 0 token 503 took=1000; 999 token t2 took=1000 => together - 0,999
  AUT-TOK-03 the second begins at the end of the first, which failed | 0 token 503 took=1000; 1000 token t2 took=1000 => passed
  AUT-TOK-03 one ends within the other | 400 token 503 took=100; 0 token t2 took=600 => together - 400,0
  AUT-TOK-03 one begins at the end of the other | 600 token 503; 0 token t2 took=600 => passed
  AUT-TOK-03 they overlap because a fault delayed the first | 0 token 503 took=5000 fault="$fault"; 1000 token t2 took=5000 => passed
  AUT-TOK-03 a fault delayed the first, and they began at the same time | 0 token 503 took=5000 fault="$fault"; 999 token t2 took=5000 => together - 0,999

  lag 100
  AUT-TOK-03 our lag may have made it a moment | 0 token t1; 800 token t2 => together - 0,800 inconclusive
  AUT-TOK-03 it was one | 0 token t1; 799 token t2 => together - 0,799
  AUT-TOK-03 they may not have overlapped | 0 token 503 took=1000; 800 token t2 took=1000 => together - 0,800 inconclusive
  AUT-TOK-03 they did | 0 token 503 took=1000; 799 token t2 took=1000 => together - 0,799
  AUT-TOK-03 they did for as long as the second took | 0 token 503 took=1000; 790 token t2 took=210 => together - 0,790
  AUT-TOK-03 the reply may have come too late for the service | 0 token t1; 5000 token t2 took=200; 9000 token t3
    => needless(3.8 s) - 5000,9000 inconclusive
  AUT-TOK-03 it took longer than that | 0 token t1; 5000 token t2 took=201; 9000 token t3 => needless(3.8 s) - 5000,9000

  lag 500
  AUT-TOK-03 we were so late that the service may have given up the first | atTheSameTime => together - 0,500 inconclusive

  lag 499
  AUT-TOK-03 we were late, but no service gives up so soon | atTheSameTime => together - 0,500
`)

nearMisses('TK-2')(`
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

nearMisses('TK-3')(`
  orders := 0 created a, b
  rejected := orders; 0 confirmOrder a 401
  dropped(ago=120 s) := "got a 401 to confirmOrder of o1, and has not repeated the call for $ago."
  old := "After a 401 to confirmOrder of o1 the service got a new token, but repeated the call with the old one."
  renewed := orders; 0 token t1; 10 confirmOrder a 401; 20 token t2

  AUT-TOK-04 it need not be repeated yet | rejected; 120000 => open
  AUT-TOK-04 it was not repeated | rejected; 120001 => dropped a 0
  AUT-TOK-04 a fault is in force | rejected; 1 faultAdded; 120001 => open
  AUT-TOK-04 it has time from the end of the call | orders; 0 confirmOrder a 401 took=1000; 121000 => open
  AUT-TOK-04 it was repeated | rejected; 1 confirmOrder a token=t2; 120001 => passed
  AUT-TOK-04 it was repeated and failed | rejected; 1 confirmOrder a 503 token=t2; 120001 => passed
  AUT-TOK-04 it was repeated and rejected again | rejected; 1000 confirmOrder a 401 token=t2; 121001 => dropped a 1000
  AUT-TOK-04 another order was confirmed | rejected; 1 confirmOrder b; 120001 => dropped a 0
  AUT-TOK-04 calls of both orders were rejected | rejected; 0 confirmOrder b 401; 120001 => dropped a 0; "confirmOrder of o2" b 0
  AUT-TOK-04 a call that had begun before the 401 came succeeded | orders; 0 confirmOrder a 401 took=10; 9 confirmOrder a took=10; 120011 => dropped a 0
  AUT-TOK-04 a call that began then succeeded | orders; 0 confirmOrder a 401 took=10; 10 confirmOrder a took=10; 120021 => passed
  AUT-TOK-04 the order has moved on | rejected; 1 moved a CONFIRMED; 120001 => passed
  ORD-CAN-04 no order needs the call | orders; 0 requestCancellation a 401; 120001 => not-exercised
  TRN-STA-12 it failed in another way | orders; 0 confirmOrder a 503; 120001 => not-exercised
  AUT-TOK-04 it came with the new token | renewed; 30 confirmOrder a token=t2 => passed
  AUT-TOK-04 it came with the old token | renewed; 30 confirmOrder a => old a 10,20,30
  AUT-TOK-04 it came with the old token at once | renewed; 20 confirmOrder a => old a 10,20,20
  AUT-TOK-04 another call did | renewed; 30 confirmOrder b; 31 confirmOrder a token=t2 => passed
  AUT-TOK-04 there is no new token | orders; 0 token t1; 10 confirmOrder a 401; 30 confirmOrder a => passed
  AUT-TOK-04 the new token was requested before | orders; 0 token t1; 5 token t2; 10 confirmOrder a 401; 30 confirmOrder a => passed
  AUT-TOK-04 the new token came after it had begun | orders; 0 token t1; 10 confirmOrder a 401; 20 token t2 took=20; 39 confirmOrder a took=10 => passed

  lag 100
  AUT-TOK-04 it may have begun before the new token came | renewed; 220 confirmOrder a => old a 10,20,220 inconclusive
  AUT-TOK-04 it had not | renewed; 221 confirmOrder a => old a 10,20,221
`)
