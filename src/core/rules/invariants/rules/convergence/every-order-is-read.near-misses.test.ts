/** Near misses of CV-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { everyOrderIsRead } from './every-order-is-read.ts'

nearMisses(everyOrderIsRead)(`
  heard := 0 created a & polled CREATED a
  never := "The service never read o1: it received CREATED at 15:00:00.000, and no GET of it was answered 200 in the 120 s since."
  found := never a 0

  ORD-FLO-03 it need not be read yet | heard; 120000 => open
  ORD-FLO-03 it was not read | heard; 120001 => found
  ORD-FLO-03 a fault is in force | heard; 1 faultAdded; 120001 => open
  ORD-FLO-03 it was read | heard; 120000 read a CREATED; 120001 => passed
  ORD-FLO-03 it was read before | 0 created a & read a CREATED & polled CREATED a; 120001 => passed
  ORD-FLO-03 another was read | heard; 0 created b; 1 read b CREATED; 120001 => found
  ORD-GEN-05 its GET failed | heard; 1 getOrder a 503; 120001 => never a 0,1
  ORD-FLO-03 it was confirmed without | heard; 1 confirmOrder a; 120001 => never a 0,1
  ORD-FLO-03 the first event counts | heard; 5000 emitted CONFIRMED a & polled CONFIRMED a; 120001 => found
  ORD-FLO-03 an event announced its end | heard; 1 emitted CANCELLED a & polled CANCELLED a; 120001 => passed
  ORD-OPS-03 a webhook brought the event | 0 created a & webhook CREATED a; 120001 => found
  ORD-OPS-03 the service refused it | 0 created a & webhook CREATED a 503; 120001 => not-exercised
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2 & polled CREATED a; 120001 => not-exercised
  ORD-GEN-03 no event came | 0 created a; 120001 => not-exercised
`)
