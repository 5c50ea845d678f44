/**
 * Says how long a replay takes of a recording whose session ran faster than the wall clock: `--speed original` keeps the
 * times of the session, which events and deadlines are on.
 */
import { formatDuration } from '../../../core/protocol/duration.ts'
import type { RecordedClock } from '../../../core/traffic/recording/format.ts'
import { wallTimesOf } from '../../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { PlaybackPace } from '../../../core/engine/playback/pace.ts'

/** Shorter replays need no explanation. */
const leastMs = 30_000
const leastSpeed = 1.5

/** From the first begin to the last end, in ms. */
function spanOf(
  exchanges: readonly RecordedExchange[],
  timesOf: (exchange: RecordedExchange) => Pick<RecordedExchange, 'startedAt' | 'tookMs'>,
): number {
  let begin = Number.POSITIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  for (const exchange of exchanges) {
    const { startedAt, tookMs } = timesOf(exchange)
    begin = Math.min(begin, startedAt)
    end = Math.max(end, startedAt + tookMs)
  }
  return Math.max(0, end - begin)
}

const inSeconds = (ms: number): string => formatDuration(Math.max(1, Math.round(ms / 1000)) * 1000)

/** A clock that was changed on the way is named only where it began as another than the wall's. */
function clockText(clock: RecordedClock | undefined): string {
  if (clock && clock.mode !== 'real') return `on the ${clock.mode} clock`
  return clock && clock.speed > 1 ? `at speed ${clock.speed}` : 'on a faster clock'
}

export function recordedSpeedNotice(
  { exchanges, header }: Pick<RecordingContent, 'exchanges' | 'header'>,
  { mode, speed, maxGapMs }: PlaybackPace,
): string | undefined {
  if (mode !== 'original' || speed !== undefined || maxGapMs !== undefined) return undefined
  const tells = spanOf(exchanges, (exchange) => exchange)
  const took = spanOf(exchanges, wallTimesOf)
  if (tells < leastMs || tells < leastSpeed * took) return undefined
  const asFast = `--speed ${Math.round(tells / Math.max(1, took))}x`
  return (
    `it tells of ${inSeconds(tells)} and was recorded in ${inSeconds(took)} ${clockText(header._rec.clock)}; this replay takes the time it tells of. ` +
    `${asFast} is about as fast as it was recorded, --speed asap waits for causes only`
  )
}
