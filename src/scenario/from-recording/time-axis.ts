/**
 * The time of a recording, as its decisions go by it: milliseconds since its first exchange. Where the session's clock
 * ran far ahead of the wall (a virtual one), the wall says nothing; then the events' own times are all there is.
 */
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'

/** An event as it stood in an exchange: when it was made, by its own word. */
export interface Stamp {
  readonly seq: number
  readonly createdAt: number
}

export interface Axis {
  /** False: only events have times, and an exchange is as late as the last event before it. */
  readonly honest: boolean
  readonly began: (exchange: RecordedExchange) => number
  readonly ended: (exchange: RecordedExchange) => number
  /** Of an event, by its own time in milliseconds since 1970. */
  readonly made: (createdAt: number) => number
}

/** An event's clock may be so far from the wall's before it counts as another clock. */
const sameClockMs = 2000
/** Payload time that passes so much faster than the wall's is that of a virtual clock. */
const farAhead = 3
const slackMs = 5000

const spanOf = (times: readonly number[]): number =>
  times.length < 2 ? 0 : Math.max(...range(times)) - Math.min(...range(times))

/** The first and the last: a list of a million would not fit into a call. */
function range(times: readonly number[]): readonly number[] {
  let [least = 0, most = 0] = [times[0], times[0]]
  for (const each of times) {
    if (each < least) least = each
    if (each > most) most = each
  }
  return [least, most]
}

export function createAxis(exchanges: readonly RecordedExchange[], stamps: readonly Stamp[]): Axis {
  const begin = exchanges[0]?.startedAt ?? 0
  const ends = exchanges.map(({ startedAt, tookMs }) => startedAt + tookMs)
  const wall = spanOf([begin, ...ends])
  const payload = spanOf(stamps.map(({ createdAt }) => createdAt))
  if (payload > farAhead * wall + slackMs) return byEvents(exchanges, stamps)

  const bySeq = new Map(exchanges.map((each, index) => [each.seq, ends[index] ?? 0]))
  const lag = stamps.reduce(
    (least, { seq, createdAt }) => Math.min(least, (bySeq.get(seq) ?? Infinity) - createdAt),
    Infinity,
  )
  const shift = Number.isFinite(lag) && (lag < 0 || lag > sameClockMs) ? lag : 0
  return {
    honest: true,
    began: ({ startedAt }) => startedAt - begin,
    ended: ({ startedAt, tookMs }) => startedAt + tookMs - begin,
    made: (createdAt) => createdAt + shift - begin,
  }
}

function byEvents(exchanges: readonly RecordedExchange[], stamps: readonly Stamp[]): Axis {
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
    honest: false,
    began: ({ seq }) => times.get(seq)?.began ?? 0,
    ended: ({ seq }) => times.get(seq)?.ended ?? 0,
    made: (createdAt) => createdAt - begin,
  }
}
