/** Commands of a playback. */
import type { Instant } from '../instant.ts'
import type { PlaybackRef, PlaybackLoadRow } from './row.ts'

export type PlaybackCommand =
  /** Loads further exchanges of the recording, in its order. */
  | { readonly kind: 'playback.load'; readonly rows: readonly PlaybackLoadRow[] }
  /** Sends one exchange now. Before that it is an agenda item; to repeat it, the item is duplicated. */
  | (PlaybackRef & {
      readonly kind: 'playback.send'
      /** When it would be due by the recording's clock alone. */
      readonly at: Instant
      /** Apart from the plan: an exchange that is still to be sent is sent all the same. */
      readonly alone?: true
    })
  /** An exchange ended. */
  | {
      readonly kind: 'playback.conclude'
      readonly recordId: string
      /** Its status, by the name in the report. */
      readonly standing: string
      /** Its dependants cannot be played. */
      readonly failed?: true
      /** One sentence. */
      readonly note?: string
    }
