/** Query for a snapshot of a session: several windows, consistent at one moment. */
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { SessionEntityKind } from './entities.ts'
import type { MenuView } from './menu.ts'
import type { PlaybackView } from './playback.ts'

/**
 * Parts of the session to include; every list is a bounded window. `contains`: only rows with all of these words, in any order
 * and case.
 */
export interface View {
  readonly journal?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
    readonly contains?: string
    /** Only what concerns the user's service, without the bookkeeping of the agenda. */
    readonly mine?: boolean
  }
  readonly traffic?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
    /**
     * `confirm`, `status>=400`, `ord_1`, `mine`, `!idle`, `failed`, `from:SS`, `to:OA`, `/regex/`; separated by spaces,
     * all must match.
     */
    readonly filter?: string
  }
  readonly agenda?: {
    readonly limit: number
    readonly orderId?: string
    readonly background?: boolean
    /** Include what does not concern the user's service; by default yes. */
    readonly aside?: boolean
    /** Only items that are held. */
    readonly held?: true
    readonly contains?: string
  }
  readonly orders?: {
    readonly limit: number
    readonly offset?: number
    readonly status?: OrderStatus
    readonly contains?: string
  }
  readonly entities?: {
    readonly kind: SessionEntityKind
    readonly limit: number
    readonly offset?: number
    readonly status?: string
    readonly contains?: string
  }
  /** The order to include in full. */
  readonly orderId?: string
  /** The entity to include in full. */
  readonly entity?: { readonly kind: SessionEntityKind; readonly id: string }
  /** The exchange to include in full. */
  readonly exchange?: number
  /** The agenda item to include in full. */
  readonly item?: number
  /** Orders to include regardless of the list's window. */
  readonly pinned?: readonly string[]
  /** Include active and ended faults. */
  readonly faults?: true
  /** Include merchants and items of their menus. */
  readonly menu?: MenuView
  /** Include the rate of exchanges. */
  readonly rate?: true
  /** Include counts and levels for monitoring. */
  readonly metrics?: true
  /** Include verdicts. */
  readonly verdicts?: true
  /** Include operator actions. */
  readonly operatorActions?: true
  /** Explain this: an order by its id or its slot (`o2`), an event by its id, an exchange by `#17`. */
  readonly explain?: string
  /** Show agenda and orders as they were right after this fact. */
  readonly at?: number
  /** View of the recording; ignored by a session without one. */
  readonly playback?: PlaybackView
}
