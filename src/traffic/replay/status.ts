/** What came of one exchange of a recording when it was replayed, and of the replay as a whole. */
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { Conflict, Renamed } from '../correlation/binding.ts'
import type { Difference } from '../difference/difference.ts'
import type { Rung } from '../matching/match-strategy.ts'
import type { Standing } from '../recording/standing.ts'

export interface Replayed {
  readonly standing: Standing
  /** What the recording has; none for what is extra. */
  readonly recorded?: RecordedExchange
  /** What happened now, in the names of now. */
  readonly live?: Exchange
  /** The same in the names and times of the recording: what `differences` speak of. */
  readonly renamed?: Exchange
  readonly differences: readonly Difference[]
  /** One sentence, where the differences do not say it. */
  readonly because?: string
  /** How an answer was found in the recording, where we answered from it. */
  readonly rung?: Rung
  /** In milliseconds of the replay's clock: when it should have gone out, and when it did. */
  readonly intendedAt?: number
  readonly sentAt?: number
}

/** How well the intended times were kept; in milliseconds. */
export interface Timing {
  readonly sends: number
  readonly perSecond: number
  readonly lateness: { readonly p50: number; readonly p99: number; readonly most: number }
  /** From the intended start to the answer, so that waiting in line counts. */
  readonly latency: { readonly p50: number; readonly p99: number; readonly most: number }
  /** For how much of the time this process was at work itself, 0 to 1. */
  readonly busy?: number
  /** Set when the times cannot be trusted: whether the service or this machine was too slow, in a sentence. */
  readonly distrust?: string
}

export const drivers = ['server', 'client', 'both'] as const
/** Who is played from the recording: who answers, who sends, or our state machine by the partner's decisions. */
export type Driver = (typeof drivers)[number]

/** A sentence of ours that the subject broke. */
export interface Broken {
  readonly invariant: string
  readonly because: string
  readonly orderId?: string
}

export interface ReplayReport {
  /** The file, or a name. */
  readonly recording: string
  readonly driver: Driver
  readonly seed: number
  /** In the order of the recording; extra ones where they happened. */
  readonly exchanges: readonly Replayed[]
  /** Place in `exchanges` of the first that differs beyond noise. */
  readonly first?: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  readonly rungs: Readonly<Partial<Record<Rung, number>>>
  /** Exchanges of the recording that nobody asked for, by `recordId`. */
  readonly unused: readonly string[]
  readonly conflicts: readonly Conflict[]
  /** Old and new names, as they were learned. */
  readonly map: readonly Renamed[]
  readonly broken: readonly Broken[]
  readonly timing?: Timing
  /** Orders that had to be made up, by their recorded ids: the recording does not say what they were. */
  readonly guessed?: readonly string[]
  readonly interrupted?: boolean
}

/** What a failure is recognised by, so that a search for its cause does not slip to another one. */
export type Signature =
  | {
      readonly kind: 'difference'
      readonly operation: string
      readonly standing: Standing
      /** The place of the first difference, with list positions as `*`. */
      readonly where: string
      /** 2, 4, 5, or 0 without an answer. */
      readonly statusClass: number
    }
  | { readonly kind: 'invariant'; readonly name: string }
  | { readonly kind: 'answer'; readonly operation: string; readonly status: number }
