/** Near misses of AK-6. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { acknowledgmentsNameOneToAThousand } from './acknowledgments-name-one-to-a-thousand.ts'

nearMisses(acknowledgmentsNameOneToAThousand)(`
  isMany := "acknowledged 1001 events at once; 1 to 1000 are allowed"

  ORD-OPS-02 one id is few enough | 0 acknowledged CREATED {0..0} => passed
  ORD-OPS-02 1,000 ids are few enough | 0 acknowledged CREATED {0..999} => passed
  ORD-OPS-02 1,001 ids are too many | 0 acknowledged CREATED {0..1000} => isMany - 0
  ORD-OPS-02 no id is too few, whether or not it was refused, and each mistake is reported once | 0,1 acknowledged 400;
    2,3 acknowledged CREATED {0..1000} 400
    => "acknowledged no event at all" - 0; isMany - 2
  ORD-OPS-02 a body that is no list names no number of events | 0 acknowledgeEvents 400 body={"eventIds":"CREATED a"} => not-exercised
`)
