/** Near misses of PO-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { poisonStopsNothing } from './poison-stops-nothing.ts'

nearMisses(poisonStopsNothing)(`
  orders := 0 created a, b
  behind(poison) := "CREATED of o2 came behind $poison in a poll, and the service never acknowledged it."
  stopped(poison|ago) := "The service has not polled again since a poll returned $poison, $ago s ago."
  # It polls again, and nothing more.
  goesOn := 1 polled

  ORD-OPS-02 an event behind it has until the deadline | orders; 0 polled X_HINT a, CREATED b; goesOn; 120000 => open
  ORD-OPS-02 it was not acknowledged by then | orders; 0 polled X_HINT a, CREATED b; goesOn; 120001 => behind(X_HINT) b 0
  ORD-OPS-02 it was acknowledged, even if the acknowledgment failed | orders; 0 polled X_HINT a, CREATED b; goesOn; 2 acknowledged CREATED b 503;
    120001 => passed
  ORD-OPS-02 another was acknowledged | orders; 0 polled X_HINT a, CREATED b, CREATED a; goesOn; 2 acknowledged CREATED a; 120001 => behind(X_HINT) b 0
  ORD-OPS-02 an event before it is not stopped by it | orders; 0 polled CREATED b, X_HINT a; goesOn; 120001 => passed
  ORD-OPS-02 an event of the next poll is not behind it | orders; 0 polled X_HINT a; 1 polled CREATED b; goesOn; 120001 => passed
  ORD-OPS-02 an event that was named before comes again | orders; 0 acknowledged CREATED b 503; 1 polled X_HINT a, CREATED b; 2 polled; 120001 => passed
  ORD-OPS-02 the first poison and the first poll of it are named | orders; 0 polled X_HINT a, X_OTHER a, CREATED b; 1 polled X_OTHER a, CREATED b; 2 polled;
    120001 => behind(X_HINT) b 0
  ORD-OPS-02 an event without an order is poison, and one without a type | orders;
    0 pollingEvents 200 answer=[{"eventId":"e","eventType":"CONFIRMED"},{"eventId":"f","orderId":"a"},{"eventId":"CREATED
    b","eventType":"CREATED","orderId":"b"}]; 1 polled; 120001
    => behind(CONFIRMED) b 0
  ORD-OPS-02 one without a type has no name | orders; 0 pollingEvents 200 answer=[{"eventId":"f","orderId":"a"}]; 120001
    => stopped(an event without a type|120) - 0
  ORD-OPS-02 an event that only V1 has is no poison | orders; 0 polled PICKUP_AREA_ASSIGNED a, CREATED b; 120001 => not-exercised
  ORD-OPS-03 a webhook stops no others | orders; 0 emitted X_HINT a & webhook X_HINT a; 120001 => not-exercised
  ORD-OPS-01 the next poll is not due yet | orders; 0 polled X_HINT a; 10000 => passed
  ORD-OPS-01 it is | orders; 0 polled X_HINT a; 10001 => open
  ORD-OPS-01 it is, at the deadline | orders; 0 polled X_HINT a; 120000 => open
  ORD-OPS-01 it never came | orders; 0 polled X_HINT a; 120001 => stopped(X_HINT|120) - 0
  ORD-OPS-01 a fault is in force | orders; 0 polled X_HINT a; 1 faultAdded; 120001 => open
  ORD-OPS-01 it came | orders; 0 polled X_HINT a & polled; 120001 => passed
  ORD-OPS-01 only one that had begun before came | orders; 1 polled X_HINT a took=10; 10 polled took=5; 120012 => stopped(X_HINT|120) - 1
  ORD-OPS-01 an acknowledgment is no poll | orders; 0 polled X_HINT a; 1 acknowledged X_HINT a; 120001 => stopped(X_HINT|120) - 0
`)
