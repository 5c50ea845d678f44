/**
 * Time axis of a recording, in ms since its first exchange. For a recording on a virtual clock, which runs far ahead of
 * the wall clock, it falls back to the creation times of events.
 */
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

/** Creation time of an event, by the `seq` of its exchange. */
export interface EventTimestamp {
  readonly seq: number
  readonly createdAt: number
}

export interface TimeAxis {
  /** False: only events have times; an exchange takes the time of the last event before it. */
  readonly hasExchangeTimes: boolean
  readonly began: (exchange: RecordedExchange) => number
  readonly ended: (exchange: RecordedExchange) => number
  /** Axis time of an event from its creation time in ms since 1970. */
  readonly made: (createdAt: number) => number
}

/** Maximum offset of event times from the wall clock, in ms, before it is corrected. */
const maxOffsetMs = 2000
/** Ratio of payload time to wall time that indicates a virtual clock. */
const virtualClockRatio = 3
const slackMs = 5000

const spanOf = (times: readonly number[]): number =>
  times.length < 2 ? 0 : Math.max(...range(times)) - Math.min(...range(times))

/** Minimum and maximum, without spreading a long list into a call. */
function range(times: readonly number[]): readonly number[] {
  let [least = 0, latestTime = 0] = [times[0], times[0]]
  for (const each of times) {
    if (each < least) least = each
    if (each > latestTime) latestTime = each
  }
  return [least, latestTime]
}

export function createTimeAxis(
  exchanges: readonly RecordedExchange[],
  stamps: readonly EventTimestamp[],
): TimeAxis {
  const begin = exchanges[0]?.startedAt ?? 0
  const ends = exchanges.map(({ startedAt, tookMs }) => startedAt + tookMs)
  const wall = spanOf([begin, ...ends])
  const payload = spanOf(stamps.map(({ createdAt }) => createdAt))
  if (payload > virtualClockRatio * wall + slackMs) return byEvents(exchanges, stamps)

  const bySeq = new Map(exchanges.map((each, index) => [each.seq, ends[index] ?? 0]))
  const lag = stamps.reduce(
    (least, { seq, createdAt }) => Math.min(least, (bySeq.get(seq) ?? Infinity) - createdAt),
    Infinity,
  )
  const shift = Number.isFinite(lag) && (lag < 0 || lag > maxOffsetMs) ? lag : 0
  return {
    hasExchangeTimes: true,
    began: ({ startedAt }) => startedAt - begin,
    ended: ({ startedAt, tookMs }) => startedAt + tookMs - begin,
    made: (createdAt) => createdAt + shift - begin,
  }
}

function byEvents(
  exchanges: readonly RecordedExchange[],
  stamps: readonly EventTimestamp[],
): TimeAxis {
  const begin = stamps.reduce((least, { createdAt }) => Math.min(least, createdAt), Infinity)
  const latest = new Map<number, number>()
  for (const { seq, createdAt } of stamps)
    latest.set(seq, Math.max(latest.get(seq) ?? 0, createdAt - begin))
  const times = new Map<number, { readonly began: number; readonly ended: number }>()
  let now = 0
  for (const { seq } of exchanges) {
    const began = now
    now = Math.max(now, latest.get(seq) ?? 0)
    times.set(seq, { began, ended: now })
  }
  return {
    hasExchangeTimes: false,
    began: ({ seq }) => times.get(seq)?.began ?? 0,
    ended: ({ seq }) => times.get(seq)?.ended ?? 0,
    made: (createdAt) => createdAt - begin,
  }
}
