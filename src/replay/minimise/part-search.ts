/** The state of a search for a smaller part: the smallest part that failed so far, and the trials of other parts. */
import { causalClosure } from '../identity/causality/closure.ts'
import type { Cause, RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { createEnvironment } from './environment.ts'
import type { MinimiseOptions, MinimiseStage, MinimiseStageName } from './minimise-options.ts'
import { createTrials, type RecordingPart } from './trial.ts'

/** Minimum certainty of a cause that counts as a dependency. */
const minCauseCertainty = 0.5

/** `order` causes are no dependencies: what only came before need not have happened. */
export const isDependency = ({ kind, sure }: Cause): boolean =>
  kind !== 'order' && sure >= minCauseCertainty

export type PartSearch = ReturnType<typeof createPartSearch>

export function createPartSearch(options: MinimiseOptions) {
  const { exchanges, culprit, culpritMayGo = false, lanesOf, drives, budget, attempt } = options
  const byId = new Map(exchanges.map((each) => [each.recordId, each]))
  const dependencies = new Map(
    exchanges.map(({ recordId }) => [recordId, options.causes(recordId).filter(isDependency)]),
  )
  const { withDependants } = causalClosure(byId.keys(), dependencies, minCauseCertainty)
  const environment = createEnvironment({
    exchanges,
    drives,
    causes: (recordId) => dependencies.get(recordId) ?? [],
    lanesOf,
  })
  const whole: RecordingPart = { kept: drives, asap: options.asap === true, bodies: new Map() }
  let part = whole
  /** Several may be tried at once, so their order is that of the beginning. */
  const tried: { readonly part: RecordingPart; fails: boolean }[] = [{ part, fails: true }]
  const stages: MinimiseStage[] = []
  let needed = 1
  const parallel = (): number => Math.max(1, Math.floor(options.parallel?.() ?? 1))
  const trials = createTrials({
    attempt,
    budget,
    need: () => ({ fails: 1, of: needed }),
    parallel,
  })
  const failingExchange = byId.get(culprit)
  const culpritLanes = failingExchange ? lanesOf(failingExchange) : []
  const ownLanes = culpritLanes.filter((lane) => lane === options.ownLane)

  const sizeOf = (some: RecordingPart): number => environment(some).size

  async function stillFails(next: RecordingPart): Promise<boolean> {
    // A part without the failing exchange cannot fail in the same way.
    if (!culpritMayGo && !environment(next).has(culprit)) return false
    const attempted = { part: next, fails: false }
    tried.push(attempted)
    attempted.fails = await trials.fails(next)
    return attempted.fails
  }

  /** These and what they come of. What a batch brings of other lanes is cut away, and so is what that comes of. */
  function withCausesOf(ids: readonly string[], lanes: ReadonlySet<string>): ReadonlySet<string> {
    const isForeign = (id: string): boolean => {
      const exchange = byId.get(id)
      const own = exchange ? lanesOf(exchange) : []
      return own.length > 0 && !own.some((lane) => lanes.has(lane))
    }
    const reached = new Set(ids)
    // Iterating a set includes members that are added during the iteration.
    for (const id of reached) {
      const exchange = byId.get(id)
      const isBatch = exchange !== undefined && lanesOf(exchange).length > 1
      for (const cause of dependencies.get(id) ?? [])
        if (byId.has(cause.id) && !(isBatch && isForeign(cause.id))) reached.add(cause.id)
    }
    return reached
  }

  return {
    /** The smallest part that failed so far; the whole at the beginning. */
    part: (): RecordingPart => part,
    /** Every part that failed, in the order in which they were tried. */
    failing: (): readonly RecordingPart[] => tried.flatMap((each) => (each.fails ? each.part : [])),
    trials,
    stages,
    /** How many replays each part needs, for an intermittent failure. */
    setNeeded(replays: number) {
      needed = replays
    },
    stillFails,
    /** How many replays of several a stage may start at once; one where each part needs several. */
    parallel: () => (needed > 1 ? 1 : parallel()),
    /** Replays a part without the cache, whether it failed before or not. */
    replay: async (next: RecordingPart): Promise<boolean> => {
      trials.spend()
      return (await attempt(next)) === 'fail'
    },
    /** Accepts the changed part when it still fails. */
    tryPart: async (change: Partial<RecordingPart>): Promise<boolean> => {
      const next = { ...part, ...change }
      if (!(await stillFails(next))) return false
      part = next
      return true
    },
    /** Accepts a part that is known to fail. */
    accept: (next: RecordingPart) => {
      part = next
    },
    /** Begins again with the whole. */
    reset() {
      part = whole
      tried.splice(1)
    },
    runStage: async (stage: MinimiseStageName, work: () => Promise<void>): Promise<void> => {
      const before = sizeOf(part)
      const made = trials.made()
      await work()
      const row = { stage, before, after: sizeOf(part), replays: trials.made() - made }
      stages.push(row)
      options.onStage?.(row)
    },
    /** The driving exchanges of the part that these lanes and their causes need. */
    partOfLanes(lanes: ReadonlySet<string>): RecordingPart {
      const ids = exchanges
        .filter(
          (each) => each.recordId === culprit || lanesOf(each).some((lane) => lanes.has(lane)),
        )
        .map(({ recordId }) => recordId)
      const wanted = withCausesOf(ids, lanes)
      return { ...part, kept: new Set([...part.kept].filter((id) => wanted.has(id))), lanes }
    },
    /** The exchanges that depend on this one, among those that are left. */
    dependants: (id: string, left: ReadonlySet<string>): readonly string[] =>
      [...withDependants([id])].filter((each) => left.has(each)),
    ownLanes: ownLanes.length > 0 ? ownLanes : culpritLanes,
    exchangesLeft: (): readonly RecordedExchange[] =>
      exchanges.filter(({ recordId }) => part.kept.has(recordId)),
  }
}
