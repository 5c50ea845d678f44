/** Near misses of AK-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { unusedTypesAreAcknowledged } from './unused-types-are-acknowledged.ts'

nearMisses(unusedTypesAreAcknowledged)(`
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
