/** Near misses of PO-2. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { pollsKeepTheirDistance } from './polls-keep-their-distance.ts'

nearMisses(pollsKeepTheirDistance)(`
  early(ms) := "The service polled again after $ms ms, and not for the first time; the minimum interval is 500 ms."

  TRN-STA-10 one poll | 0 polled => not-exercised
  TRN-STA-10 polls at the minimum interval | 0,+500x4 polled => passed
  TRN-STA-10 one of them comes early | 0,499 polled => passed
  TRN-STA-10 two do | 0,499,998 polled => early(499) - 0,499,998
  TRN-STA-10 the second of them within a minute of the first | 0,499,60000,60499 polled => early(499) - 0,499,60000,60499
  TRN-STA-10 the second of them later than that | 0,499,60001,60500 polled => passed
  TRN-STA-10 it is reported once a minute | 0,+100x3,59900,60000 polled => early(100) - 0,100,200; early(100) - 200,300,59900,60000
  AUT-TOK-04 after a 401 a poll may be repeated at once | 0,1,2 polled 401 => not-exercised
  TRN-STA-10 after a 503 it may not | 0,100,200 polled 503 => early(100) - 0,100,200
  TRN-STA-10 polls that overlap are as far apart as they began | 400 polled; 0 polled took=1000; 5000 polled; 4600 polled took=1000
    => early(400) - 400,0,5000,4600

  lag 100
  TRN-STA-10 both are early by more than our lag | 0,299,598 polled => early(299) - 0,299,598
  TRN-STA-10 one of both is not | 0,299,599 polled => early(300) - 0,299,599 inconclusive
  TRN-STA-10 the first of both is not | 0,300,599 polled => early(299) - 0,300,599 inconclusive
  TRN-STA-10 one that is beyond doubt counts for its minute | 0,200,500,10000,10200 polled
    => early(200) - 0,200,10000,10200; early(300) - 0,200,500 inconclusive
  TRN-STA-10 one that is beyond doubt takes the place of one that is not | 0,300,10000,10200,20000,20200 polled
    => early(200) - 10000,10200,20000,20200; early(200) - 0,300,10000,10200 inconclusive
`)
