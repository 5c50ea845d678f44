/** Near misses of RC-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { readsDoNotStorm } from './reads-do-not-storm.ts'

nearMisses(readsDoNotStorm)(`
  orders := 0 created a, b
  often := "The service read o1 9 times within 3 s, each time with success."

  ORD-OPS-04 one read | orders; 0 read a CREATED => not-exercised
  ORD-OPS-04 eight reads at once | orders; 0,+0x7 read a CREATED => passed
  ORD-OPS-04 nine in three seconds | orders; 0,+375x8 read a CREATED => passed
  ORD-OPS-04 nine in less | orders; 0,+374x8 read a CREATED => often a 0,+374x8
  ORD-OPS-04 more is reported once for each order | orders; 0,+374x11 read a CREATED => often a 0,+374x8
  ORD-OPS-04 of two orders | orders; 0,+0x7 read a CREATED; 0,+0x7 read b CREATED => passed
  ORD-OPS-04 that fail | orders; 0,+0x19 read a CREATED 503 => not-exercised
  ORD-OPS-04 nine with a webhook in that time | orders; 0 webhook CREATED a; 0,+374x8 read a CREATED => passed
  ORD-OPS-04 nine with a webhook before | orders; 0 webhook CREATED a; 1,+374x8 read a CREATED => often a 1,+374x8
  ORD-OPS-04 nine with a webhook about another order | orders; 0 webhook CREATED b; 0,+374x8 read a CREATED => often a 0,+374x8
  ORD-OPS-04 ten with a webhook | orders; 0 webhook CREATED a; 0,+300x9 read a CREATED
    => "o1 10 times within 2.7 s, each time with success, while one webhook about it arrived in that time." a 0,+300x9
  ORD-OPS-04 eleven with two | orders; 0,0 webhook CREATED a; 0,+100x10 read a CREATED
    => "o1 11 times within 1 s, each time with success, while 2 webhooks about" a 0,+100x10
  TRN-STA-10 of one account | 0,+374x8 getAccount 200 query=?identifier=12 => "The service read getAccount 9 times within 3 s" - 0,+374x8
  TRN-STA-10 of two accounts | 0,+0x7 getAccount 200 query=?identifier=12; 0,+0x7 getAccount 200 query=?identifier=13 => passed

  lag 100
  ORD-OPS-04 in less than our lag may explain | orders; 0,+349x8 read a CREATED => "o1 9 times" a 0,+349x8
  ORD-OPS-04 in as much less as it may | orders; 0,+350x8 read a CREATED => "o1 9 times" a 0,+350x8 inconclusive
`)
