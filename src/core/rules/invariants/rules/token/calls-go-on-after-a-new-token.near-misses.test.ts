/** Near misses of TK-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { callsGoOnAfterANewToken } from './calls-go-on-after-a-new-token.ts'

nearMisses(callsGoOnAfterANewToken)(`
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
