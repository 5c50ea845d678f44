/** Near misses of the rules AK-1 to AK-6. */
import { createChance } from '../../../../engine/chance.ts'
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { newEventId } from '../../../../engine/emitted-event.ts'

nearMisses('AK-1')(`
  one := 0 created a & polled CREATED a
  never := "Polls returned CREATED of o1 once, and the service never acknowledged it (event CREATED a)."

  ORD-OPS-02 before the deadline nothing is missing | one; 120000 => open
  ORD-OPS-02 after it the event is | one; 120001 => never a 0
  ORD-OPS-02 it was acknowledged | one; 120000 acknowledged CREATED a; 120001 => passed
  ORD-OPS-02 another event was acknowledged | one; 0 created b; 1 acknowledged CREATED b; 120001 => never a 0
  ORD-OPS-02 the first and the last poll are the evidence | one; 1,2 polled CREATED a; 120001 => "CREATED of o1 3 times, and" a 0,2
  ORD-OPS-02 of two events of an order each is reported | one; 1 emitted CONFIRMED a & polled CREATED a, CONFIRMED a; 120002
    => "Polls returned CREATED of o1 twice, and the service never acknowledged it" a 0,1; "CONFIRMED of o1 once" a 1
  ORD-FLO-03 a refused acknowledgment counts when no poll returns the event again | one; 1 acknowledged CREATED a 503; 120001 => passed
  ORD-FLO-03 a poll that began at the end of the acknowledgment returns it again | one; 1000 acknowledged CREATED a & polled CREATED a; 121001
    => "Polls returned CREATED of o1 once after it was acknowledged, and the service did not acknowledge it again" a 1000
  ORD-FLO-03 a poll that began before returned what was in flight | one; 1000 acknowledged CREATED a; 999 polled CREATED a took=500; 122001 => passed
  ORD-OPS-02 an event that was never emitted counts alike | 0,1 polled CREATED x; 120001 => "CREATED of order x twice, and the service never" x 0,1
  ORD-OPS-02 one that was never emitted is acknowledged | 0 polled CREATED x; 1000 acknowledged CREATED x; 120001 => passed
  ORD-OPS-02 one that was never emitted comes again while it is acknowledged | 0 polled CREATED x; 1000 acknowledged CREATED x;
    999 polled CREATED x took=500; 120001 => passed
  ORD-OPS-02 one that was never emitted comes again afterwards | 0 polled CREATED x; 1000 acknowledged CREATED x & polled CREATED x; 121001
    => "CREATED of order x once after it was acknowledged" x 1000
  ORD-OPS-02 an event without an order has no name of one | 0 pollingEvents 200 answer=[{"eventId":"e","eventType":"CREATED"}]; 120001
    => "Polls returned CREATED once, and" - 0
  ORD-OPS-02 an event without a status belongs to AK-2 | 0 created a & emitted PREPARATION_REQUESTED a & polled PREPARATION_REQUESTED a;
    120001 => not-exercised
  ORD-OPS-03 a webhook needs no acknowledgment | 0 created a & webhook CREATED a; 120001 => not-exercised
  ORD-OPS-02 until the end of all faults, and as long after it, nothing is missing | one; 1 faultAdded; 5000 faultRemoved; 125000 => open
  ORD-OPS-02 after that it is | one; 1 faultAdded; 5000 faultRemoved; 125001 => never a 0

  lag 100
  ORD-OPS-02 late by twice our lag | one; 120200 => never a 0 inconclusive
  ORD-OPS-02 late by more | one; 120201 => never a 0
`)

nearMisses('AK-2')(`
  polledOnce(eventId) := 0 created a & polled $eventId; 120001

  ORD-OPS-02 an event with a status belongs to AK-1 | polledOnce(CONFIRMED a) => not-exercised
  ORD-OPS-02 an event without a status | polledOnce(PREPARATION_REQUESTED a)
    => "returned PREPARATION_REQUESTED of o1, which reports no status, once, and" a 0
  ORD-OPS-02 one that only V1 has | polledOnce(PICKUP_AREA_ASSIGNED a) => "PICKUP_AREA_ASSIGNED of o1, which reports no status, once" a 0
  ORD-OPS-02 one of an unknown type | polledOnce(X_HINT a) => "X_HINT of o1, an unknown type, once" a 0
  ORD-OPS-02 one without a type | 0 created a & pollingEvents 200 answer=[{"eventId":"e","orderId":"a"}]; 120001
    => "an event without a type of o1, an unknown type, once" a 0
  ORD-OPS-02 it was acknowledged | 0 created a & polled X_HINT a; 1 acknowledged X_HINT a; 120001 => passed
`)

const earlierId = newEventId(createChance(1))
const upperId = earlierId.toUpperCase()
const otherDigit = `${earlierId.startsWith('0') ? '1' : '0'}${earlierId.slice(1)}`

