/**
 * Metrics of this process, under the names that Prometheus clients use. The delay of the event loop is measured from the
 * first time on that it is asked for, so a process without a scraper pays nothing.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type MetricFamily, singleMetric } from './exposition.ts'

/** The delay is looked at this often, in ms; what is measured includes the interval itself. */
const intervalMs = 20

let delays: ReturnType<typeof startDelays> | undefined

function startDelays() {
  const started = monitorEventLoopDelay({ resolution: intervalMs })
  started.enable()
  return started
}

/** The delay of the event loop since it was asked last, in seconds; 0 when nothing was measured. */
function eventLoopLag(): { readonly p50: number; readonly p99: number; readonly max: number } {
  const measured = (delays ??= startDelays())
  const seconds = (nanoseconds: number): number =>
    measured.count === 0 ? 0 : Math.max(0, nanoseconds / 1e9 - intervalMs / 1000)
  const lag = {
    p50: seconds(measured.percentile(50)),
    p99: seconds(measured.percentile(99)),
    max: seconds(measured.max),
  }
  measured.reset()
  return lag
}

export function processMetrics(): readonly MetricFamily[] {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const lag = eventLoopLag()
  return [
    singleMetric(
      'process_cpu_seconds_total',
      'counter',
      'CPU time of the process in seconds, user and system.',
      (user + system) / 1e6,
    ),
    singleMetric(
      'process_start_time_seconds',
      'gauge',
      'Start of the process, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
    singleMetric(
      'process_resident_memory_bytes',
      'gauge',
      'Resident memory of the process in bytes.',
      rss,
    ),
    singleMetric('nodejs_heap_size_total_bytes', 'gauge', 'Heap of V8 in bytes.', heapTotal),
    singleMetric('nodejs_heap_size_used_bytes', 'gauge', 'Used heap of V8 in bytes.', heapUsed),
    singleMetric(
      'nodejs_external_memory_bytes',
      'gauge',
      'Memory outside the heap in bytes, such as buffers.',
      external,
    ),
    {
      name: 'nodejs_eventloop_lag_seconds',
      type: 'gauge',
      help: 'Delay of the event loop since the last scrape in seconds: median, 99th percentile and maximum.',
      samples: Object.entries(lag).map(([quantile, value]) => ({ labels: { quantile }, value })),
    },
  ]
}
