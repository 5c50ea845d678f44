/**
 * A recording as somebody looks at it and steps through it: which exchanges it has, how far they have been played, what
 * came of each, and one of them whole, as it was and as it is now. All lists are windows.
 */
import type { OperationId } from '../protocol/catalogue.ts'
import type { Result } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import type { Comparator, Difference } from '../traffic/difference/difference.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { Standing } from '../traffic/recording/standing.ts'

/** What somebody wants to see of a recording. */
export interface PlaybackView {
  /** So many rows before this place and so many from it on; of what a filter leaves. */
  readonly rows?: { readonly around: number; readonly limit: number }
  /** As over traffic: `confirm`, `status>=400`, `from:SS`, `/regex/`; all words must hold. */
  readonly filter?: string
  /** As it was before the exchange at this place went out; now when absent. */
  readonly at?: number
  /** The orders that were spoken of until then, the last one first. */
  readonly orders?: { readonly limit: number; readonly offset?: number }
  /** What was said about this order until then, so many exchanges of it. */
  readonly lane?: { readonly orderId: string; readonly limit: number }
  /** One exchange whole, by its place. */
  readonly pair?: number
}

/** A recorded exchange in one line. Places go from 0, in the order in which requests began. */
export interface PlaybackRow {
  readonly place: number
  readonly seq: number
  /** Milliseconds since 1970, as it was recorded. */
  readonly startedAt: number
  readonly tookMs: number
  readonly from: Role
  readonly to: Role
  readonly operation?: OperationId
  /** What it was, in a few words: `confirmOrder`, `webhook CONFIRMED`. */
  readonly text: string
  /** 0 when nobody answered. */
  readonly status: number
  readonly orderId?: string
  readonly fault?: string
  /** What came of it when it was played; absent while it was not. */
  readonly standing?: Standing
  /** It is sent when its turn comes; the others were sent by the service itself, or are left out. */
  readonly sent: boolean
  /** A bookmark: its text, which may be empty. */
  readonly mark?: string
}

export interface PlaybackOrder {
  readonly orderId: string
  /** The last exchange about it, in a few words, and when that was. */
  readonly text: string
  readonly at: number
  readonly place: number
}

/** One exchange whole: as it was, and as it is now. */
export interface PlaybackPair {
  readonly row: PlaybackRow
  readonly recorded: Exchange
  /** What happened now, in the names and times of the recording. */
  readonly live?: Exchange
  readonly differences: readonly Difference[]
  /** One sentence, where the differences do not say it. */
  readonly because?: string
}

export interface PlaybackMark {
  readonly place: number
  readonly text: string
}

export interface PlaybackLook {
  /** The name of the file. */
  readonly recording: string
  readonly total: number
  /** Where it is sent to; absent where nothing is sent. */
  readonly target?: string
  /** Everything before this place is past. */
  readonly position: number
  /** The place that is shown: an earlier one where somebody looks back. */
  readonly at: number
  /** What goes out next. */
  readonly next?: number
  /** The instant of the recording at the place that is shown. */
  readonly now: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  /** The first that came out otherwise. */
  readonly first?: number
  /** The first of those that came out otherwise, for a line that shows where they are. */
  readonly trouble: readonly number[]
  readonly marks: readonly PlaybackMark[]
  readonly rows: readonly PlaybackRow[]
  /** How many the filter leaves, of those that it was tried on so far. */
  readonly passing: number
  /** How many it was tried on, while it is still being tried. */
  readonly tried?: number
  /** Why the filter will not do. */
  readonly problem?: string
  readonly orders: readonly PlaybackOrder[]
  readonly orderCount: number
  readonly lane: readonly PlaybackRow[]
  readonly pair?: PlaybackPair
  /** All of it was played. */
  readonly over: boolean
}

/** What one may look for in a recording. */
export type Sought = 'trouble' | 'mark' | 'fault'

/** Where a person wants to go: a number of an exchange, or a time of the recording. */
export type Seek =
  | { readonly kind: 'seq'; readonly seq: number }
  /** Milliseconds since 1970. */
  | { readonly kind: 'time'; readonly at: number }
  /** Milliseconds after its first exchange. */
  | { readonly kind: 'after'; readonly ms: number }
  /** A time of the day, UTC, in milliseconds after midnight: the next one after the place that is shown. */
  | { readonly kind: 'clock'; readonly ms: number }

/** What one may do with a recording beside playing it, which the clock and the agenda do. */
export interface PlaybackHand {
  /** The place that is meant; the error says why there is none. */
  seek(to: Seek): Promise<Result<number, string>>
  /** The next place of that kind before or after this one. */
  next(from: number, what: Sought, way: 1 | -1): Promise<number | undefined>
  /** Sets a bookmark, or takes it away; answers whether it is there now, or why it could not be kept. */
  bookmark(place: number, text?: string): Promise<Result<boolean, string>>
  /** Accepts a difference from now on, in all exchanges of the operation; answers the file that says so. */
  accept(
    place: number,
    difference: Difference,
    compare: Comparator,
  ): Promise<Result<string, string>>
}
