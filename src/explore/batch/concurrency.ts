/**
 * How many schedules run side by side in a session, and how many sessions at the same time, found by what each session
 * measured: more while nothing slows down, half as many when the service answers slower than it did at first, when it or
 * Sparring waits for the processor, or when verdicts are inconclusive: fewer and certain is better than many.
 */

/** What a session measured. */
export interface BatchLoad {
  /** Schedules that ran side by side. */
  readonly schedules: number
  /** 95th percentile of the service's answers to calls that no fault distorted, in wall-clock ms. */
  readonly answerMs?: number | undefined
  /** How late Sparring's own process was, in wall-clock ms. */
  readonly lagMs: number
  /** Schedules of which a rule could not be judged, since Sparring was late. */
  readonly inconclusive?: number
  /** Share of the session for which the service waited for a processor. */
  readonly starved?: number | undefined
}

export interface Concurrency {
  /** Schedules side by side in one session. */
  readonly width: number
  readonly maxWidth: number
  /** Sessions at the same time, each with a service of its own. */
  readonly sessions: number
  readonly maxSessions: number
  /** The fastest 95th percentile that a session had: what the service needs without load. */
  readonly baselineMs?: number
  /** A width that was too much: from its half on the width grows by a step at a time. */
  readonly tooWide?: number
}

/** Answers that are so many times slower than at first mean that the service slows down … */
const slowFactor = 2
/** … when they are also slower by so much, in ms: a quick service doubles its time by chance. */
const slowMs = 50
/** Own lag above which there is half as much at the same time, and above which it no longer grows, in ms. */
const tooLateMs = 200
const lateMs = 120
/** The same of the share of schedules that are inconclusive: none may be where it grows. */
const tooDoubtful = 0.05
/** The same of the share of time for which the service waited for a processor. */
const tooStarved = 0.25
const starvedShare = 0.1
/** A session of fewer schedules than this share of the width does not say that there may be more. */
const fullShare = 0.5

const half = (value: number): number => Math.max(1, Math.floor(value / 2))

export function nextConcurrency(previous: Concurrency, load: BatchLoad): Concurrency {
  const { width, maxWidth, sessions, maxSessions, tooWide = Infinity } = previous
  const { answerMs, lagMs, schedules, inconclusive = 0, starved = 0 } = load
  const baselineMs = Math.min(previous.baselineMs ?? Infinity, answerMs ?? Infinity)
  const kept = { ...previous, ...(Number.isFinite(baselineMs) ? { baselineMs } : {}) }
  const slowerBy = answerMs === undefined ? 0 : answerMs - baselineMs
  const isSlow = slowerBy > slowMs && (answerMs ?? 0) > slowFactor * baselineMs
  const isDoubtful = inconclusive > tooDoubtful * schedules
  if (isSlow || isDoubtful || lagMs > tooLateMs || starved > tooStarved) {
    if (sessions > 1) return { ...kept, sessions: half(sessions) }
    const used = Math.min(width, schedules)
    return { ...kept, width: half(used), tooWide: used }
  }
  const isBusy = lagMs > lateMs || inconclusive > 0 || starved > starvedShare
  if (isBusy || schedules < fullShare * width) return kept
  const wider = 2 * width < tooWide ? 2 * width : width + Math.max(1, Math.floor(width / 8))
  return {
    ...kept,
    width: Math.min(maxWidth, wider),
    sessions: Math.min(maxSessions, 2 * sessions),
  }
}

/**
 * What follows from a session that others ran beside: it measured the concurrency at which it was opened, so the first of them
 * decides how much more there may be, and each of them may lower it.
 */
export function concurrencyAfter(
  current: Concurrency,
  atOpening: Concurrency,
  load: BatchLoad,
): Concurrency {
  const next = nextConcurrency(atOpening, load)
  const { width, sessions } = next
  if (current === atOpening) return next
  if (width >= atOpening.width && sessions >= atOpening.sessions) return current
  return {
    ...next,
    width: Math.min(current.width, width),
    sessions: Math.min(current.sessions, sessions),
  }
}
