/**
 * One fault in a schedule, stratified: the kinds of faults take turns, and within a kind workload, message and size are drawn.
 * It shows that every fault was tried at every kind of message.
 */
import { faultClass, type ScheduledFault } from '../schedule.ts'
import type { SearchSpace, Strategy } from './strategy.ts'

interface Candidate {
  readonly workload: string
  readonly fault: ScheduledFault
}

const bySpace = new WeakMap<SearchSpace, ReadonlyMap<string, readonly Candidate[]>>()

/** All faults at messages about orders, by their kind. */
export function candidatesByClass(space: SearchSpace): ReadonlyMap<string, readonly Candidate[]> {
  const known = bySpace.get(space)
  if (known) return known
  const all = space.workloads.flatMap((workload) =>
    (space.own.get(workload) ?? []).flatMap(({ choices }) =>
      choices.map((fault) => ({ workload, fault })),
    ),
  )
  const grouped = Map.groupBy(all, ({ fault }) => faultClass(fault))
  const sorted = new Map([...grouped].sort(([one], [other]) => (one < other ? -1 : 1)))
  bySpace.set(space, sorted)
  return sorted
}

export const singles: Strategy = {
  name: 'singles',
  about: 'one fault; every kind of fault at every kind of message takes its turn',
  draw(space, turn, chance) {
    const classes = [...candidatesByClass(space).values()]
    const candidates = classes[turn % Math.max(1, classes.length)]
    if (!candidates) return undefined
    const { workload, fault } = chance.pick(candidates)
    return { workload, faults: [fault] }
  },
}
