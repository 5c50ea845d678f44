/**
 * The names of a recording and those of a replay: ours made anew from the seed, theirs learned from what they answer.
 * Substitution happens at learned places only; a name that breaks the one-to-one is reported and never overwritten.
 */
import type { Result } from '../../protocol/result.ts'
import type { Exchange, ExchangeRequest } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { Site } from './correlation.ts'

export interface Renamed {
  readonly kind: string
  readonly old: string
  readonly new: string
  /** Where the new name was learned; absent for what we made or configuration says. */
  readonly learned?: Site
}

export interface Conflict {
  readonly kind: string
  readonly old: string
  readonly new: string
  /** The other name that stands against it. */
  readonly against: string
  readonly at: Site
}

/** What cannot be sent because the new name of something is not known. */
export interface Unresolved {
  readonly kind: string
  readonly old: string
  readonly site: Site
  /** One sentence: where it should have been learned. */
  readonly because: string
}

export interface Binding {
  /**
   * A recorded request as it is to be sent now: names replaced at their places, times moved by `shiftMs`. Authorization
   * and signature are left out: who sends puts the current ones in.
   */
  readonly request: (
    recorded: RecordedExchange,
    shiftMs: number,
  ) => Result<ExchangeRequest, Unresolved>
  /** A recorded reply as it is to be given now, the same way; `x-request-id` and `date` are left to who answers. */
  readonly reply: (
    recorded: RecordedExchange,
    shiftMs: number,
  ) => Result<NonNullable<Exchange['reply']>, Unresolved>
  /** Learns new names from what happened in the place of a recorded exchange; answers what stands against others. */
  readonly learn: (recorded: RecordedExchange, live: Exchange) => readonly Conflict[]
  /**
   * A live exchange in the names of the recording, times moved back by `shiftMs`. Where its request is what `request`
   * made of `recorded`, that body is the recorded one.
   */
  readonly renamed: (live: Exchange, shiftMs: number, recorded?: RecordedExchange) => Exchange
  /** The recorded name behind a live one. */
  readonly oldName: (kind: string, live: string) => string | undefined
  readonly newName: (kind: string, old: string) => string | undefined
  /** Says that this is so; a conflict when another name is bound already. */
  readonly bind: (kind: string, old: string, live: string, at: Site) => Conflict | undefined
  readonly map: () => readonly Renamed[]
  readonly conflicts: () => readonly Conflict[]
}
