/**
 * The only file that reads the machine's clock. The wall is for when we send and what we measure; the session's own
 * instant is the engine's, and the driver ties the two together.
 */
import { performance } from 'node:perf_hooks'

/** Milliseconds for which this process was at work, and not waiting for anything, since it began. */
export const busyMs = (): number => performance.eventLoopUtilization().active

/** The wall clock in milliseconds since 1970, with fractions, never going back. */
export const wallNow = (): number => performance.timeOrigin + performance.now()
