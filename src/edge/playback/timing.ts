/**
 * How well the intended times were kept, and whether what was measured can be trusted: and where it cannot, whether the
 * service or this machine was too slow. A send may be late because nobody here took it up in time, or because it waited
 * for a connection; and that, in turn, because answers had not come, or because we were too busy to read them.
 */
import { createHistogram } from 'node:perf_hooks'
import type { Timing } from '../../traffic/replay/status.ts'

/** Sends that go out later than this, one in a hundred, are no replay of the times any more. */
export const latenessBoundMs = 20
/** The schedule as a whole may slip by so much before the times mean something else. */
export const slipBoundMs = 100
/** A process that is at work for so much of the time is what everything waits for. */
const busyShare = 0.9

export interface Send {
  /** Instants of the session, with fractions. */
  readonly intended: number
  readonly sentAt: number
  readonly answeredAt: number
  /** When the recording's clock alone would have had it go. */
  readonly at: number
  /** Milliseconds for which it waited for a connection, and for how many of those this process was at work. */
  readonly waitedMs: number
  readonly busyMs: number
}

export interface Stopwatch {
  readonly send: (send: Send) => void
  /** So many wait because so many are under way. */
  readonly waiting: (count: number) => void
  /** Milliseconds for which this process was at work, since whenever. */
  readonly busy: () => number
  readonly timing: () => Timing | undefined
}

export interface StopwatchOptions {
  /** There are times to be kept: not so where exchanges go out as soon as causality allows. */
  readonly strict: boolean
  /** Sends under way at most. */
  readonly atOnce: number
  /** As in the stopwatch. */
  readonly busy: () => number
}

const ms = (micros: number): number => Math.round(micros) / 1000

export function createStopwatch({ strict, atOnce, busy }: StopwatchOptions): Stopwatch {
  // Whole microseconds: a histogram counts from 1.
  const lateness = createHistogram()
  const latency = createHistogram()
  const slip = createHistogram()
  const answer = createHistogram()
  const note = (histogram: typeof lateness, millis: number): void =>
    histogram.record(Math.max(1, Math.round(millis * 1000)))
  let sends = 0
  let first = Number.POSITIVE_INFINITY
  let last = 0
  let lastAnswer = 0
  let queued = 0
  let busyFirst = 0
  let busyLast = 0
  /** Of the sends that were too late: how late for want of us, and for want of answers. */
  const late = { ours: 0, theirs: 0 }

  /** For how much of the time this process was at work, 0 to 1. */
  const share = (): number =>
    lastAnswer > first ? Math.min(1, (busyLast - busyFirst) / (lastAnswer - first)) : 0

  function distrust(): string | undefined {
    if (!strict || sends === 0) return undefined
    const most = ms(lateness.percentile(99))
    const slipped = ms(slip.percentile(99))
    const isStrained = late.ours > late.theirs || (late.theirs === 0 && share() >= busyShare)
    const atWork = `at work itself for ${Math.round(share() * 100)} % of the time`
    if (most > latenessBoundMs)
      return isStrained
        ? `this machine is too slow for the timing to be trusted: one send in a hundred went out ${most.toFixed(0)} ms late or more, and not for want of answers; this process was ${atWork}`
        : `your service is too slow for the timing to be trusted: half of its answers took ${ms(answer.percentile(50)).toFixed(0)} ms or more, so all ${atOnce} connections were busy, ${queued} exchanges waited for one, and one send in a hundred went out ${most.toFixed(0)} ms late or more`
    if (slipped > slipBoundMs)
      return isStrained
        ? `this machine is too slow for the timing to be trusted: what came of answers went out up to ${slipped.toFixed(0)} ms after its time; this process was ${atWork}`
        : `your service is too slow for the timing to be trusted: it answered later than it did when this was recorded, and what came of its answers went out up to ${slipped.toFixed(0)} ms after its time`
    return undefined
  }

  return {
    busy,
    send({ intended, sentAt, answeredAt, at, waitedMs, busyMs }) {
      if (sends++ === 0) busyFirst = busy()
      busyLast = busy()
      first = Math.min(first, sentAt)
      last = Math.max(last, sentAt)
      lastAnswer = Math.max(lastAnswer, answeredAt)
      note(lateness, sentAt - intended)
      note(latency, answeredAt - intended)
      note(answer, answeredAt - sentAt)
      note(slip, intended - at)
      if (sentAt - intended <= latenessBoundMs) return
      const theirs = Math.max(0, waitedMs - busyMs)
      late.theirs += theirs
      late.ours += Math.max(0, sentAt - intended - theirs)
    },
    waiting(count) {
      queued = Math.max(queued, count)
    },
    timing() {
      if (sends === 0) return undefined
      const spread = (histogram: typeof lateness) => ({
        p50: ms(histogram.percentile(50)),
        p99: ms(histogram.percentile(99)),
        most: ms(histogram.max),
      })
      const because = distrust()
      return {
        sends,
        perSecond: last > first ? ((sends - 1) * 1000) / (last - first) : 0,
        lateness: spread(lateness),
        latency: spread(latency),
        busy: share(),
        ...(because === undefined ? {} : { distrust: because }),
      }
    },
  }
}
