/**
 * Two faults at messages of the same order: any two, or two attempts of one call fail in different ways, the second in
 * two of three schedules because of the client.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import { hasTrait } from '../../../core/faults/catalogue.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import { faultsIn, isFirstAttempt, takeTurnsByOperation } from './calls.ts'
import { workloadsWithoutCancellation } from './deliveries.ts'
import {
  type Candidate,
  candidatesIn,
  type DrawnFaults,
  isFailure,
  oncePerSpace,
  pickByName,
  pickWorkload,
  type SearchSpace,
  sitesOf,
  type Strategy,
} from './strategy.ts'

/** Whether a call is refused because of who makes it, or how often: its credentials, its rate. */
const isOfClient = (fault: ScheduledFault): boolean => hasTrait(fault, 'client-wide')

/** First attempts that fail, by operation. */
const firstAttempts = oncePerSpace((space): readonly (readonly Candidate[])[] => {
  const workloads = new Set(workloadsWithoutCancellation(space))
  const candidates = candidatesIn(space).filter(
    ({ workload, fault }) =>
      workloads.has(workload) && isFirstAttempt(fault) && isFailure(fault) && !isOfClient(fault),
  )
  const byOperation = Map.groupBy(candidates, ({ fault }) => fault.match.operation)
  return takeTurnsByOperation(
    [...byOperation].flatMap(([operation, ofOperation]) =>
      operation === undefined ? [] : [{ operation, ofOperation }],
    ),
  ).map(({ ofOperation }) => ofOperation)
})

function twoAttempts(space: SearchSpace, round: number, chance: Chance): DrawnFaults | undefined {
  const operations = firstAttempts(space)
  const candidates = operations[round % Math.max(1, operations.length)] ?? []
  if (candidates.length === 0) return undefined
  const { workload } = chance.pick(candidates)
  const first = pickByName(
    candidates.flatMap(({ workload: other, fault }) => (other === workload ? [fault] : [])),
    chance,
  )
  const seconds = faultsIn(space, workload).filter(
    (fault) =>
      isFailure(fault) &&
      fault.match.nth === 2 &&
      fault.name !== first?.name &&
      fault.match.operation === first?.match.operation &&
      fault.match.order === first?.match.order,
  )
  const ofClient = seconds.filter(isOfClient)
  const second = pickByName(ofClient.length > 0 && round % 3 < 2 ? ofClient : seconds, chance)
  return first && second ? { workload, faults: [first, second] } : undefined
}

function anyTwo(space: SearchSpace, chance: Chance): DrawnFaults | undefined {
  const workload = pickWorkload(space, chance)
  const sites = sitesOf(space, workload)
  if (sites.length === 0) return undefined
  const { slot } = chance.pick(sites)
  const ofOrder = sites.filter((site) => site.slot === slot)
  const faults = [1, 2].flatMap(() => pickByName(chance.pick(ofOrder).choices, chance) ?? [])
  return { workload, faults }
}

export const pairs: Strategy = {
  name: 'pairs',
  about: 'two faults at messages of one order',
  draw(space, turn, chance) {
    const [round, place] = [Math.floor(turn / 3), turn % 3]
    const faults = place < 2 ? twoAttempts(space, 2 * round + place, chance) : undefined
    return faults ?? anyTwo(space, chance)
  },
}
