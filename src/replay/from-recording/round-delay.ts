/**
 * Rounds a recorded delay to the roundest number that it may have been, so that recordings of one story give the same
 * scenario whatever clock they were made on: 2.996 s and, on a clock 20 times as fast, 2.92 s are both 3 s.
 */

/** Steps in ms, roundest first. */
const steps = [60_000, 30_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2] as const

/** Maximum change, as a share of the delay. */
const maxShare = 0.2

/** `resolutionMs`: by how much the delay may have been measured wrongly. */
export function roundDelay(ms: number, resolutionMs: number): number {
  const allowed = Math.min(resolutionMs, maxShare * Math.abs(ms))
  for (const step of steps) {
    const rounded = Math.round(ms / step) * step
    if (rounded !== 0 && Math.abs(rounded - ms) <= allowed) return rounded
  }
  return Math.round(ms)
}
