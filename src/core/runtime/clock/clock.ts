/**
 * The only file that reads the machine's clock. The wall clock is for send times and measurements; session time
 * belongs to the engine, and the clock driver maps one to the other.
 */
import { performance } from 'node:perf_hooks'

/** Resolves after `ms` on the machine's clock, or when the signal aborts. */
export const abortableSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
    signal.addEventListener('abort', done, { once: true })
  })

/** Milliseconds that the event loop of this process has been active since it started. */
export const busyMs = (): number => performance.eventLoopUtilization().active

/** Wall clock in milliseconds since 1970, with fractions, monotonic. */
export const wallNow = (): number => performance.timeOrigin + performance.now()
