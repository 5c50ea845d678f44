/** What somebody who looks at a session wants to see of it: several windows at once, as they are at one moment. */
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { EntityKind } from './entities.ts'
import type { PlaybackView } from './playback.ts'

/** Which part of the session somebody wants to see; every list is a window with a bound. */
export interface View {
  readonly journal?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
  }
  readonly traffic?: {
    readonly limit: number
    readonly before?: number
    readonly after?: number
    readonly orderId?: string
    /** `confirm`, `status>=400`, `ord_1`, `!idle`, `from:SS`, `to:OA`, `/regex/`; several with spaces, all must hold. */
    readonly filter?: string
  }
  readonly agenda?: {
    readonly limit: number
    readonly orderId?: string
    readonly background?: boolean
  }
  readonly orders?: {
    readonly limit: number
    readonly offset?: number
    readonly status?: OrderStatus
  }
  readonly entities?: {
    readonly kind: EntityKind
    readonly limit: number
    readonly offset?: number
    readonly status?: string
  }
  /** The order to see whole. */
  readonly orderId?: string
  /** The account, delivery, customer … to see whole. */
  readonly entity?: { readonly kind: EntityKind; readonly id: string }
  /** The exchange to see whole. */
  readonly exchange?: number
  /** The item of the agenda to see whole. */
  readonly item?: number
  /** Orders to see in any case, whatever window the list has. */
  readonly pinned?: readonly string[]
  /** The faults in force, and those that are over. */
  readonly faults?: true
  /** What the invariants have come to. */
  readonly verdicts?: true
  /** What was done to this world by hand. */
  readonly deeds?: true
  /** Tell the story of this: an order by its id or its slot (`o2`), an event by its id, an exchange by `#17`. */
  readonly explain?: string
  /** See agenda and orders as they were right after this fact. */
  readonly at?: number
  /** See this of the recording that is played; a session that plays none has nothing of it. */
  readonly playback?: PlaybackView
}
