/**
 * A recorded exchange to be played, as far as the engine needs it: causes, time, and a label for the agenda. The
 * exchange itself stays with the owner of the recording.
 */
import { compact } from '../../base/compact.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import type { Instant } from '../instant.ts'

/** The event that an exchange hands over, as faults match it. */
export interface PlaybackEvent {
  readonly eventId: string
  readonly eventType: string
  readonly from: Role
  readonly merchantId?: string
}

/** The reference to an exchange that items, facts and rows share. */
export interface PlaybackRef {
  readonly recordId: string
  /** Index in the recording, from 0. */
  readonly place: number
  /** Short text: `POST webhook CONFIRMED o1`. */
  readonly label: string
  readonly orderId?: string
  readonly operation?: OperationId
  readonly event?: PlaybackEvent
}

/** A cause in this playback that must end first, and the recorded milliseconds from its end to the effect. */
export interface PlaybackCause {
  readonly recordId: string
  readonly thinkMs: number
}

export interface PlaybackLoadRow extends PlaybackRef {
  /** Due time in milliseconds after the start of the playback. */
  readonly atMs: number
  /** Causes in the same playback that have not ended yet. */
  readonly causes: readonly PlaybackCause[]
  /** Earliest instant, because of causes that have ended already. */
  readonly notBefore?: Instant
  /** A cause failed, so it cannot be played: the reason. */
  readonly blocked?: string
  /** Number of times it is played; 1 when absent. */
  readonly times?: number
  /** Not ours to send: it ends when the other side has made this call, and its dependants wait for that. */
  readonly awaited?: true
}

/** A loaded row in the session's time, with its open causes only. */
export interface PendingPlaybackRow extends PlaybackRef {
  readonly at: Instant
  readonly notBefore: Instant
  readonly open: readonly PlaybackCause[]
  readonly times: number
  readonly sent?: true
  readonly awaited?: true
}

/** A row that may be sent: all its causes have ended. */
export interface ReadyPlaybackRow extends PlaybackRef {
  readonly due: Instant
  /** When it would be due by the recording's clock alone. */
  readonly at: Instant
  readonly times: number
}

export interface PlaybackWorld {
  /** When the first rows were loaded: the origin of all times. */
  since: Instant | undefined
  /** Rows that have not ended, by record id. */
  readonly rows: Map<string, PendingPlaybackRow>
  /** Record ids that depend on a row, by that row's id. */
  readonly dependants: Map<string, readonly string[]>
  concluded: number
}

/** Maximum number of rows in the world at a time; the rest stays in the recording until there is room. */
export const playbackWindow = 1000

export const createPlaybackWorld = (): PlaybackWorld => ({
  since: undefined,
  rows: new Map(),
  dependants: new Map(),
  concluded: 0,
})

/** The reference part of a row or command. */
export const playbackRefOf = ({
  recordId,
  place,
  label,
  orderId,
  operation,
  event,
}: PlaybackRef): PlaybackRef => ({
  recordId,
  place,
  label,
  ...compact({ orderId, operation, event }),
})

/** A row without one of its causes, which has ended. */
export function withoutCause(
  row: PendingPlaybackRow,
  cause: string,
  endedAt: Instant,
): PendingPlaybackRow {
  const { thinkMs = 0 } = row.open.find(({ recordId }) => recordId === cause) ?? {}
  return {
    ...row,
    notBefore: Math.max(row.notBefore, endedAt + thinkMs),
    open: row.open.filter(({ recordId }) => recordId !== cause),
  }
}
