/** Near misses of the rules EF-1 to EF-3. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'

nearMisses('EF-1')(`
  twice := 0 known a; 10 confirmOrder a; 20 moved a CONFIRMED & emitted CONFIRMED a; 30 polled CONFIRMED a; 40 polled CONFIRMED a
  found(kind=tickets|count=2|at=00.050|more=; CONFIRMED came twice) := "o1 has $kind: $count (counted at 15:00:$at), where 1 is right$more."

  ORD-EVR-03 an event came twice, and one was done | twice; 50 counted a tickets 1 => passed
  ORD-EVR-03 an event came twice, and two were done | twice; 50 counted a tickets 2 => found a 30,40
  ORD-EVR-03 the second comes later than the first count | twice; 50 counted a tickets 1; 60 counted a tickets 2 => found(_|_|00.060) a 30,40
  ORD-EVR-03 it is found once | twice; 50 counted a tickets 2; 60 counted a tickets 3 => found a 30,40
  ORD-EVR-03 each kind for itself | twice; 50 counted a tickets 1 & counted a rows 2 => found(rows) a 30,40
  ORD-EVR-03 none was done | twice; 50 counted a tickets 0 => not-exercised
  ORD-EVR-03 a kind that may repeat | twice; 50 counted a prints mayRepeat 2 => passed
  ORD-EVR-03 a webhook that the service failed came again
    | 0 known a; 10 confirmOrder a; 20 moved a CONFIRMED & emitted CONFIRMED a; 30 webhook CONFIRMED a 503; 40 webhook CONFIRMED a 204; 50 counted a tickets 2
    => found a 30,40
  ORD-EVR-06 a call was made again | 0 known a; 10 confirmOrder a 503; 20 confirmOrder a 202; 50 counted a tickets 2 => found(_|_|_|) a 10,20
  ORD-EVR-03 nothing came twice | 0 known a; 10 confirmOrder a; 50 counted a tickets 2 => found(_|_|_|) a 0,10
  ORD-STA-01 an operator opened it again | twice; 41 moved a DELIVERED; 42 moved a CONFIRMED forced; 50 counted a tickets 2 => passed
  ORD-STA-01 it was opened once, and three were done
    | twice; 41 moved a DELIVERED; 42 moved a CONFIRMED forced; 50 counted a tickets 3
    => "o1 has tickets: 3 (counted at 15:00:00.050), where 2 is right; CONFIRMED came twice." a 30,40
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2 & polled CREATED a; 50 counted a tickets 2 => not-exercised
  ORD-EVR-03 another order | twice; 45 created b; 50 counted b tickets 1 & counted a tickets 1 => passed
  ORD-EVR-03 an order that is not known | twice; 50 counted z tickets 2 => not-exercised
  ORD-EVR-03 they cannot be counted | twice; 50 counted a tickets => "subject.effects.tickets: it ended with 1" - none inconclusive
  ORD-EVR-03 they can be counted again | twice; 50 counted a tickets; 60 counted a tickets 1 => passed
  ORD-EVR-03 those of another order cannot | twice; 45 created b; 50 counted b tickets & counted a tickets 1
    => "subject.effects.tickets: it ended with 1" - none inconclusive
  lag 1000000
  ORD-EVR-03 we were late ourselves | twice; 50 counted a tickets 2 => found a 30,40
`)

nearMisses('EF-2')(`
  confirmed := 0 known a; 10 confirmOrder a; 20 moved a CONFIRMED
  lacks(counted=02:00.011|after=120 s) := "o1 has tickets: 0 (counted at 15:$counted), $after after the service confirmed it at 15:00:00.010."
  found := lacks a 0,10

  ORD-GEN-05 it has its effect | confirmed; 30 counted a tickets 1 => passed
  ORD-GEN-05 it has time | confirmed; 30 counted a tickets 0; 120010 counted a tickets 0 => open
  ORD-GEN-05 it never got it | confirmed; 120011 counted a tickets 0 => found
  ORD-GEN-05 it was counted too early to tell | confirmed; 30 counted a tickets 0; 300000 => open
  ORD-GEN-05 it got it later | confirmed; 30 counted a tickets 0; 120011 counted a tickets 1 => passed
  ORD-GEN-05 it had it, and its count is lost with the process | confirmed; 30 counted a tickets 1; 40 renewed; 120011 counted a tickets 0 => passed
  ORD-GEN-05 it never had it, and the process is new | confirmed; 40 renewed; 120011 counted a tickets 0 => found
  ORD-GEN-05 it was confirmed while it was counted | 0 known a; 5 counted a tickets 0; 10 confirmOrder a; 20 moved a CONFIRMED; 300000 => not-exercised
  ORD-GEN-05 each kind | confirmed; 120011 counted a rows 1 & counted a tickets 0 => found
  ORD-GEN-05 a kind that may repeat is due as well | confirmed; 120011 counted a tickets mayRepeat 0 => found
  ORD-GEN-05 a fault is in force | confirmed; 30 faultAdded; 120011 counted a tickets 0 => open
  ORD-GEN-05 its time begins with the end of the fault
    | confirmed; 30 faultAdded; 1000 faultRemoved; 121000 counted a tickets 0 => open
  ORD-GEN-05 nor had it one then | confirmed; 30 faultAdded; 1000 faultRemoved; 121001 counted a tickets 0 => lacks(02:01.001|121 s) a 0,10
  ORD-OPS-05 the confirmation failed | 0 known a; 10 confirmOrder a 503; 120011 counted a tickets 0 => not-exercised
  ORD-OPS-05 the confirmation was refused | 0 known a; 10 confirmOrder a 409; 120011 counted a tickets 0 => not-exercised
  ORD-OPS-05 it has not taken effect yet | 0 known a; 10 confirmOrder a; 120011 counted a tickets 0 => not-exercised
  ORD-CAN-04 the service refused it | 0 known a; 10 requestCancellation a; 20 cancellationRequested a; 120011 counted a tickets 0 => not-exercised
  ORD-CAN-04 the service asked to cancel it | confirmed; 30 requestCancellation a & cancellationRequested a; 120011 counted a tickets 0 => not-exercised
  ORD-CAN-06 that was denied | confirmed; 30 requestCancellation a & cancellationRequested a; 40 cancellationAnswered a deny; 120011 counted a tickets 0
    => lacks a 0,10,30
  ORD-CAN-01 it was cancelled | confirmed; 30 moved a CANCELLED; 120011 counted a tickets 0 => not-exercised
  ORD-CAN-01 it was cancelled after it was counted | confirmed; 120011 counted a tickets 0; 120012 moved a CANCELLED => passed
  ORD-STA-01 it was delivered | confirmed; 30 moved a DELIVERED; 120011 counted a tickets 0 => found
  AUT-MER-01 it is of a merchant of another service | 0 created a merchant=loja-2 & polled CREATED a; 10 confirmOrder a; 20 moved a CONFIRMED; 120011 counted a tickets 0
    => not-exercised
  ORD-GEN-05 they cannot be counted | confirmed; 120011 counted a tickets => "subject.effects.tickets: it ended with 1" - none inconclusive
  lag 100
  ORD-GEN-05 we may have been late | confirmed; 120200 counted a tickets 0 => lacks(02:00.200) a 0,10 inconclusive
`)

nearMisses('EF-3')(`
  # It was cancelled before the service heard of it.
  early := 0 created a; 10 moved a CANCELLED & emitted CANCELLED a; 20 polled CREATED a, CANCELLED a; 30 acknowledged CREATED a, CANCELLED a
  unread := "o1 has tickets: 1 (counted at 15:00:00.050), although it is cancelled and the service never read it open."
  # The service knew it open.
  late := 0 known a; 10 moved a CANCELLED & emitted CANCELLED a; 20 polled CANCELLED a; 30 acknowledged CANCELLED a
  grown := "o1 has tickets: 1 (counted at 15:00:20.000), and had 0 at 15:00:10.031, when the service had acknowledged CANCELLED (at 15:00:00.030)."

  ORD-CAN-02 it has none | early; 40 read a CANCELLED; 50 counted a tickets 0 => passed
  ORD-EVR-01 it has one | early; 40 read a CANCELLED; 50 counted a tickets 1 => unread a 20,30,40
  ORD-EVR-01 it has one, and never read the order | early; 50 counted a tickets 1 => unread a 20,30
  ORD-EVR-01 the GET failed | early; 40 getOrder a 503; 50 counted a tickets 1 => unread a 20,30
  ORD-EVR-01 the GET was answered without a status | early; 40 getOrder a 200 answer={}; 50 counted a tickets 1 => not-exercised
  ORD-EVR-01 a late answer showed it open | early; 35 read a CANCELLED; 34 read a CREATED took=6; 50 counted a tickets 1 => not-exercised
  ORD-CAN-02 a row of each order received | early; 50 counted a rows evenIfCancelled 1 => not-exercised
  ORD-CAN-02 it heard nothing of it | 0 created a; 10 moved a CANCELLED; 50 counted a tickets 0 => not-exercised
  ORD-CAN-02 it was read open, and has one | late; 50 counted a tickets 1 => not-exercised
  ORD-CAN-02 the cancellation crosses the confirmation | 0 known a; 10 moved a CANCELLED; 5 confirmOrder a took=10; 50 counted a tickets 1 => not-exercised
  ORD-CAN-02 it is not cancelled | 0 known a; 50 counted a tickets 1 => not-exercised
  ORD-CAN-02 it got one after it had none | late; 10031 counted a tickets 0; 20000 counted a tickets 1 => grown a 0,0,30
  ORD-CAN-02 it got one when it had just heard | late; 10030 counted a tickets 0; 20000 counted a tickets 1 => not-exercised
  ORD-CAN-02 it stays without | late; 10031 counted a tickets 0; 20000 counted a tickets 0 => passed
  ORD-CAN-02 it had one before and keeps it | late; 10031 counted a tickets 1; 20000 counted a tickets 1 => passed
  ORD-CAN-02 what it had is taken back | late; 10031 counted a tickets 1; 20000 counted a tickets 0 => passed
  ORD-CAN-02 the service never knew | 0 known a; 10 moved a CANCELLED; 10031 counted a tickets 0; 20000 counted a tickets 1 => not-exercised
  ORD-STA-01 an operator opened it again | early; 40 moved a CREATED forced; 45 moved a CANCELLED; 50 counted a tickets 1 => not-exercised
  AUT-MER-01 it is of a merchant of another service
    | 0 created a merchant=loja-2; 10 moved a CANCELLED; 20 polled CREATED a; 50 counted a tickets 1 => not-exercised
  ORD-CAN-02 they cannot be counted | early; 50 counted a tickets => "subject.effects.tickets: it ended with 1" - none inconclusive
  lag 100
  ORD-CAN-02 we may have been late | late; 10100 counted a tickets 0; 20000 counted a tickets 1 => not-exercised
`)
