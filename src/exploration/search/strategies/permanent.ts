/** Faults that never end by themselves: every call of one operation about one order fails or hangs, and the other orders must go on. */
import { operation as rowOf, type OperationId } from '../../../protocol/catalogue.ts'
import { hasTrait } from '../../schedules/fault-traits.ts'
import { faultClass } from '../../schedules/schedule.ts'
import { type Candidate, candidatesIn } from './candidates.ts'
import { type SearchSpace, sitesOf, type Strategy, takeTurns } from './strategy.ts'

/** Longer than a service has to bring the other orders to their end. */
const faultPhaseMs = 150_000

/** The orders of a workload. */
const slotsOf = (space: SearchSpace, workload: string): ReadonlySet<string | undefined> =>
  new Set(sitesOf(space, workload).map(({ slot }) => slot))

/** What can fail for good: from the first attempt on, and without effect. */
const isPermanent = ({ fault: { name, match, burst, options } }: Candidate): boolean =>
  hasTrait({ name }, 'permanent') &&
  match.nth === 1 &&
  burst === undefined &&
  options['effect'] !== 'after'

const bySpace = new WeakMap<SearchSpace, readonly (readonly Candidate[])[]>()

/** By kind: calls that change something come before readings, and the names of faults alternate from operation to operation. */
function candidatesInTurn(space: SearchSpace): readonly (readonly Candidate[])[] {
  const known = bySpace.get(space)
  if (known) return known
  const kinds = Map.groupBy(candidatesIn(space).filter(isPermanent), ({ fault }) =>
    faultClass(fault),
  )
  const byOperation = [...Map.groupBy(kinds.values(), ([first]) => first?.fault.match.operation)]
  byOperation.sort(([one], [other]) => (rankOf(one) < rankOf(other) ? -1 : 1))
  const inTurns = takeTurns(byOperation.map(([, ofOperation]) => ofOperation))
  bySpace.set(space, inTurns)
  return inTurns
}

const rankOf = (operation: OperationId | undefined): string => {
  const { webhook, method } = operation === undefined ? {} : rowOf(operation)
  return `${webhook ? 2 : method === 'GET' ? 1 : 0} ${operation}`
}

export const permanent: Strategy = {
  name: 'permanent',
  about: 'every call of one operation about one order fails or hangs, and has no effect',
  draw(space, turn, chance) {
    const kinds = candidatesInTurn(space)
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
