/** Near misses of AK-4. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { acknowledgedOrdersAreRead } from './acknowledged-orders-are-read.ts'

nearMisses(acknowledgedOrdersAreRead)(`
  taken := 0 created a & acknowledged CREATED a
  never := "acknowledged CREATED of o1, so the event will not come again; the service never read the order."
  # CREATED was acknowledged, and so was another event.
  toldToo(eventId) := taken; 1 emitted $eventId & acknowledged $eventId; 120001

  ORD-FLO-03 before the deadline nothing is missing | taken; 120000 => open
  ORD-FLO-03 after it the read is | taken; 120001 => never a 0
  ORD-FLO-03 it was read | taken; 120000 read a CREATED; 120001 => passed
  ORD-FLO-03 it was read before | 0 created a & read a CREATED & acknowledged CREATED a; 120001 => passed
  ORD-FLO-03 another order was read | taken; 0 created b; 1 read b CREATED; 120001 => never a 0
  ORD-GEN-05 the GET failed | taken; 1 getOrder a 503; 120001 => "so the event will not come again; its GET failed and was not retried." a 0,1
  ORD-GEN-05 the GET was refused for good | taken; 1 getOrder a 404; 120001 => passed
  ORD-GEN-05 the GET was refused for good before | 0 created a & getOrder a 404 & acknowledged CREATED a; 120001 => passed
  ORD-GEN-05 a GET of another order failed | taken; 0 created b; 1 getOrder b 503; 120001 => never a 0
  ORD-FLO-03 the acknowledgment failed without effect | 0 created a & acknowledged CREATED a 503; 120001 => not-exercised
  ORD-FLO-03 it took effect, though its reply was lost | 0 created a & fact {"kind":"events.acknowledged","eventIds":["CREATED a"]} & acknowledged CREATED a
    0; 120001 => never a 0
  ORD-FLO-03 the deadline runs from the first acknowledgment | taken; 5 acknowledged CREATED a; 120001 => never a 0
  ORD-FLO-03 another event was acknowledged | 0 created a & emitted CONFIRMED a & acknowledged CONFIRMED a; 120001 => not-exercised
  AUT-MER-01 the order is of a merchant of another service | 0 created a merchant=loja-2 & acknowledged CREATED a; 120001 => not-exercised
  ORD-FLO-03 it is known to be cancelled | toldToo(CANCELLED a) => passed
  ORD-FLO-03 it is known to be concluded | toldToo(CONCLUDED a) => passed
  ORD-FLO-03 it is known to be confirmed | toldToo(CONFIRMED a) => never a 0
  ORD-FLO-03 a fault is in force | taken; 1 faultAdded; 120001 => open
`)
