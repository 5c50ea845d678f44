/**
 * The mapping between identifiers of a recording and of a replay: ours are generated from the seed, those of the
 * subject are learned from its messages. Values are replaced only at known places; a mapping that is not one-to-one is
 * reported and never overwritten.
 */
import type { Result } from '../../protocol/result.ts'
import type { TimeShift } from '../entities/shift-times.ts'
import type { Exchange, ExchangeRequest } from '../exchange.ts'
import type { RecordedExchange } from './recorded-exchange.ts'
import type { Site } from './correlation.ts'

export interface RenamedIdentifier {
  readonly kind: string
  readonly old: string
  readonly new: string
  /** Where the live value was learned; absent for a generated or configured one. */
  readonly learned?: Site
}

export interface NameConflict {
  readonly kind: string
  readonly old: string
  readonly new: string
  /** The value that is already bound instead. */
  readonly against: string
  readonly at: Site
}

/** An identifier without a live value: the message cannot be sent. */
export interface UnresolvedName {
  readonly kind: string
  readonly old: string
  readonly site: Site
  /** One sentence: where it should have been learned. */
  readonly because: string
}

export interface IdentifierBinding {
  /**
   * The recorded request to send now: identifiers replaced, times shifted by `shift`. Without
   * authorization and signature, which the sender adds.
   */
  readonly request: (
    recorded: RecordedExchange,
    shift: TimeShift,
  ) => Result<ExchangeRequest, UnresolvedName>
  /** The recorded reply to send now, likewise; without `x-request-id` and `date`, which the server adds. */
  readonly reply: (
    recorded: RecordedExchange,
    shift: TimeShift,
  ) => Result<NonNullable<Exchange['reply']>, UnresolvedName>
  /** Learns live values from the live exchange that took the place of a recorded one; answers the conflicts. */
  readonly learn: (recorded: RecordedExchange, live: Exchange) => readonly NameConflict[]
  /**
   * A live exchange with recorded identifiers, times shifted back by `shift`. A request that was
   * prepared from `recorded` gets the recorded body.
   */
  readonly renamed: (live: Exchange, shift: TimeShift, recorded?: RecordedExchange) => Exchange
  /** The recorded value of a live one. */
  readonly oldName: (kind: string, live: string) => string | undefined
  readonly newName: (kind: string, old: string) => string | undefined
  /** Binds two values; a conflict when either is bound to another one already. */
  readonly bind: (kind: string, old: string, live: string, at: Site) => NameConflict | undefined
  readonly map: () => readonly RenamedIdentifier[]
  readonly conflicts: () => readonly NameConflict[]
}
