/** Facts of a playback. */
import type { Instant } from '../instant.ts'
import type { PlaybackRef, ReadyPlaybackRow, PendingPlaybackRow } from './row.ts'

export type PlaybackFact =
  /** Exchanges of the recording were loaded: ready, or waiting for their causes. */
  | {
      readonly kind: 'playback.loaded'
      readonly rows: readonly PendingPlaybackRow[]
      readonly ready: readonly ReadyPlaybackRow[]
    }
  /** An exchange is to be sent now; the edge sends it. */
  | (PlaybackRef & {
      readonly kind: 'playback.sent'
      /** When it was due. */
      readonly intended: Instant
      /** When it would be due by the recording's clock alone. */
      readonly at: Instant
      /** A repetition: sent before, or ended. */
      readonly again?: true
      /** Apart from the plan. */
      readonly alone?: true
    })
  /** An exchange ended, and these have become ready. */
  | {
      readonly kind: 'playback.concluded'
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
