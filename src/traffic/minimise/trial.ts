/** One replay of a part of a recording, to see whether it still fails in the same way. */

/** A part of a recording, perhaps simplified. */
export interface Part {
  /** The exchanges that are left, by `recordId`. */
  readonly kept: ReadonlySet<string>
  /** Nothing waits for the recording's time, only for what it comes of. */
  readonly asap: boolean
  /** Bodies that were made smaller, by `recordId`: of a partner's request, or of its reply. */
  readonly bodies: ReadonlyMap<string, string>
}

/**
 * `fail`: the same failure, by its signature. `pass`: no failure. `unresolved`: it could not be carried through, or
 * failed in another way; that is no proof of anything, so the part is not taken.
 */
export type Outcome = 'fail' | 'pass' | 'unresolved'

export type Attempt = (part: Part) => Promise<Outcome>

export interface Budget {
  /** Replays at most, the first ones that confirm the failure among them. */
  readonly replays: number
  /** Asked before each replay: the time is over, or somebody interrupts. What was found until then is kept. */
  readonly isOver: () => boolean
}

export interface Trials {
  /** Whether this part still fails; false also when there is no budget left to ask. */
  readonly fails: (part: Part) => Promise<boolean>
  /** Replays that were made. */
  readonly made: () => number
  readonly exhausted: () => boolean
}

const keyOf = ({ kept, asap, bodies }: Part): string =>
  JSON.stringify([[...kept].sort(), asap, [...bodies].sort(([a], [b]) => (a < b ? -1 : 1))])

export interface TrialOptions {
  readonly attempt: Attempt
  readonly budget: Budget
  /** Of so many replays of one part, so many must fail: more than one for a failure that comes and goes. */
  readonly need: { readonly fails: number; readonly of: number }
}

/** Each part is replayed once, however often it is asked for. */
export function createTrials({ attempt, budget, need }: TrialOptions): Trials {
  const known = new Map<string, boolean>()
  let made = 0
  let exhausted = false

  async function ask(part: Part): Promise<boolean | undefined> {
    let fails = 0
    for (let run = 0; run < need.of; run++) {
      if (made >= budget.replays || budget.isOver()) {
        exhausted = true
        return undefined
      }
      made++
      if ((await attempt(part)) === 'fail') fails++
      if (fails >= need.fails) return true
      if (fails + need.of - run - 1 < need.fails) return false
    }
    return false
  }

  return {
    async fails(part) {
      const key = keyOf(part)
      const before = known.get(key)
      if (before !== undefined) return before
      const outcome = await ask(part)
      if (outcome !== undefined) known.set(key, outcome)
      return outcome ?? false
    },
    made: () => made,
    exhausted: () => exhausted,
  }
}
