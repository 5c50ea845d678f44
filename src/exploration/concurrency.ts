/**
 * How many schedules run side by side, found by what the last batch measured: twice as many while nothing slows down, half
 * as many when the service answers slower than it did at first, or when Sparring itself is late.
 */

/** What a batch measured. */
export interface BatchLoad {
  /** Schedules that ran side by side. */
  readonly schedules: number
  /** 95th percentile of the service's answers to calls that no fault distorted, in wall-clock ms. */
  readonly answerMs?: number
  /** How late Sparring's own process was, in wall-clock ms. */
  readonly lagMs: number
}

export interface Concurrency {
  readonly width: number
  /** The fastest 95th percentile that a batch had: what the service needs without load. */
  readonly baselineMs?: number
  /** A width that was too much: from its half on the width grows by a step at a time. */
  readonly tooWide?: number
}

export const initialConcurrency: Concurrency = { width: 16 }

export const maxWidth = 200
/** Answers that are so many times slower than at first mean that the service slows down … */
const slowFactor = 2
/** … when they are also slower by so much, in ms: a quick service doubles its time by chance. */
const slowMs = 50
/** Own lag above which the width is halved, and above which it no longer grows, in ms. */
const tooLateMs = 200
const lateMs = 80
/** A batch of fewer schedules than this share of the width says nothing about the width. */
const fullShare = 0.5

export function nextConcurrency(previous: Concurrency, load: BatchLoad): Concurrency {
  const { width, tooWide = Infinity } = previous
  const { answerMs, lagMs, schedules } = load
  const baselineMs = Math.min(previous.baselineMs ?? Infinity, answerMs ?? Infinity)
  const base = Number.isFinite(baselineMs) ? { baselineMs } : {}
  const kept = previous.tooWide === undefined ? base : { ...base, tooWide: previous.tooWide }
  const slowerBy = answerMs === undefined ? 0 : answerMs - baselineMs
  const isSlow = slowerBy > slowMs && (answerMs ?? 0) > slowFactor * baselineMs
  if (isSlow || lagMs > tooLateMs) {
    const used = Math.min(width, schedules)
    return { ...base, width: Math.max(1, Math.floor(used / 2)), tooWide: used }
  }
  if (lagMs > lateMs || schedules < fullShare * width) return { ...kept, width }
  const wider = 2 * width < tooWide ? 2 * width : width + Math.max(1, Math.floor(width / 8))
  return { ...kept, width: Math.min(maxWidth, wider) }
}
