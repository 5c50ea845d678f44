/** Faults that never end by themselves: every call of one operation about one order fails or hangs, and the other orders must go on. */
import { operation as rowOf, type OperationId } from '../../protocol/catalogue.ts'
import { hasTrait } from '../fault-traits.ts'
import { faultClass, type ScheduledFault } from '../schedule.ts'
import { type SearchSpace, sitesOf, type Strategy, takeTurns } from './strategy.ts'

/** Longer than a service has to bring the other orders to their end. */
const faultPhaseMs = 150_000

/** The orders of a workload. */
const slotsOf = (space: SearchSpace, workload: string): ReadonlySet<string | undefined> =>
  new Set(sitesOf(space, workload).map(({ slot }) => slot))

interface Candidate {
  readonly workload: string
  readonly fault: ScheduledFault
}

/** What can fail for good in the workloads, by kind. */
function candidatesByKind(space: SearchSpace): ReadonlyMap<string, readonly Candidate[]> {
  const all = space.workloads.flatMap((workload) =>
    sitesOf(space, workload).flatMap(({ choices }) =>
      choices
        .filter(({ options, burst, ...fault }) => {
          const isWithoutEffect = options['effect'] !== 'after'
          const isFirst = fault.match.nth === 1 && burst === undefined
          return hasTrait(fault, 'lasting') && isFirst && isWithoutEffect
        })
        .map((fault) => ({ workload, fault })),
    ),
  )
  return Map.groupBy(all, ({ fault }) => faultClass(fault))
}

/** Calls that change something come before readings, and the names of faults alternate from operation to operation. */
function inTurn(
  kinds: ReadonlyMap<string, readonly Candidate[]>,
): readonly (readonly Candidate[])[] {
  const operationOf = (candidates: readonly Candidate[]) => candidates[0]?.fault.match.operation
  const byOperation = [...Map.groupBy(kinds.values(), operationOf)].sort(([one], [other]) =>
    rankOf(one) < rankOf(other) ? -1 : 1,
  )
  return takeTurns(byOperation.map(([, candidates]) => candidates))
}

const rankOf = (operation: OperationId | undefined): string => {
  const { webhook, method } = operation === undefined ? {} : rowOf(operation)
  return `${webhook ? 2 : method === 'GET' ? 1 : 0} ${operation}`
}

export const permanent: Strategy = {
  name: 'permanent',
  about: 'every call of one operation about one order fails or hangs, and has no effect',
  draw(space, turn, chance) {
    const kinds = inTurn(candidatesByKind(space))
    const candidates = kinds[turn % Math.max(1, kinds.length)]
    if (!candidates) return undefined
    const several = candidates.filter(({ workload }) => slotsOf(space, workload).size > 1)
    const { workload, fault } = chance.pick(
      several.length > 0 && !chance.oneIn(4) ? several : candidates,
    )
    const { name, match, options } = fault
    const { nth: _nth, ...everyAttempt } = match
    return { workload, faults: [{ name, match: everyAttempt, options }], faultPhaseMs }
  },
}
