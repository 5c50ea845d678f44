/** How many services may be tried side by side: by cores, and one alone while this process is late itself. */
import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const maxParallel = 4
/** In milliseconds: a process that is so late distorts what it measures of a service. */
const maxLateMs = 250

export interface MeasuredLoad extends Disposable {
  /** By the lateness since it was asked last. */
  readonly parallel: () => number
}

export function measureLoad(cores: number = availableParallelism()): MeasuredLoad {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    parallel() {
      const lateMs = delay.percentile(99) / 1e6
      delay.reset()
      return lateMs > maxLateMs ? 1 : Math.min(maxParallel, Math.max(1, cores))
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}
