/** Near misses of SE-11. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { ownOrdersOnly } from './own-orders-only.ts'

nearMisses(ownOrdersOnly)(`
  one := 01234567-89ab-cdef-0123-456789abcdef
  two := 11234567-89ab-cdef-0123-456789abcdef
  both := 0 created $one merchant=loja-1 & polled CREATED $one & created $two merchant=loja-1 & polled CREATED $two
  wrong(why|what=confirmed o1) := "The service $what at 15:00:00.100, but $why."
  unshown := wrong(no event or reply had shown that order to it)
  mixed(key) := "The service confirmed o1 at 15:00:00.100, but its X-Request-Id $key contains the id of another order, o2."

  ORD-GEN-03 a poll showed the order | both; 100 confirmOrder $one => passed
  ORD-GEN-03 a GET showed the order | 0 created $one & read $one CREATED; 100 confirmOrder $one => passed
  ORD-GEN-03 a webhook in flight shows it | 0 created $one & webhook CREATED $one took=200 [100 confirmOrder $one] => passed
  ORD-GEN-03 nothing did | 0 created $one; 100 confirmOrder $one => unshown $one 100
  ORD-GEN-03 only an event without a status did | 0 created $one & polled X_HINT $one; 100 confirmOrder $one => passed
  ORD-GEN-03 each order is reported once | 0 created $one, $two; 100,100 confirmOrder $one; 100 confirmOrder $two
    => unshown $one 100; wrong(no event or reply had shown that order to it|confirmed o2) $two 100
  ORD-GEN-03 an order of an earlier session | 100 confirmOrder x => passed
  ORD-GEN-03 an order named {undefined|null|NaN} | 100 confirmOrder $each
    => "The service confirmed order $each at 15:00:00.100, but there is no order $each." $each 100
  ORD-GEN-03 an order named [object Object] | 100 confirmOrder "[object Object]"
    => "The service confirmed order [object Object] at 15:00:00.100, but there is no order [object Object]." "[object Object]" 100
  AUT-MER-01 it belongs to a merchant that was not listed | 0 created $one merchant=loja-2 & polled CREATED $one; 50 listMerchants 200;
    100 confirmOrder $one
    => wrong(that order belongs to the merchant loja-2, which GET /merchants had not listed) $one 50,100
  AUT-MER-01 the merchants were never listed | 0 created $one merchant=loja-2 & polled CREATED $one; 100 confirmOrder $one => passed
  AUT-MER-01 the list could not be read | 0 created $one merchant=loja-2 & polled CREATED $one; 50 listMerchants 503; 100 confirmOrder $one => passed
  AUT-MER-01 it belongs to one that was | 0 created $one merchant=loja-1 & polled CREATED $one; 50 listMerchants 200; 100 confirmOrder $one => passed
  TRN-HDR-04 its id contains its own | both; 100 confirmOrder $one key=$one-confirm => passed
  TRN-HDR-04 its id contains that of another | both; 100 confirmOrder $one key=$two-confirm => mixed($two-confirm) $one 100
  TRN-HDR-04 of both the other is the mistake; the last call about it is shown | both; 10 read $two CREATED; 100 confirmOrder $one key=$one-$two
    => mixed($one-$two) $one 10,100
  TRN-HDR-04 its id is a number of its own | both; 100 confirmOrder $one key=21234567-89ab-cdef-0123-456789abcdef => passed
  TRN-HDR-04 its id contains no such number | both; 100 confirmOrder $one key=confirm-1 => passed
  TRN-HDR-04 a delivery is requested with the id of another order | both; 100 createDelivery $one key=$two
    => wrong(its X-Request-Id $two contains the id of another order, o2|requested a delivery for o1) $one 100
  ORD-GEN-03 only the merchants are asked for | 50 listMerchants 200 => not-exercised
`)
