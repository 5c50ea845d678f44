/**
 * A recorded exchange that is to be played again, as far as the engine has to know it: what it came of, when it was, and
 * a few words for whoever looks at the agenda. The exchange itself stays where it is: with whoever holds the recording.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

/** The event that an exchange hands over, as faults go by it. */
export interface PlayedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly from: Role
  readonly merchantId?: string
}

/** What an item, a fact and a row all say of an exchange. */
export interface Played {
  readonly recordId: string
  /** Its place in the recording, from 0: how it is found again. */
  readonly place: number
  /** In a few words: `POST webhook CONFIRMED o1`. */
  readonly label: string
  readonly orderId?: string
  readonly operation?: OperationId
  readonly event?: PlayedEvent
}

/** Something in this playback that must have come to its end first, and how long after that its effect came. */
export interface PlayedCause {
  readonly recordId: string
  readonly thinkMs: number
}

export interface PlaybackRow extends Played {
  /** When it is due by the clock of the playback: milliseconds after its beginning. */
  readonly atMs: number
  /** What of the same playback it comes of, and is not over yet. */
  readonly causes: readonly PlayedCause[]
  /** What it comes of and is over already lets it go no earlier. */
  readonly notBefore?: Instant
  /** Something that it comes of failed: it cannot be played. Says what. */
  readonly blocked?: string
  /** How often it is played: once when absent. */
  readonly times?: number
  /** It is not ours to send: it is over when the other side has made this call, and what comes of it waits for that. */
  readonly awaited?: true
}

/** A row as it stands in the world: in the session's time, without what is over. */
export interface StandingRow extends Played {
  readonly at: Instant
  readonly notBefore: Instant
  readonly open: readonly PlayedCause[]
  readonly times: number
  readonly sent?: true
  readonly awaited?: true
}

/** What may go out now that what it came of is over. */
export interface Ready extends Played {
  readonly due: Instant
  /** When the clock of the recording alone would have had it go. */
  readonly at: Instant
  readonly times: number
}

export interface PlaybackWorld {
  /** When the first rows were loaded: what the times of all of them count from. */
  since: Instant | undefined
  /** Rows that are not over, by the id of their record. */
  readonly rows: Map<string, StandingRow>
  /** What waits for a row, by that row's id. */
  readonly dependants: Map<string, readonly string[]>
  concluded: number
}

/** Rows that stand in the world at a time; the rest stays in the recording until there is room. */
export const playbackWindow = 1000

export const createPlaybackWorld = (): PlaybackWorld => ({
  since: undefined,
  rows: new Map(),
  dependants: new Map(),
  concluded: 0,
})

/** What all of them have, and nothing else. */
export const playedOf = ({
  recordId,
  place,
  label,
  orderId,
  operation,
  event,
}: Played): Played => ({
  recordId,
  place,
  label,
  ...(orderId === undefined ? {} : { orderId }),
  ...(operation === undefined ? {} : { operation }),
  ...(event === undefined ? {} : { event }),
})
