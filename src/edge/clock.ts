/**
 * The only file that reads the machine's clock. The wall is for when we send and what we measure; the session's own
 * instant is the engine's, and the driver ties the two together.
 */
import { performance } from 'node:perf_hooks'

/** The wall clock in milliseconds since 1970, with fractions, never going back. */
export const wallNow = (): number => performance.timeOrigin + performance.now()
