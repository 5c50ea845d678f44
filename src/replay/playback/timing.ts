/**
 * Measures lateness of sends, and decides whether the timing can be trusted; if not, whether the service or this
 * machine was too slow. A send is late because this process took it up late, or because it waited for a connection;
 * that in turn because replies had not come, or because this process was too busy to read them.
 */
import { compact } from '../../core/base/compact.ts'
import { createHistogram } from 'node:perf_hooks'
import type { ReplayTiming } from '../../core/traffic/recording/replay-report.ts'

/** Upper bound for the 99th percentile of lateness. */
export const maxLatenessMs = 20
/** Upper bound for the 99th percentile of the schedule's slip. */
export const maxSlipMs = 100
/** Busy share of this process above which it counts as the bottleneck. */
const busyShare = 0.9

export interface SendTiming {
  /** Session time, with fractions of ms. */
  readonly intended: number
  readonly sentAt: number
  readonly answeredAt: number
  /** Due time by the recorded schedule alone. */
  readonly at: number
  /** Milliseconds of waiting for a connection, and how many of those this process was busy. */
  readonly waitedMs: number
  readonly busyMs: number
}

export type Stopwatch = ReturnType<typeof createStopwatch>

export interface StopwatchOptions {
  /** Whether there is a schedule: not so when sending as fast as causality allows. */
  readonly strict: boolean
  /** Maximum number of sends in flight. */
  readonly maxInFlight: number
  /** See `Stopwatch.busy`. */
  readonly busy: () => number
}

const ms = (micros: number): number => Math.round(micros) / 1000

export function createStopwatch({ strict, maxInFlight, busy }: StopwatchOptions) {
  // Whole microseconds: a histogram counts from 1.
  const lateness = createHistogram()
  const latency = createHistogram()
  const slip = createHistogram()
  const answer = createHistogram()
  const addSample = (histogram: typeof lateness, millis: number): void =>
    histogram.record(Math.max(1, Math.round(millis * 1000)))
  let sends = 0
  let first = Number.POSITIVE_INFINITY
  let last = 0
  let lastAnswer = 0
  let queued = 0
  let busyFirst = 0
  let busyLast = 0
  /** Lateness in ms of late sends, by cause: this process, or missing replies. */
  const late = { ours: 0, theirs: 0 }

  /** Share of the time that this process was busy, 0 to 1. */
  const busyRatio = (): number =>
    lastAnswer > first ? Math.min(1, (busyLast - busyFirst) / (lastAnswer - first)) : 0

  function distrustReason(): string | undefined {
    if (!strict || sends === 0) return undefined
    const latenessMs = ms(lateness.percentile(99))
    const slipMs = ms(slip.percentile(99))
    const isStrained = late.ours > late.theirs || (late.theirs === 0 && busyRatio() >= busyShare)
    const atWork = `at work itself for ${Math.round(busyRatio() * 100)} % of the time`
    if (latenessMs > maxLatenessMs)
      return isStrained
        ? `this machine is too slow for the timing to be trusted: one send in a hundred went out ${latenessMs.toFixed(0)} ms late or more, and not for want of answers; this process was ${atWork}`
        : `your service is too slow for the timing to be trusted: half of its answers took ${ms(answer.percentile(50)).toFixed(0)} ms or more, so all ${maxInFlight} connections were busy, ${queued} exchanges waited for one, and one send in a hundred went out ${latenessMs.toFixed(0)} ms late or more`
    if (slipMs > maxSlipMs)
      return isStrained
        ? `this machine is too slow for the timing to be trusted: what came of answers went out up to ${slipMs.toFixed(0)} ms after its time; this process was ${atWork}`
        : `your service is too slow for the timing to be trusted: it answered later than it did when this was recorded, and what came of its answers went out up to ${slipMs.toFixed(0)} ms after its time`
    return undefined
  }

  return {
    /** Busy time of this process in ms, from an arbitrary start. */
    busy,
    send({ intended, sentAt, answeredAt, at, waitedMs, busyMs }: SendTiming) {
      if (sends++ === 0) busyFirst = busy()
      busyLast = busy()
      first = Math.min(first, sentAt)
      last = Math.max(last, sentAt)
      lastAnswer = Math.max(lastAnswer, answeredAt)
      addSample(lateness, sentAt - intended)
      addSample(latency, answeredAt - intended)
      addSample(answer, answeredAt - sentAt)
      addSample(slip, intended - at)
      if (sentAt - intended <= maxLatenessMs) return
      const theirs = Math.max(0, waitedMs - busyMs)
      late.theirs += theirs
      late.ours += Math.max(0, sentAt - intended - theirs)
    },
    /** Reports the number of sends that wait for a connection. */
    waiting: (count: number) => {
      queued = Math.max(queued, count)
    },
    timing: (): ReplayTiming | undefined => {
      if (sends === 0) return undefined
      const spread = (histogram: typeof lateness) => ({
        p50: ms(histogram.percentile(50)),
        p99: ms(histogram.percentile(99)),
        most: ms(histogram.max),
      })
      const because = distrustReason()
      return {
        sends,
        perSecond: last > first ? ((sends - 1) * 1000) / (last - first) : 0,
        lateness: spread(lateness),
        latency: spread(latency),
        busy: busyRatio(),
        ...compact({ distrust: because }),
      }
    },
  }
}
