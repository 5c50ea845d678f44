/**
 * The rate, failures and latency of exchanges over the last minute of the wall clock, in spans of two seconds. Its memory
 * is the same however many exchanges there are: latencies are counted in bins, each a tenth wider than the one before.
 */
export interface TrafficRate {
  /** Exchanges in each span of two seconds, oldest first; the last one is under way. */
  readonly counts: readonly number[]
  /** The 95th percentile of latency in each of them, in ms, at most a tenth too high; 0 in one without exchanges. */
  readonly latencies: readonly number[]
  /** Exchanges per second, over the last ten seconds. */
  readonly perSecond: number
  /** Failed exchanges of the whole minute, but for those that a fault made fail. */
  readonly failed: number
  /** The 95th percentile of the whole minute; absent when there were no exchanges. */
  readonly p95Ms?: number
}

export interface RateMeter {
  /** Counts an exchange by its end in ms since 1970. */
  readonly add: (endedAt: number, tookMs: number, isFailed: boolean) => void
  readonly at: (now: number) => TrafficRate
}

const spanMs = 2000
const spanCount = 30
/** Spans of which `perSecond` is the mean. */
const recentCount = 5

const shortestMs = 0.5
const binRatio = 1.1
/** The last bin has everything over a minute. */
const binCount = 124

const binOf = (ms: number): number =>
  ms <= shortestMs
    ? 0
    : Math.min(binCount - 1, Math.ceil(Math.log(ms / shortestMs) / Math.log(binRatio)))

const upperMs = (bin: number): number => shortestMs * binRatio ** bin

/** The upper bound of the bin at the 95th percentile. */
function p95Of(bins: Uint32Array, total: number): number {
  const rank = Math.ceil(total * 0.95)
  let counted = 0
  for (let bin = 0; bin < bins.length; bin++) {
    counted += bins[bin] ?? 0
    if (counted >= rank) return upperMs(bin)
  }
  return upperMs(binCount - 1)
}

interface TimeSpan {
  /** Number of the span since 1970; it has nothing of an earlier one. */
  number: number
  count: number
  failed: number
  readonly bins: Uint32Array
}

export function createRateMeter(): RateMeter {
  const ring = Array.from({ length: spanCount }, (): TimeSpan => ({
    number: -1,
    count: 0,
    failed: 0,
    bins: new Uint32Array(binCount),
  }))

  return {
    add(endedAt, tookMs, isFailed) {
      const number = Math.floor(endedAt / spanMs)
      const own = ring[number % spanCount]
      if (!own || own.number > number) return
      if (own.number < number) {
        own.number = number
        own.count = 0
        own.failed = 0
        own.bins.fill(0)
      }
      own.count++
      if (isFailed) own.failed++
      const bin = binOf(tookMs)
      own.bins[bin] = (own.bins[bin] ?? 0) + 1
    },
    at(now) {
      const last = Math.floor(now / spanMs)
      const bins = new Uint32Array(binCount)
      const counts: number[] = []
      const latencies: number[] = []
      let total = 0
      let failed = 0
      for (let number = last - spanCount + 1; number <= last; number++) {
        const own = ring[number % spanCount]
        const isEmpty = !own || own.number !== number || own.count === 0
        counts.push(isEmpty ? 0 : own.count)
        latencies.push(isEmpty ? 0 : p95Of(own.bins, own.count))
        if (isEmpty) continue
        total += own.count
        failed += own.failed
        for (const [bin, count] of own.bins.entries()) bins[bin] = (bins[bin] ?? 0) + count
      }
      const recent = counts.slice(-recentCount).reduce((sum, count) => sum + count, 0)
      const perSecond = recent / (((recentCount - 1) * spanMs + (now % spanMs || spanMs)) / 1000)
      return {
        counts,
        latencies,
        perSecond,
        failed,
        ...(total === 0 ? {} : { p95Ms: p95Of(bins, total) }),
      }
    },
  }
}
