/** How many services may be tried side by side: by cores, and one alone while this process is late itself. */
import { availableParallelism } from 'node:os'
import { measureEventLoopLag } from '../../../terminal/cli/event-loop-lag.ts'

const maxParallel = 4
/** In milliseconds: a process that is so late distorts what it measures of a service. */
const maxLateMs = 250

export interface MeasuredLoad extends Disposable {
  /** By the lateness since it was asked last. */
  readonly parallel: () => number
}

export function measureLoad(cores: number = availableParallelism()): MeasuredLoad {
  const lag = measureEventLoopLag()
  return {
    parallel: () => (lag.latestMs() > maxLateMs ? 1 : Math.min(maxParallel, Math.max(1, cores))),
    [Symbol.dispose]: () => lag[Symbol.dispose](),
  }
}
