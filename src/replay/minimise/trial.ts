/** Trials: replays of a part of a recording, to see whether it still fails in the same way. */

/** A part of a recording, possibly simplified. */
export interface RecordingPart {
  /** The exchanges that are left of those that drive a replay, by `recordId`; their environment comes with them. */
  readonly kept: ReadonlySet<string>
  /** Polls and acknowledgments are narrowed to the events of these lanes; all when absent. */
  readonly lanes?: ReadonlySet<string>
  /** The exchanges of the environment that are left; all when absent. */
  readonly answers?: ReadonlySet<string>
  /** Only causes are awaited, not recorded time. */
  readonly asap: boolean
  /** Shrunk bodies of the partner's requests or replies, by `recordId`. */
  readonly bodies: ReadonlyMap<string, string>
}

/**
 * `fail`: the same failure, by its signature. `pass`: no failure. `unresolved`: not completed, or another failure; that
 * proves nothing, so the part is not accepted.
 */
export type TrialOutcome = 'fail' | 'pass' | 'unresolved'

export type Attempt = (part: RecordingPart) => Promise<TrialOutcome>

export interface Budget {
  /** Maximum number of replays, including those that confirm the failure. */
  readonly replays: number
  /** Asked before replays that only simplify bodies. */
  readonly isLate?: () => boolean
  /** Asked before each replay: time limit or interruption. Results so far are kept. */
  readonly isOver: () => boolean
}

export type Trials = ReturnType<typeof createTrials>

const sorted = (ids: ReadonlySet<string> | undefined): readonly string[] | null =>
  ids ? [...ids].sort() : null

const partKey = ({ kept, asap, bodies, lanes, answers }: RecordingPart): string =>
  JSON.stringify([
    sorted(kept),
    asap,
    [...bodies].sort(([a], [b]) => (a < b ? -1 : 1)),
    sorted(lanes),
    sorted(answers),
  ])

export interface TrialOptions {
  readonly attempt: Attempt
  readonly budget: Budget
  /** Of `of` replays of a part, `fails` must fail: several replays for an intermittent failure. */
  readonly need: () => { readonly fails: number; readonly of: number }
  /** How many replays of one part run at once. */
  readonly parallel: () => number
}

/** Results are cached by part. */
export function createTrials({ attempt, budget, need, parallel }: TrialOptions) {
  const outcomes = new Map<string, boolean>()
  let made = 0
  let exhausted = false

  async function replay(part: RecordingPart): Promise<boolean | undefined> {
    const { fails: wanted, of } = need()
    let fails = 0
    let runs = 0
    while (fails < wanted && fails + of - runs >= wanted) {
      const most = Math.min(parallel(), of - runs, budget.replays - made)
      if (most < 1 || budget.isOver()) {
        exhausted = true
        return undefined
      }
      runs += most
      made += most
      const ended = await Promise.all(Array.from({ length: most }, () => attempt(part)))
      fails += ended.filter((outcome) => outcome === 'fail').length
    }
    return fails >= wanted
  }

  return {
    /** Whether this part still fails; false also when the budget is exhausted. */
    async fails(part: RecordingPart): Promise<boolean> {
      const key = `${need().of} ${partKey(part)}`
      const before = outcomes.get(key)
      if (before !== undefined) return before
      const outcome = await replay(part)
      if (outcome !== undefined) outcomes.set(key, outcome)
      return outcome ?? false
    },
    /** Number of replays so far. */
    made: () => made,
    /** Counts a replay that is no trial. */
    spend() {
      made++
    },
    exhausted: () => exhausted,
  }
}
