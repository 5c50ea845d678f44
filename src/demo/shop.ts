/** Context that the components of the Software Service share. */
import type { Book, Ticket } from './book.ts'
import type { Clock } from './clock.ts'
import type { Wrong } from './defects.ts'
import type { Life } from './life.ts'
import type { Memory } from './memory.ts'
import type { Pace } from './pace.ts'
import type { Partner } from './partner.ts'

export interface Shop {
  readonly clock: Clock
  readonly life: Life
  readonly pace: Pace
  readonly wrong: Wrong
  readonly book: Book
  readonly memory: Memory
  /** The Ordering Application. */
  readonly partner: Partner
  /** The order processed last: shared state that only defects use. */
  readonly desk: { current?: Ticket }
}
