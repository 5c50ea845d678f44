/** The state of a search for a smaller part: the smallest part that failed so far, and the trials of other parts. */
import { closureOf } from '../identity/causality/closure.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { createEnvironment, type PartEnvironment } from './environment.ts'
import type {
  Attempt,
  Budget,
  FailureCount,
  MinimiseOptions,
  MinimiseStage,
  MinimiseStageName,
  RecordingPart,
} from './minimise-options.ts'

/** Minimum certainty of a cause that counts as a dependency. */
const minCauseCertainty = 0.5

/** `order` causes are no dependencies: what only came before need not have happened. */
export const isDependency = ({ kind, sure }: Cause): boolean =>
  kind !== 'order' && sure >= minCauseCertainty

type Trials = ReturnType<typeof createTrials>

const sorted = (ids: ReadonlySet<string> | undefined): readonly string[] | null =>
  ids ? [...ids].sort() : null

const partKey = ({ kept, asap, maxGapMs, bodies, lanes, answers, spared }: RecordingPart): string =>
  JSON.stringify([
    sorted(kept),
    asap || maxGapMs,
    [...bodies].sort(([a], [b]) => (a < b ? -1 : 1)),
    sorted(lanes),
    sorted(answers),
    sorted(spared),
  ])

interface TrialOptions {
  readonly attempt: Attempt
  readonly budget: Budget
  /** Of `of` replays of a part, `fails` must fail: several replays for an intermittent failure. */
  readonly need: () => { readonly fails: number; readonly of: number }
  /** How many replays of one part run at once. */
  readonly parallel: () => number
}

