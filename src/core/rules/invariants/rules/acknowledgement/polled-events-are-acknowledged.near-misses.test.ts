/** Near misses of AK-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { polledEventsAreAcknowledged } from './polled-events-are-acknowledged.ts'

nearMisses(polledEventsAreAcknowledged)(`
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
