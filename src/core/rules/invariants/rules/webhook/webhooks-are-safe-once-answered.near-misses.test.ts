/** Near misses of WH-1. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { webhooksAreSafeOnceAnswered } from './webhooks-are-safe-once-answered.ts'

nearMisses(webhooksAreSafeOnceAnswered)(`
  taken := 0 created a & webhook CREATED a

  ORD-OPS-03 it need not be read yet | taken; 120000 => open
  ORD-OPS-03 it was never read | taken; 120001
    => "answered the webhook of CREATED of o1 with 204, so the event will not come again; the service never read the order." a 0
  ORD-OPS-03 it was read | taken; 120000 read a CREATED; 120001 => passed
  ORD-GEN-05 its GET failed | taken; 1 getOrder a 503; 120001 => "its GET failed and was not retried" a 0,1
  ORD-OPS-03 the webhook was refused | 0 created a & webhook CREATED a 503; 120001 => not-exercised
  ORD-OPS-03 the webhook was of another event | 0 created a & emitted CONFIRMED a & webhook CONFIRMED a; 120001 => not-exercised
  AUT-GEN-02 the webhook was forged | 0 created a & webhook CREATED a fault="wrong-signature on ev(o1)"; 120001 => not-exercised
  ORD-OPS-02 the event was polled and acknowledged | 0 created a & polled CREATED a & acknowledged CREATED a; 120001 => not-exercised
  AUT-MER-01 the order is of a merchant of another service | 0 created a merchant=loja-2 & webhook CREATED a; 120001 => not-exercised
`)
