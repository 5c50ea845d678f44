/** What a playback may be told. */
import type { Instant } from '../instant.ts'
import type { Played, PlaybackRow } from './row.ts'

export type PlaybackCommand =
  /** Takes further exchanges of the recording, in its order. */
  | { readonly kind: 'playback.load'; readonly rows: readonly PlaybackRow[] }
  /** Plays one now. It is an item of the agenda before that; whoever plays it once more makes a copy. */
  | (Played & {
      readonly kind: 'playback.send'
      /** When the clock of the recording alone would have had it go. */
      readonly at: Instant
    })
  /** One came to its end. */
  | {
      readonly kind: 'playback.conclude'
      readonly recordId: string
      /** What came of it, by the name that the report has for it. */
      readonly standing: string
      /** What comes of it cannot be played. */
      readonly failed?: true
      /** One sentence. */
      readonly note?: string
    }
