/**
 * Views of a recording and its playback: exchanges, position, status of each, and one exchange in full with its live
 * counterpart. All lists are windows.
 */
import type { OperationId } from '../protocol/catalogue.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Result } from '../protocol/result.ts'
import type { Role } from '../protocol/role.ts'
import type { Comparator, Difference } from '../traffic/recording/difference.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { FailureCounts } from '../traffic/recording/failure-comparison.ts'
import type { Standing } from '../traffic/recording/standing.ts'

/** Query for a view of a recording. */
export interface PlaybackView {
  /** `limit` rows before the place `around` and `limit` from it on, after filtering. */
  readonly rows?: {
    readonly around: number
    readonly limit: number
    /** Include polls without events; by default yes. */
    readonly idle?: boolean
  }
  /** Same syntax as the traffic filter: `confirm`, `status>=400`, `from:SS`, `/regex/`; all words must match. */
  readonly filter?: string
  /** State before the exchange at this place was sent; the current state when absent. */
  readonly at?: number
  /** The exchange that is looked at: `orders` and `lane` go up to it, and include it. */
  readonly looked?: number
  /** Orders mentioned up to that place, the latest first. */
  readonly orders?: { readonly limit: number; readonly offset?: number }
  /** The last `limit` exchanges of this order up to that place. */
  readonly lane?: { readonly orderId: string; readonly limit: number }
  /** The place of one exchange to show in full. */
  readonly pair?: number
}

/** Summary of a recorded exchange. A place is its index from 0, in the order in which requests began. */
export interface PlaybackViewRow {
  readonly place: number
  readonly seq: number
  /** Time of the recorded session, in milliseconds since 1970. */
  readonly startedAt: number
  /** On the wall clock. */
  readonly tookMs: number
  readonly from: Role
  readonly to: Role
  readonly operation?: OperationId
  /** Short text: `confirmOrder`, `webhook CONFIRMED`. */
  readonly text: string
  /** 0 when there was no reply. */
  readonly status: number
  readonly orderId?: string
  readonly fault?: string
  /** Result when it was played; absent before. */
  readonly standing?: Standing
  /** Whether playback sends it; the others were sent by the service itself, or are filtered out. */
  readonly sent: boolean
  /** It is not played as it was recorded. */
  readonly edited?: true
  /** Text of its bookmark, possibly empty. */
  readonly mark?: string
}

export interface PlaybackOrder {
  readonly orderId: string
  /** Its status there, as far as events and documents tell it. */
  readonly status?: OrderStatus
  /** Short text of its last exchange, and when that was. */
  readonly text: string
  readonly at: number
  readonly place: number
}

/** One exchange in full: recorded and live. */
export interface PlaybackPair {
  readonly row: PlaybackViewRow
  readonly recorded: Exchange
  /** The live exchange, with ids and times mapped back to those of the recording. */
  readonly live?: Exchange
  readonly differences: readonly Difference[]
  /** What was edited, one text each. */
  readonly edits: readonly string[]
  /** Reason in one sentence, when the differences do not show it. */
  readonly because?: string
}

export interface PlaybackMark {
  readonly place: number
  readonly text: string
}

export interface PlaybackSnapshot {
  /** The name of the file. */
  readonly recording: string
  /** Number of exchanges, as far as the recording has been read. */
  readonly total: number
  /** It is still being read. */
  readonly growing?: true
  /** Target of the playback; absent when nothing is sent. */
  readonly target?: string
  /** Next place to play: everything before it was played. */
  readonly position: number
  /** The place that is shown; earlier than `position` when looking back. */
  readonly at: number
  /** The next place that will be sent. */
  readonly next?: number
  /** Recording time at the place that is shown, ms since 1970. */
  readonly now: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  /** What became of the failures of the recording so far. */
  readonly failures: FailureCounts
  /** The first place whose result differs. */
  readonly first?: number
  /** The first places whose results differ, for the timeline. */
  readonly trouble: readonly number[]
  readonly marks: readonly PlaybackMark[]
  readonly rows: readonly PlaybackViewRow[]
  /** Number of matches so far. */
  readonly passing: number
  /** Number of exchanges filtered so far; absent when filtering is done. */
  readonly tried?: number
  /** Why the filter is invalid. */
  readonly problem?: string
  readonly orders: readonly PlaybackOrder[]
  readonly orderCount: number
  /** Place of the order of `lane` among those orders, the latest at 0; absent when it is not there. */
  readonly orderPlace?: number
  readonly lane: readonly PlaybackViewRow[]
  readonly pair?: PlaybackPair
  /** Number of exchanges that were edited in this playback. */
  readonly edits: number
  /** Whether playback has finished. */
  readonly over: boolean
}

/** What can be searched for in a recording. */
export type PlaybackSearchKind = 'trouble' | 'mark' | 'fault'

/** Seek target: the sequence number of an exchange, or a recording time. */
export type SeekTarget =
  | { readonly kind: 'seq'; readonly seq: number }
  /** Milliseconds since 1970. */
  | { readonly kind: 'time'; readonly at: number }
  /** Milliseconds after the first exchange. */
  | { readonly kind: 'after'; readonly ms: number }
  /** A time of day, UTC, in ms after midnight: its next occurrence after the place that is shown. */
  | { readonly kind: 'clock'; readonly ms: number }

/** A message that we play, as a text for an editor. */
export interface PlaybackDocument {
  /** A name for its file. */
  readonly name: string
  readonly text: string
  /** We send it; else it is an answer that your service gets. */
  readonly isSent: boolean
}

/** The exchange whose edit was undone or redone. */
export interface EditTurn {
  readonly place: number
  readonly seq: number
}

/** Actions that change what is played. */
export interface PlaybackEditActions {
  /** The message of this exchange that we play, with its edits; the error says why there is none. */
  document(place: number): Promise<Result<PlaybackDocument, string>>
  /** Takes the changed text of that message; returns its edits, or undefined when nothing was changed. */
  edit(place: number, text: string): Promise<Result<readonly string[] | undefined, string>>
  /** Undoes or redoes the last edit of an exchange; undefined when there is none. */
  turnEdit(direction: 'undo' | 'redo'): Promise<EditTurn | undefined>
  /** Sends the exchange now, apart from what is planned; returns its number. */
  sendAlone(place: number): Promise<Result<number, string>>
  /** Leaves out what comes before this exchange; returns its number, and how many were left out. */
  goOnFrom(
    place: number,
  ): Promise<Result<{ readonly seq: number; readonly leftOut: number }, string>>
}

/** Actions on a recording other than playing, which the clock and the agenda control. */
export interface PlaybackActions extends PlaybackEditActions {
  /** Resolves a seek target to a place; the error says why there is none. */
  seek(to: SeekTarget): Promise<Result<number, string>>
  /** The next match before (-1) or after (1) this place. */
  next(from: number, what: PlaybackSearchKind, direction: 1 | -1): Promise<number | undefined>
  /** Toggles a bookmark; returns whether it is set now, or why it could not be saved. */
  bookmark(place: number, text?: string): Promise<Result<boolean, string>>
  /** Accepts a difference in all exchanges of the operation; returns the path of the rule file. */
  accept(
    place: number,
    difference: Difference,
    compare: Comparator,
  ): Promise<Result<string, string>>
}
