/** All faults of a search space at messages about orders, and their kinds in the order in which they take turns. */
import { faultClass, type ScheduledFault } from '../../schedules/schedule.ts'
import { oncePerSpace, type SearchSpace, sitesOf, takeTurns } from './strategy.ts'

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

export const candidatesByClass = oncePerSpace(
  (space): ReadonlyMap<string, readonly Candidate[]> => {
    const grouped = Map.groupBy(candidatesIn(space), ({ fault }) => faultClass(fault))
    const sorted = [...grouped].sort(([one], [other]) => (one < other ? -1 : 1))
    const byName = Map.groupBy(sorted, ([, [first]]) => first?.fault.name)
    return new Map(takeTurns([...byName.values()]))
  },
)
