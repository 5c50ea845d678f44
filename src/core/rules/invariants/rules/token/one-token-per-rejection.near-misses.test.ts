/** Near misses of TK-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { oneTokenPerRejection } from './one-token-per-rejection.ts'

nearMisses(oneTokenPerRejection)(`
  together := "requested a token while its request for the same token was in progress or had just been answered."
  needless(after) := "requested another token $after after it had received one (a 200) that had not been rejected, and not for the first time."
  fault := slow on req(issueToken)
  atTheSameTime := 0 token t1 took=2500; 500 token t2 took=2000

  AUT-TOK-03 one token | 0 token t1 => passed
  AUT-TOK-03 another within a moment | 0 token t1; 999 token t2 => together - 0,999
  AUT-TOK-03 another after a moment, as after a restart | 0 token t1; 1000 token t2 => passed
  AUT-TOK-03 it is reported once | 0 token t1; 1 token t2; 2 token t3 => together - 0,1
  AUT-TOK-03 another with other credentials | 0 token t1; 1 token t2 body="grant_type=client_credentials&client_id=other";
    2 token t3 to=delivery-platform => passed
  AUT-TOK-03 another at another address | 0 token t1; 1 token t2 origin=http://other.test => passed
  AUT-TOK-03 a third within a minute of the second | 0 token t1; 5000 token t2; 64999 token t3 => needless(60 s) - 5000,64999
  AUT-TOK-03 a third later than that | 0 token t1; 5000 token t2; 65000 token t3 => passed
  AUT-TOK-03 half of the lifetime is over | 0 token t1; 5000 token t2 answer={"access_token":"t","expires_in":20}; 15000 token t3 => passed
  AUT-TOK-03 it is not | 0 token t1; 5000 token t2 answer={"access_token":"t","expires_in":20}; 14999 token t3 => needless(10 s) - 5000,14999
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
