/**
 * Time axis of a recording, in ms since its first exchange. Sessions record their exchanges on the clock of their
 * events. Elsewhere (a proxy, an import, a recording of an older version) the two clocks may differ: by a constant,
 * which is corrected, or in speed; then only the creation times of events are used.
 */
import { isPollCall } from '../../core/traffic/polling.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'

/** Steps in ms, roundest first. */
const steps = [60_000, 30_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2] as const

/** Maximum change, as a share of the delay. */
const maxShare = 0.2

/**
 * Rounds a recorded delay to the roundest number that it may have been, so that recordings of one story give the same
 * scenario whatever clock they were made on: 2.996 s and, on a clock 20 times as fast, 2.92 s are both 3 s.
 * `resolutionMs`: by how much the delay may have been measured wrongly.
 */
export function roundDelay(ms: number, resolutionMs: number): number {
  const allowed = Math.min(resolutionMs, maxShare * Math.abs(ms))
  for (const step of steps) {
    const rounded = Math.round(ms / step) * step
    if (rounded !== 0 && Math.abs(rounded - ms) <= allowed) return rounded
  }
  return Math.round(ms)
}

/** Creation time of an event, by the `seq` of its exchange. */
export interface EventTimestamp {
  readonly seq: number
  readonly createdAt: number
}

export interface TimeAxis {
  /** False: only events have times; an exchange takes the time of the last event before it. */
  readonly hasExchangeTimes: boolean
  /** How exact the times are, in ms: what takes less than this is transmission. */
  readonly resolutionMs: number
  readonly began: (exchange: RecordedExchange) => number
  readonly ended: (exchange: RecordedExchange) => number
  /** Axis time of an event from its creation time in ms since 1970, and the exchange that handed it over. */
  readonly made: (createdAt: number, exchange: RecordedExchange) => number
}

export interface TimeAxisOptions {
  readonly exchanges: readonly RecordedExchange[]
  readonly stamps: readonly EventTimestamp[]
  /** The recording states the clock of its session, which its exchanges and our events are on. */
  readonly isSessionClock: boolean
}

/** Maximum offset of event times from the wall clock, in ms, before it is corrected. */
const maxOffsetMs = 2000
/** Ratio of payload time to wall time that indicates another clock. */
const otherClockRatio = 3
const slackMs = 5000
/** Transmission and processing of a message take up to so long on the wall clock, in ms. */
const transmissionMs = 10

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

const endOf = ({ startedAt, tookMs }: RecordedExchange): number => startedAt + tookMs

/** By how much events are older than their handovers at least. */
const leastLag = (
  stamps: readonly EventTimestamp[],
  endBySeq: ReadonlyMap<number, number>,
): number =>
  stamps.reduce(
    (least, { seq, createdAt }) => Math.min(least, (endBySeq.get(seq) ?? Infinity) - createdAt),
    Infinity,
  )

/** Whether events begin in step with their handovers and end up in their future: their clock is faster. */
function runsAhead(
  stamps: readonly EventTimestamp[],
  endBySeq: ReadonlyMap<number, number>,
): boolean {
  const first = leastLag(stamps.slice(0, 1), endBySeq)
  return Math.abs(first) <= maxOffsetMs && leastLag(stamps, endBySeq) < -slackMs
}

export function createTimeAxis({ exchanges, stamps, isSessionClock }: TimeAxisOptions): TimeAxis {
  const begin = exchanges[0]?.startedAt ?? 0
  const resolutionMs =
    transmissionMs * exchanges.reduce((most, { wall }) => Math.max(most, wall?.speed ?? 1), 1)
  const axis = {
    hasExchangeTimes: true,
    resolutionMs,
    began: ({ startedAt }: RecordedExchange) => startedAt - begin,
    ended: (exchange: RecordedExchange) => endOf(exchange) - begin,
  }
  if (isSessionClock) return { ...axis, made: (at, exchange) => sessionTime(at, exchange) - begin }

  const ends = exchanges.map(endOf)
  const wall = spanOf([begin, ...ends])
  const payload = spanOf(stamps.map(({ createdAt }) => createdAt))
  const endBySeq = new Map(exchanges.map((each, index) => [each.seq, ends[index] ?? 0]))
  if (payload > otherClockRatio * wall + slackMs || runsAhead(stamps, endBySeq))
    return byEvents(exchanges, stamps)
  const lag = leastLag(stamps, endBySeq)
  const shift = Number.isFinite(lag) && (lag < 0 || lag > maxOffsetMs) ? lag : 0
  return { ...axis, made: (createdAt) => createdAt + shift - begin }
}

/** The creation time of an event on the session's clock; the service may have dated its own by the wall clock. */
function sessionTime(createdAt: number, exchange: RecordedExchange): number {
  const { wall, from, to } = exchange
  const author = isPollCall(exchange) ? to : from
  if (!wall || author.party === 'sparring') return createdAt
  const end = endOf(exchange)
  const ageOnWall = wall.startedAt + wall.tookMs - createdAt
  return Math.abs(ageOnWall) < Math.abs(end - createdAt)
    ? end - ageOnWall * (wall.speed ?? 0)
    : createdAt
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
    resolutionMs: transmissionMs,
    began: ({ seq }) => times.get(seq)?.began ?? 0,
    ended: ({ seq }) => times.get(seq)?.ended ?? 0,
    made: (createdAt) => createdAt - begin,
  }
}
