/** Near misses of SE-7. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { readsBeforeItActs } from './reads-before-it-acts.ts'

nearMisses(readsBeforeItActs)(`
  orders := 0 created a, b
  unread(heard=) := "The service confirmed o1 at 15:00:00.100 without reading it first: no GET of it had been answered 200 by then.$heard"

  ORD-FLO-03 it was read | orders; 0 read a CREATED took=100; 100 confirmOrder a => passed
  ORD-FLO-03 it was not | orders; 100 confirmOrder a => unread a 100
  ORD-FLO-03 another was | orders; 0 read b CREATED; 100 confirmOrder a => unread a 100
  ORD-FLO-03 the GET failed | orders; 0 getOrder a 503; 100 confirmOrder a => unread a 100
  ORD-FLO-03 the GET was answered after the call had begun | orders; 0 read a CREATED took=101; 100 confirmOrder a took=1 => unread a 100
  ORD-GEN-03 only an event of it had come | orders; 50 polled CREATED a; 100 confirmOrder a
    => unread( It had only received CREATED (at 15:00:00.050).) a 50,100
  ORD-FLO-03 only the first call counts | orders; 0 read a CREATED; 100 confirmOrder a; 200 createDelivery a => passed
  ORD-FLO-03 it is reported once | orders; 100,200 confirmOrder a => unread a 100
  ORD-FLO-03 the first call requested a delivery | orders; 100 createDelivery a => "The service requested a delivery for o1 at 15:00:00.100 without" a 100
  ORD-FLO-03 an unknown order | 0 confirmOrder x => not-exercised

  lag 100
  ORD-FLO-03 it may have been read before | orders; 0 read a CREATED took=300; 100 confirmOrder a took=300 => unread a 100 inconclusive
  ORD-FLO-03 it was not yet | orders; 0 read a CREATED took=301; 100 confirmOrder a took=300 => unread a 100
  ORD-FLO-03 it never was | orders; 100 confirmOrder a took=300 => unread a 100
`)
