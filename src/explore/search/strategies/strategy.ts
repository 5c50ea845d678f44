/** The definition of a strategy: how the faults of the schedule with a number are drawn. Pure. */
import type { Chance } from '../../../core/engine/chance.ts'
import { hasTrait } from '../../../core/faults/catalogue.ts'
import { faultClass, type ScheduledFault } from '../../schedules/schedule.ts'

/** One message of a workload with the faults that can distort it. */
export interface FaultSite {
  readonly slot: string | undefined
  readonly choices: readonly ScheduledFault[]
}

/** What schedules are drawn from. */
export interface SearchSpace {
  /** The names of the workloads, in a fixed order. */
  readonly workloads: readonly string[]
  /** By workload, the messages about its orders. */
  readonly own: ReadonlyMap<string, readonly FaultSite[]>
  /** The messages about no single order. */
  readonly shared: readonly FaultSite[]
  /** Those that end the service, each at a kind of message; none where it is not ours to start. */
  readonly crashes?: readonly ScheduledFault[]
  /** By workload, the slots of orders that are placed when others are under way. */
  readonly later: ReadonlyMap<string, ReadonlySet<string>>
}

/** Longer than a service has to bring other orders to their end, and than most partners send a webhook again. */
export const lastingPhaseMs = 150_000

export interface DrawnFaults {
  readonly workload: string
  readonly faults: readonly ScheduledFault[]
  /** How long faults stay in force after the steps, in ms, where it is not the usual time. */
  readonly faultPhaseMs?: number
}

export interface Strategy {
  readonly name: string
  /** One sentence: what it draws. */
  readonly about: string
  /** Draws the faults at messages about no single order for a group of neighbours, in place of the usual ones. */
  readonly drawShared?: (space: SearchSpace, chance: Chance) => readonly ScheduledFault[]
  /** `turn`: how many schedules this strategy has drawn before. Undefined where the space has nothing for it. */
  readonly draw: (space: SearchSpace, turn: number, chance: Chance) => DrawnFaults | undefined
}

/** Whether a fault makes a caller try again. */
export const isFailure = (fault: Pick<ScheduledFault, 'name'>): boolean =>
  hasTrait(fault, 'failure')

export const sitesOf = ({ own }: SearchSpace, workload: string): readonly FaultSite[] =>
  own.get(workload) ?? []

/**
 * One of the workloads; every other time, of two that are drawn, the one with more messages: more can go wrong in it.
 */
export function pickWorkload(space: SearchSpace, chance: Chance): string {
  const [one, other] = [chance.pick(space.workloads), chance.pick(space.workloads)]
  if (chance.oneIn(2)) return one
  return sitesOf(space, one).length >= sitesOf(space, other).length ? one : other
}

/** One of the faults, each name as likely as every other, whatever number of sizes it has. */
export function pickByName(
  choices: readonly ScheduledFault[],
  chance: Chance,
): ScheduledFault | undefined {
  const names = [...new Set(choices.map(({ name }) => name))]
  if (names.length === 0) return undefined
  const name = chance.pick(names)
  return chance.pick(choices.filter((each) => each.name === name))
}

/** The orders that the messages of a workload are about. */
export const slotsOf = (space: SearchSpace, workload: string): ReadonlySet<string | undefined> =>
  new Set(sitesOf(space, workload).map(({ slot }) => slot))

/** One of each group after the other, until all have had their turn. */
export function interleave<Item>(groups: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(0, ...groups.map(({ length }) => length))
  return Array.from({ length: longest }, (_, round) =>
    groups.flatMap((group) => group.slice(round, round + 1)),
  ).flat()
}

/** The same, and each group begins at another place. */
export const takeTurns = <Item>(groups: readonly (readonly Item[])[]): readonly Item[] =>
  interleave(
    groups.map((group, place) => {
      const first = place % Math.max(1, group.length)
      return [...group.slice(first), ...group.slice(0, first)]
    }),
  )

/** Found once for each space. */
export function oncePerSpace<Found>(
  find: (space: SearchSpace) => Found,
): (space: SearchSpace) => Found {
  const found = new WeakMap<SearchSpace, { readonly value: Found }>()
  return (space) => {
    const { value } = found.get(space) ?? { value: find(space) }
    found.set(space, { value })
    return value
  }
}

/** A fault at a message of a workload. */
export interface Candidate {
  readonly workload: string
  readonly fault: ScheduledFault
}

export const candidatesIn = (space: SearchSpace): readonly Candidate[] =>
  space.workloads.flatMap((workload) =>
    sitesOf(space, workload).flatMap(({ choices }) =>
      choices.map((fault) => ({ workload, fault })),
    ),
  )

/** In the order in which kinds take turns. */
export const candidatesByClass = oncePerSpace(
  (space): ReadonlyMap<string, readonly Candidate[]> => {
    const grouped = Map.groupBy(candidatesIn(space), ({ fault }) => faultClass(fault))
    const sorted = [...grouped].sort(([one], [other]) => (one < other ? -1 : 1))
    const byName = Map.groupBy(sorted, ([, [first]]) => first?.fault.name)
    return new Map(takeTurns([...byName.values()]))
  },
)

/** Whether something with a probability in percent happens. */
export const isDrawn = (percent: number, chance: Chance): boolean =>
  chance.fraction() * 100 < percent