/** Results are cached by part. */
function createTrials({ attempt, budget, need, parallel }: TrialOptions) {
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

export class PartSearch {
  readonly trials: Trials
  readonly stages: MinimiseStage[] = []
  readonly ownLanes: readonly string[]
  readonly #options: MinimiseOptions
  readonly #byId: ReadonlyMap<string, RecordedExchange>
  readonly #dependencies: ReadonlyMap<string, readonly Cause[]>
  readonly #withDependants: ReturnType<typeof closureOf>
  readonly #environment: PartEnvironment
  readonly #whole: RecordingPart
  #part: RecordingPart
  /** Several may be tried at once, so their order is that of the beginning. */
  readonly #tried: { readonly part: RecordingPart; fails: boolean }[]
  #needed = 1

  constructor(options: MinimiseOptions) {
    const { exchanges, culprit, lanesOf, drives, budget, attempt, causes } = options
    this.#options = options
    this.#byId = new Map(exchanges.map((each) => [each.recordId, each]))
    this.#dependencies = new Map(
      exchanges.map(({ recordId }) => [recordId, causes(recordId).filter(isDependency)]),
    )
    this.#withDependants = closureOf(this.#byId.keys(), this.#dependencies, minCauseCertainty)
    this.#environment = createEnvironment({
      exchanges,
      drives,
      causes: (recordId) => this.#dependencies.get(recordId) ?? [],
      lanesOf,
    })
    this.#whole = { asap: false, ...options.pace, kept: drives, bodies: new Map() }
    this.#part = this.#whole
    this.#tried = [{ part: this.#whole, fails: true }]
    this.trials = createTrials({
      attempt,
      budget,
      need: () => ({ fails: 1, of: this.#needed }),
      parallel: () => this.#maxParallel(),
    })
    const failingExchange = this.#byId.get(culprit)
    const culpritLanes = failingExchange ? lanesOf(failingExchange) : []
    const ownLanes = culpritLanes.filter((lane) => lane === options.ownLane)
    this.ownLanes = ownLanes.length > 0 ? ownLanes : culpritLanes
  }

  /** The smallest part that failed so far; the whole at the beginning. */
  part(): RecordingPart {
    return this.#part
  }

  /** Every part that failed, in the order in which they were tried. */
  failing(): readonly RecordingPart[] {
    return this.#tried.flatMap((each) => (each.fails ? each.part : []))
  }

  /** How many replays each part needs, for an intermittent failure. */
  setNeeded(replays: number): void {
    this.#needed = replays
  }

  async stillFails(next: RecordingPart): Promise<boolean> {
    // A part without the failing exchange cannot fail in the same way.
    const { culprit, culpritMayGo = false } = this.#options
    if (!culpritMayGo && !this.#environment(next).has(culprit)) return false
    const attempted = { part: next, fails: false }
    this.#tried.push(attempted)
    attempted.fails = await this.trials.fails(next)
    return attempted.fails
  }

  /** How many replays of several a stage may start at once; one where each part needs several. */
  parallel(): number {
    return this.#needed > 1 ? 1 : this.#maxParallel()
  }

  /** Replays a part without the cache, whether it failed before or not. */
  async replay(next: RecordingPart): Promise<boolean> {
    this.trials.spend()
    return (await this.#options.attempt(next)) === 'fail'
  }

  /** Replays a part several times at once. */
  async replayAtOnce(part: RecordingPart, most: number): Promise<FailureCount> {
    const of = Math.min(this.parallel(), most)
    const failed = await Promise.all(Array.from({ length: of }, () => this.replay(part)))
    return { fails: failed.filter(Boolean).length, of }
  }

  /** Accepts the changed part when it still fails. */
  async tryPart(change: Partial<RecordingPart>): Promise<boolean> {
    const next = { ...this.#part, ...change }
    if (!(await this.stillFails(next))) return false
    this.#part = next
    return true
  }

  /** Accepts a part that is known to fail. */
  accept(next: RecordingPart): void {
    this.#part = next
  }

  /** Begins again with the whole. */
  reset(): void {
    this.#part = this.#whole
    this.#tried.splice(1)
  }

  async runStage(stage: MinimiseStageName, work: () => Promise<void>): Promise<void> {
    const before = this.#sizeOf(this.#part)
    const made = this.trials.made()
    await work()
    const after = this.#sizeOf(this.#part)
    const row = { stage, before, after, replays: this.trials.made() - made }
    this.stages.push(row)
    this.#options.onStage?.(row)
  }

  /** The driving exchanges of the part that these lanes and their causes need. */
  partOfLanes(lanes: ReadonlySet<string>): RecordingPart {
    const { exchanges, culprit, lanesOf } = this.#options
    const ids = exchanges
      .filter((each) => each.recordId === culprit || lanesOf(each).some((lane) => lanes.has(lane)))
      .map(({ recordId }) => recordId)
    const wanted = this.#withCausesOf(ids, lanes)
    const part = this.#part
    return { ...part, kept: new Set([...part.kept].filter((id) => wanted.has(id))), lanes }
  }

  /** The exchanges that depend on this one, among those that are left. */
  dependants(id: string, left: ReadonlySet<string>): readonly string[] {
    return [...this.#withDependants([id])].filter((each) => left.has(each))
  }

  exchangesLeft(): readonly RecordedExchange[] {
    return this.#options.exchanges.filter(({ recordId }) => this.#part.kept.has(recordId))
  }

  #maxParallel(): number {
    return Math.max(1, Math.floor(this.#options.parallel?.() ?? 1))
  }

  #sizeOf(some: RecordingPart): number {
    return this.#environment(some).size
  }

  /** These and what they come of. What a batch brings of other lanes is cut away, and so is what that comes of. */
  #withCausesOf(ids: readonly string[], lanes: ReadonlySet<string>): ReadonlySet<string> {
    const { lanesOf } = this.#options
    const isForeign = (id: string): boolean => {
      const exchange = this.#byId.get(id)
      const own = exchange ? lanesOf(exchange) : []
      return own.length > 0 && !own.some((lane) => lanes.has(lane))
    }
    const reached = new Set(ids)
    // Iterating a set includes members that are added during the iteration.
    for (const id of reached) {
      const exchange = this.#byId.get(id)
      const isBatch = exchange !== undefined && lanesOf(exchange).length > 1
      for (const cause of this.#dependencies.get(id) ?? [])
        if (this.#byId.has(cause.id) && !(isBatch && isForeign(cause.id))) reached.add(cause.id)
    }
    return reached
  }
}
