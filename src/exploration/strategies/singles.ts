/**
 * One fault in a schedule, stratified: the kinds of faults take turns, and within a kind workload, message and size are drawn.
 * It shows that every fault was tried at every kind of message; the first kinds differ in their fault and their message both.
 */
import { faultClass, type ScheduledFault } from '../schedule.ts'
import { type SearchSpace, type Strategy, takeTurns } from './strategy.ts'

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
  const sorted = [...grouped].sort(([one], [other]) => (one < other ? -1 : 1))
  const byName = Map.groupBy(sorted, ([, [first]]) => first?.fault.name)
  const inTurns = new Map(takeTurns([...byName.values()]))
  bySpace.set(space, inTurns)
  return inTurns
}

export const singles: Strategy = {
  name: 'singles',
  about: 'one fault; every kind of fault at every kind of message takes its turn',
  draw(space, turn, chance) {
    const classes = [...candidatesByClass(space).values()]
    const candidates = classes[turn % Math.max(1, classes.length)]
    if (!candidates) return undefined
    const outlasting = candidates.filter(({ fault }) => fault.burst !== undefined)
    const isOutlasting = outlasting.length > 0 && chance.oneIn(2)
    const { workload, fault } = chance.pick(isOutlasting ? outlasting : candidates)
    return { workload, faults: [fault] }
  },
}
