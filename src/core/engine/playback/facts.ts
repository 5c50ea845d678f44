/** Facts of a playback. */
import { assignOrderSlot, recordHandover } from '../faults/slots.ts'
import { type FactIn, factRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import { listCount } from '../short-text.ts'
import {
  type PendingPlaybackRow,
  type PlaybackRef,
  type PlaybackWorld,
  type ReadyPlaybackRow,
  withoutCause,
} from './row.ts'

export interface PlaybackLoaded {
  readonly rows: readonly PendingPlaybackRow[]
  readonly ready: readonly ReadyPlaybackRow[]
}

export interface PlaybackSent extends PlaybackRef {
  /** When it was due. */
  readonly intended: Instant
  /** When it would be due by the recording's clock alone. */
  readonly at: Instant
  /** A repetition: sent before, or ended. */
  readonly again?: true
  /** Apart from the plan. */
  readonly alone?: true
}

export interface PlaybackConcluded {
  readonly recordId: string
  readonly place: number
  readonly label: string
  readonly orderId?: string
  readonly standing: string
  readonly failed?: true
  readonly note?: string
  /** It was never sent. */
  readonly unsent?: true
  readonly ready: readonly ReadyPlaybackRow[]
  /** The event that it handed over. */
  readonly handed?: { readonly eventId: string; readonly orderId?: string }
}

function addRow({ rows, dependants }: PlaybackWorld, row: PendingPlaybackRow): void {
  rows.set(row.recordId, row)
  for (const { recordId } of row.open)
    dependants.set(recordId, (dependants.get(recordId) ?? []).concat(row.recordId))
}

export const playbackFacts = {
  /** Exchanges of the recording were loaded: ready, or waiting for their causes. */
  'playback.loaded': factRow<PlaybackLoaded>({
    text: ({ rows, ready }) =>
      `${listCount(rows, 'recorded exchange')} loaded, ${ready.length} of them ready`,
    apply({ playback, faults }, { rows }, at) {
      playback.since ??= at
      for (const row of rows) {
        addRow(playback, row)
        if (row.orderId !== undefined) assignOrderSlot(faults, row.orderId)
      }
    },
  }),
  /** An exchange is to be sent now; the edge sends it. */
  'playback.sent': factRow<PlaybackSent>({
    text: ({ label, alone, again }) =>
      `${label} goes out${alone ? ' alone' : again ? ' once more' : ''}`,
    apply({ playback: { rows } }, { recordId, alone }) {
      const row = alone ? undefined : rows.get(recordId)
      if (row) rows.set(recordId, { ...row, sent: true })
    },
  }),
  /** An exchange ended, and these have become ready. */
  'playback.concluded': factRow<PlaybackConcluded>({
    text: ({ label, standing, note }) =>
      `${label}: ${standing}${note === undefined ? '' : `, ${note}`}`,
    apply({ playback, faults }, { recordId, handed }, at) {
      const { rows, dependants } = playback
      rows.delete(recordId)
      for (const id of dependants.get(recordId) ?? []) {
        const row = rows.get(id)
        if (row) rows.set(id, withoutCause(row, recordId, at))
      }
      dependants.delete(recordId)
      playback.concluded++
      if (handed) recordHandover(faults, handed, 'webhook')
    },
  }),
}

export type PlaybackFact = FactIn<typeof playbackFacts>
