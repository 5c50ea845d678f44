/** Where a playback finds the exchanges of its recording: in memory, or in a file of which it knows the offsets. */
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'

export interface PlaybackSource {
  /** Exchanges in it. */
  readonly count: number
  /** The exchange at a place, from 0; they stand in the order in which their requests began. */
  readonly read: (place: number) => RecordedExchange | Promise<RecordedExchange>
}

export const sourceOf = ({ exchanges }: Pick<RecordingContent, 'exchanges'>): PlaybackSource => ({
  count: exchanges.length,
  read(place) {
    const exchange = exchanges[place]
    if (!exchange) throw new Error(`a recording of ${exchanges.length} has no place ${place}`)
    return exchange
  },
})
