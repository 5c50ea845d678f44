/** What happened in a playback. */
import type { Instant } from '../instant.ts'
import type { Played, Ready, StandingRow } from './row.ts'

export type PlaybackFact =
  /** Exchanges of the recording stand ready, or wait for what they come of. */
  | {
      readonly kind: 'playback.loaded'
      readonly rows: readonly StandingRow[]
      readonly ready: readonly Ready[]
    }
  /** One goes out now: whoever sits at the wire sends it. */
  | (Played & {
      readonly kind: 'playback.sent'
      /** When it should have gone out. */
      readonly intended: Instant
      /** When the clock of the recording alone would have had it go. */
      readonly at: Instant
      /** It went out before, or is over: somebody wants it once more. */
      readonly again?: true
    })
  /** One came to its end, and so these may go out. */
  | {
      readonly kind: 'playback.concluded'
      readonly recordId: string
      readonly place: number
      readonly label: string
      readonly orderId?: string
      readonly standing: string
      readonly failed?: true
      readonly note?: string
      /** It never went out. */
      readonly unsent?: true
      readonly ready: readonly Ready[]
      /** The event that it handed over. */
      readonly handed?: { readonly eventId: string; readonly orderId?: string }
    }
