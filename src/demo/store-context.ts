/** Context that the components of the Software Service share. */
import type { OrderBook, Ticket } from './order-book.ts'
import type { Clock } from './clock.ts'
import type { DefectSwitch } from './defects.ts'
import type { Lifetime } from './lifetime.ts'
import type { DurableStore } from './durable-store.ts'
import type { Pace } from './pace.ts'
import type { Partner } from './partner.ts'

export interface StoreContext {
  readonly clock: Clock
  readonly life: Lifetime
  readonly pace: Pace
  readonly wrong: DefectSwitch
  readonly book: OrderBook
  readonly memory: DurableStore
  /** The Ordering Application. */
  readonly partner: Partner
  /** The order processed last: shared state that only defects use. */
  readonly desk: { current?: Ticket }
}
