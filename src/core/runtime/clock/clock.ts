/**
 * The only file that reads the machine's clock. The wall clock is for send times and measurements; session time
 * belongs to the engine, and the clock driver maps one to the other.
 */
import { performance } from 'node:perf_hooks'

/** Milliseconds that the event loop of this process has been active since it started. */
export const busyMs = (): number => performance.eventLoopUtilization().active

/** Wall clock in milliseconds since 1970, with fractions, monotonic. */
export const wallNow = (): number => performance.timeOrigin + performance.now()
