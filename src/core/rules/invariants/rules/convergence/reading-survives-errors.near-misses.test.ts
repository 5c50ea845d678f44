/** Near misses of CV-4. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { readingSurvivesErrors } from './reading-survives-errors.ts'

nearMisses(readingSurvivesErrors)(`
  unread(was=answered 503) := "The service has not read o1 again since its GET at 15:00:01.000 was $was, 120 s ago; the order is CREATED."
  found := unread a 0,1000

  ORD-EVR-06 it need not be read again yet | 0 known a; 1000 getOrder a 503; 121000 => open
  ORD-EVR-06 it was not read again | 0 known a; 1000 getOrder a 503; 121001 => found
  ORD-EVR-06 its time begins at the end of the GET | 0 known a; 1000 getOrder a 503 took=1000; 122000 => open
  TRN-STA-12 a fault is in force | 0 known a; 1000 getOrder a 503; 2000 faultAdded; 121001 => open
  ORD-EVR-06 it was read again | 0 known a; 1000 getOrder a 503; 2000 read a CREATED; 121001 => passed
  ORD-EVR-06 a GET that had begun before was answered | 0 known a; 1000 getOrder a 503; 999 read a CREATED took=100; 121001 => found
  ORD-EVR-06 a GET that began with it was answered | 0 known a; 1000 getOrder a 503 & read a CREATED took=100; 121001 => passed
  ORD-EVR-06 another was read | 0 known a; 1000 getOrder a 503; 1500 created b; 2000 read b CREATED; 121001 => found
  ORD-EVR-01 the service went on | 0 known a; 1000 getOrder a 503; 2000 confirmOrder a; 121001 => passed
  ORD-EVR-01 the service went on, and that failed | 0 known a; 1000 getOrder a 503; 2000 confirmOrder a 503; 121001 => passed
  TRN-STA-12 it failed again | 0 known a; 1000 getOrder a 503; 2000 getOrder a 500; 122001 => /GET at 15:00:02.000 was answered 500, 120 s ago/ a 0,2000
  TRN-STA-12 no reply came | 0 known a; 1000 getOrder a 0; 121001 => unread(not answered (HUNG)) a 0,1000
  TRN-STA-12 a {404|401|429} is no answer | 0 known a; 1000 getOrder a $each; 121001 => unread(answered $each) a 0,1000
  TRN-ERB-01 a 403 is final | 0 known a; 1000 getOrder a 403; 121001 => not-exercised
  ORD-FLO-03 it was never read before | 0 created a; 1000 getOrder a 503; 121001 => not-exercised
  ORD-STA-01 it was over when the GET failed | 0 known a; 1 moved a DELIVERED; 1000 getOrder a 503; 121001 => not-exercised
  ORD-STA-01 it came to its end | 0 known a; 1000 getOrder a 503; 2000 moved a DELIVERED; 121001 => passed
  AUT-MER-01 it is of a merchant of another service | 0 known a merchant=loja-2; 1000 getOrder a 503; 121001 => passed
`)
