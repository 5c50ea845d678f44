/** Near misses of AK-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { createChance } from '../../../../engine/chance.ts'
import { newEventId } from '../../../../engine/event-id.ts'
import { onlyDeliveredIdsAreAcknowledged } from './only-delivered-ids-are-acknowledged.ts'

const earlierId = newEventId(createChance(1))
const upperId = earlierId.toUpperCase()
const otherDigit = `${earlierId.startsWith('0') ? '1' : '0'}${earlierId.slice(1)}`

nearMisses(onlyDeliveredIdsAreAcknowledged)(`
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
