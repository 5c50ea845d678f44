/** How late this process is: the delay of its event loop, which distorts what it measures of a service. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface EventLoopLag extends Disposable {
  /** The 99th percentile since it was asked last, in milliseconds. */
  readonly latestMs: () => number
}

export function measureEventLoopLag(): EventLoopLag {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    latestMs() {
      const lateMs = delay.percentile(99) / 1e6
      delay.reset()
      return lateMs
    },
    [Symbol.dispose]: () => void delay.disable(),
  }
}
