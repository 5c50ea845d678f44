/** Near misses of CV-13. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { failingOrderDelaysNoOther } from './failing-order-delays-no-other.ts'

nearMisses(failingOrderDelaysNoOther)(`
  orders := 0 created a, b
  three := orders; 0,1,2 getOrder a 503
  delayed(calls=4|last=02:00.000|how=is still CREATED 120 s) := "o2, which no fault touched, $how after it was created, while o1 fails ($calls failed calls
    in a row, the last at 15:$last)."
  # Its calls still fail when two minutes are nearly over.
  failing := three; 120000 getOrder a 503
  found := delayed b 120000

  ORD-GEN-05 two calls failed | orders; 0,1 getOrder a 503; 120001 => not-exercised
  ORD-GEN-05 three failed, of the only order | 0 created a; 0,1,2 getOrder a 503; 120001 => not-exercised
  ORD-GEN-05 three failed, and the other has time | three; 120000 => open
  ORD-GEN-05 three failed, and no more for two minutes | three; 120003 => passed
  ORD-GEN-05 three failed, and the other stands still | three; 120001 => delayed(3|00:00.002) b 2
  ORD-GEN-05 four failed, and the other has time | failing => open
  ORD-GEN-05 four failed, and the other stands still | failing; 120001 => found
  ORD-GEN-05 it is found at the next failure | three; 120001 getOrder a 503 & moved b DELIVERED => delayed(4|02:00.001) b 120001
  ORD-GEN-05 the other came to its end too late | three; 120000 getOrder a 503; 120001 moved b DELIVERED
    => delayed(4|02:00.000|reached its end only 120 s) b 120000
  ORD-GEN-05 the other came to its end in time | three; 120000 getOrder a 503 & moved b DELIVERED; 120001 => passed
  ORD-GEN-05 the other was cancelled in time | failing; 120000 moved b CANCELLED; 120001 => passed
  ORD-GEN-05 a call succeeded in between | orders; 0,1 getOrder a 503; 1 read a CREATED; 2,3 getOrder a 503; 120001 => not-exercised
  ORD-GEN-05 a call succeeded at last | failing; 120000 read a CREATED; 120001 => passed
  TRN-ERB-01 a call was refused in between | orders; 0,1 getOrder a 503; 1 getOrder a 404; 2,3 getOrder a 503; 120001 => not-exercised
  ORD-GEN-05 calls about both failed | orders; 0,1 getOrder a 503; 2 getOrder b 503; 120001 => not-exercised
  ORD-GEN-05 polls fail | orders; 0,1,2 pollingEvents 503; 120001 => not-exercised
  LOG-CON-03 calls fail whose body names the order | orders; 0,1,2 createDelivery a 503; 120001 => delayed(3|00:00.002) b 2
  ORD-GEN-05 the time begins with the failures | orders; 1000,1001,1002 getOrder a 503; 121000 => open
  ORD-GEN-05 the failures began long enough ago | orders; 1000,1001,1002 getOrder a 503; 121001 => delayed(3|00:01.002|is still CREATED 121 s) b 1002
  ORD-GEN-05 the other came later | 0 created a; 0,1,2 getOrder a 503; 5000 created b; 120000 getOrder a 503; 125000 => open
  ORD-GEN-05 the other came later, and stands still | 0 created a; 0,1,2 getOrder a 503; 5000 created b; 120000 getOrder a 503; 125001 => found
  TRN-STA-12 a fault touched the other | failing; 120000 faultFired req(getOrder,o2) orderId=b; 120001 => passed
  TRN-STA-12 a fault touched the failing one | three; 5000 faultFired req(getOrder,o1) orderId=a; 120000 getOrder a 503; 120001 => found
  TRN-STA-12 a fault touched a call about no order | three; 5000 faultFired req(pollingEvents); 120000 getOrder a 503; 125000 => open
  TRN-STA-12 a fault touched a call about no order, long enough ago | three; 5000 faultFired req(pollingEvents); 120000 getOrder a 503; 125001
    => delayed(4|02:00.000|is still CREATED 125 s) b 120000
  TRN-STA-10 a reply asked to wait before any call of its kind | orders; 0 getOrder a 429 retryAfter=30; 1,2,3,120000 getOrder a 503; 150000 => open
  TRN-STA-10 a reply asked to wait, long enough ago | orders; 0 getOrder a 429 retryAfter=30; 1,2,3,120000 getOrder a 503; 150001
    => delayed(5|02:00.000|is still CREATED 150 s) b 120000
  ORD-CAN-04 the cancellation of the other was asked for | failing; 120000 cancellationRequested b; 120001 getOrder a 503; 120001 => passed
  ORD-CAN-04 the cancellation of the other was granted late | three; 5000 cancellationRequested b; 120000 getOrder a 503; 120001 moved b CANCELLED => passed
  ORD-RUL-02 an accepted call about the other takes effect later | failing; 120000 planned order.apply b confirm; 120001 => passed
  ORD-RUL-02 the other waited for the host for a while | three; 5000 confirmOrder b; 6000 moved b CONFIRMED; 120000 getOrder a 503; 121000 => open
  ORD-RUL-02 the other waited for the host for a while, and stands still | three; 5000 confirmOrder b; 6000 moved b CONFIRMED; 120000 getOrder a 503; 121001
    => delayed(4|02:00.000|is still CONFIRMED 121 s) b 5000,120000
  ORD-RUL-02 the other waits for the host | three; 5000 confirmOrder b; 120000,120001 getOrder a 503; 120001 moved b CONFIRMED => open
  ORD-STA-01 the failing one came to its end | failing; 120000 moved a DELIVERED; 120001 => passed
  ORD-STA-01 both came to their ends | failing; 120000 moved a DELIVERED; 120001 moved b DELIVERED => passed
  AUT-MER-01 the other is of a merchant of another service | 0 created a & created b merchant=loja-2; 0,1,2 getOrder a 503; 120001 => not-exercised
  ORD-GEN-05 the event and the last call of the other are shown | 0 created a & known b; 1,2,3,120000 getOrder a 503; 120002 => delayed b 0,0,120000

  lag 100
  ORD-GEN-05 our lag may have delayed it | failing; 120200 => delayed b 120000 inconclusive
  ORD-GEN-05 it cannot have | failing; 120201 => found
`)