nearMisses('AK-3')(`
  strange(id|status=202) := "acknowledged the id "$id", which no event sent to it has; it got a $status."
  # So many finished orders that the first of them are no longer tracked.
  many := 0,+0x4000 created old-$i & moved old-$i DELIVERED

  ORD-OPS-02 the id of an event, though no poll showed it | 0 created a & acknowledged CREATED a => passed
  ORD-OPS-02 an id in another case, reported once | 0 created a; 0,1 acknowledged created a => strange(created a) - 0
  ORD-OPS-02 each of two ids, whatever the reply | 0 created a & acknowledged a, CREATED a, b 400 => strange(a|400) - 0; strange(b|400) - 0
  ORD-OPS-02 an id that a fault invented and a poll showed | 0 polled X_HINT x; 1 acknowledged X_HINT x => passed
  ORD-OPS-02 an id that a poll shows afterwards | 0 acknowledged X_HINT x; 1 polled X_HINT x => strange(X_HINT x) - 0
  ORD-OPS-02 no id at all | 0 acknowledged => not-exercised
  ORD-OPS-02 an event that is no longer tracked, and the host still has | many; 1 acknowledged CREATED old-0 => passed
  ORD-OPS-02 one that the host never had, where some are no longer tracked | many; 1 acknowledged CREATED x => strange(CREATED x) - 1
  ORD-OPS-02 an event of an earlier session | 0 created a; 1 acknowledged ${earlierId} => passed
  ORD-OPS-02 one of an earlier session, and another that differs in one digit or in case | 0 created a;
    1 acknowledged ${earlierId}, ${otherDigit}, ${upperId} => strange(${otherDigit}) - 1; strange(${upperId}) - 1
`)

nearMisses('AK-4')(`
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

nearMisses('AK-5')(`
  third := "A poll returned CREATED of o1 for the third time, 2 s after the first, and"
  # Ended at 5 s; its effects may last 10 s longer.
  fault := 0 faultAdded; 5000 faultRemoved

  ORD-OPS-02 two polls return it | 0 created a; 0,1000 polled CREATED a => passed
  ORD-OPS-02 a third does | 0 created a; 0,1000,2000 polled CREATED a => third a 0,2000
  ORD-OPS-02 it is reported once for each event | 0 created a, b; 0,+1000x3 polled CREATED a, CREATED b
    => third a 0,2000; "CREATED of o2 for the third time" b 0,2000
  ORD-OPS-02 it was acknowledged in between | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED a; 2000,3000 polled CREATED a => passed
  ORD-OPS-02 another event was acknowledged in between | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED b;
    2000 polled CREATED a => third a 0,2000
  ORD-OPS-02 its process died in between | 0 created a; 0,1000 polled CREATED a; 1500 died; 2500 renewed; 3000,4000 polled CREATED a => passed
  ORD-OPS-02 an acknowledgment failed in between | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED b 503;
    2000,3000,4000 polled CREATED a => passed
  ORD-OPS-02 after a failed and an accepted acknowledgment the count begins anew | 0 created a; 0,1000 polled CREATED a; 1500 acknowledged CREATED b 503;
    2000 polled CREATED a; 2500 acknowledged CREATED b; 3000,4000,5000 polled CREATED a => third a 3000,5000
  ORD-OPS-02 a webhook is no poll | 0 created a; 0,1000 polled CREATED a; 2000 webhook CREATED a => passed
  ORD-OPS-02 no poll returned it | 0 created a & webhook CREATED a => not-exercised
  ORD-OPS-02 a poll returns another event | 0 created a; 0,1000 polled CREATED a; 2000 polled CREATED b => passed
  ORD-OPS-02 an event of no order | 0,1000,2000 pollingEvents 200 answer=[{"eventId":"e","eventType":"CREATED"}]
    => "A poll returned CREATED for the third time" - 0,2000
  ORD-OPS-02 faults were active | 0 created a; fault; 12999,13999,14999 polled CREATED a => not-exercised
  ORD-OPS-02 faults were active at the first poll | 0 created a; fault; 14999,15999,16999 polled CREATED a => passed
  ORD-OPS-02 faults were over at the first poll | 0 created a; fault; 15000,16000,17000 polled CREATED a => third a 15000,17000
  ORD-OPS-02 faults were active between the polls | 0 created a; 0,1000 polled CREATED a; 1500 faultAdded; 1600 faultRemoved;
    20000 polled CREATED a => passed

  lag 100
  ORD-OPS-02 the acknowledgment may have been under way | 0 created a; 0,1800,2000 polled CREATED a => third a 0,2000 inconclusive
  ORD-OPS-02 there was time for it | 0 created a; 0,1799,2000 polled CREATED a => third a 0,2000
`)

nearMisses('AK-6')(`
  isMany := "acknowledged 1001 events at once; 1 to 1000 are allowed"

  ORD-OPS-02 one id is few enough | 0 acknowledged CREATED {0..0} => passed
  ORD-OPS-02 1,000 ids are few enough | 0 acknowledged CREATED {0..999} => passed
  ORD-OPS-02 1,001 ids are too many | 0 acknowledged CREATED {0..1000} => isMany - 0
  ORD-OPS-02 no id is too few, whether or not it was refused, and each mistake is reported once | 0,1 acknowledged 400;
    2,3 acknowledged CREATED {0..1000} 400
    => "acknowledged no event at all" - 0; isMany - 2
  ORD-OPS-02 a body that is no list names no number of events | 0 acknowledgeEvents 400 body={"eventIds":"CREATED a"} => not-exercised
`)
