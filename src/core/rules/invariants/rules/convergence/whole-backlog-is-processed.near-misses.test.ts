/** Near misses of CV-10. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { wholeBacklogIsProcessed } from './whole-backlog-is-processed.ts'

nearMisses(wholeBacklogIsProcessed)(`
  dropped(type=CREATED) := "The service did not process $type of o1, which came in a poll with more than 20 events or right after one (at 15:00:00.100): in
    the 120 s since it has neither read the order nor made the next call about it."
  found := dropped a 100

  ORD-OPS-01 it came among twenty | 0 created a, b; 100 polled CREATED a, X_HINT x#{0..18}; 120101 => not-exercised
  ORD-OPS-01 it came among more | 0 created a, b; 100 polled CREATED a, X_HINT x#{0..19}; 120101 => found
  ORD-OPS-01 it came among more, and there is time | 0 created a, b; 100 polled CREATED a, X_HINT x#{0..19}; 120100 => open
  ORD-FLO-03 the order was read | 0 created a, b; 100 polled CREATED a, X_HINT x#{0..19}; 101 read a CREATED; 120101 => passed
  ORD-FLO-03 the order was read before | 0 created a, b; 100 polled CREATED a & read a CREATED & polled CREATED a, X_HINT x#{0..19}; 120101 => not-exercised
  ORD-FLO-03 it was read since it was emitted | 0 created a; 100 read a CREATED & polled CREATED a, X_HINT x#{0..19}; 120101 => passed
  ORD-FLO-03 another was read | 0 created a, b; 100 polled CREATED a, X_HINT x#{0..19}; 101 read b CREATED; 120101 => found
  ORD-FLO-03 the next call was made | 0 created a, b; 100 polled CREATED a, X_HINT x#{0..19}; 101 confirmOrder a; 120101 => passed
  ORD-OPS-01 it came in the next poll | 0 created a; 90 polled X_HINT x#{0..20}; 100 polled CREATED a; 120101 => found
  ORD-OPS-01 it came in the one after that | 0 created a; 90 polled X_HINT x#{0..20}; 95 polled; 100 polled CREATED a; 120101 => not-exercised
  ORD-OPS-01 a failed poll is none | 0 created a; 90 polled X_HINT x#{0..20}; 95 polled 503; 100 polled CREATED a; 120101 => found
  ORD-OPS-01 another call is none | 0 created a; 90 polled X_HINT x#{0..20}; 95 read b CREATED; 100 polled CREATED a; 120101 => found
  ORD-OPS-03 it came by webhook then | 0 created a; 90 polled X_HINT x#{0..20}; 100 webhook CREATED a; 120101 => not-exercised
  ORD-EVR-03 it came for the second time | 0 created a, b; 100 polled CREATED a & polled CREATED a, X_HINT x#{0..19}; 120101 => not-exercised
  ORD-OPS-01 it has no status | 0 created a & emitted ITEM_CANCELLED a; 100 polled ITEM_CANCELLED a, X_HINT x#{0..19}; 120101 => not-exercised
  ORD-OPS-01 it tells of the end | 0 created a & emitted CANCELLED a; 100 polled CANCELLED a, X_HINT x#{0..19}; 120101 => passed
  ORD-OPS-01 it tells of a status | 0 created a & emitted CONFIRMED a; 100 polled CONFIRMED a, X_HINT x#{0..19}; 120101 => dropped(CONFIRMED) a 100
  ORD-OPS-01 it was never emitted | 0 created a; 100 polled CONFIRMED a, X_HINT x#{0..19}; 120101 => not-exercised
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2; 100 polled CREATED a, X_HINT x#{0..19}; 120101 => not-exercised
`)
