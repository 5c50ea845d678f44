/** Source of a playback's exchanges: memory, or a file with known offsets. */
import type { EditRecorded } from '../difference/edit-recording.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'

export interface PlaybackSource {
  /** Number of exchanges. */
  readonly count: number
  /** The exchange at a place, from 0, in the order in which requests began. */
  readonly read: (place: number) => RecordedExchange | Promise<RecordedExchange>
}

export const playbackSourceOf = (
  { exchanges }: Pick<RecordingContent, 'exchanges'>,
  edited: EditRecorded,
): PlaybackSource => ({
  count: exchanges.length,
  read(place) {
    const exchange = exchanges[place]
    if (!exchange) throw new Error(`a recording of ${exchanges.length} has no place ${place}`)
    return edited(exchange)
  },
})
