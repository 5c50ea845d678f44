/**
 * An order is cancelled while a call about it fails: every attempt of one operation, without effect or after it; or while
 * its readings take long. Operations take turns, and so do the ways.
 */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { hasTrait } from '../../../core/faults/catalogue.ts'
import { definitionOf } from '../../schedules/fault-traits.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import {
  atEveryAttempt,
  faultsIn,
  isCreation,
  isFirstAttempt,
  isReading,
  isThirdParty,
  takeTurnsByOperation,
} from './calls.ts'
import { workloadsWithCancellation } from './deliveries.ts'
import { type Candidate, isFailure, oncePerSpace, pickByName, type Strategy } from './strategy.ts'

/** What becomes of every attempt of a call: it fails after its effect, it fails otherwise, it takes long. */
type FailureMode = 'ambiguous' | 'failing' | 'slow'

function failureModeOf(fault: ScheduledFault, operation: OperationId): FailureMode | undefined {
  if (isReading(operation) && definitionOf(fault)?.symptom === 'slow') return 'slow'
  if (!isFailure(fault) || hasTrait(fault, 'client-wide')) return undefined
  // A truncated answer too comes after the effect.
  return isReading(operation) || fault.options['effect'] === 'before' ? 'failing' : 'ambiguous'
}

/** What may have been created without an answer has to be undone; elsewhere, that nothing happens is tried first. */
const failureModesOf = (operation: OperationId): readonly FailureMode[] =>
  isCreation(operation) ? ['ambiguous', 'failing'] : ['failing', 'slow', 'ambiguous']

interface Race {
  readonly operation: OperationId
  readonly mode: FailureMode
  readonly candidates: readonly Candidate[]
}

const racesInTurn = oncePerSpace((space): readonly Race[] => {
  const races = new Map<string, Race & { readonly candidates: Candidate[] }>()
  for (const workload of workloadsWithCancellation(space))
    for (const fault of faultsIn(space, workload)) {
      const { operation } = fault.match
      const mode = operation && isFirstAttempt(fault) ? failureModeOf(fault, operation) : undefined
      if (operation === undefined || mode === undefined) continue
      const race = races.get(`${operation} ${mode}`) ?? { operation, mode, candidates: [] }
      race.candidates.push({ workload, fault: atEveryAttempt(fault) })
      races.set(`${operation} ${mode}`, race)
    }
  const placeOf = ({ operation, mode }: Race): number => failureModesOf(operation).indexOf(mode)
  const sorted = [...races.values()].sort((one, other) => placeOf(one) - placeOf(other))
  return takeTurnsByOperation(sorted)
})

export const cancellationRaces: Strategy = {
  name: 'cancellation-races',
  about: 'every call of one operation fails or is slow, and the order is cancelled meanwhile',
  draw(space, turn, chance) {
    const races = racesInTurn(space)
    const race = races[turn % Math.max(1, races.length)]
    if (!race) return undefined
    const { operation, mode, candidates } = race
    const workloads = [...new Set(candidates.map((each) => each.workload))]
    // What undoes something is called only where the order is cancelled late enough that it was done.
    const first = failureModesOf(operation).indexOf(mode) + (isThirdParty(operation) ? 1 : 0)
    const round = Math.floor(turn / races.length)
    const workload = workloads[(first + round) % workloads.length]
    const fault = pickByName(
      candidates.flatMap((each) => (each.workload === workload ? [each.fault] : [])),
      chance,
    )
    return workload !== undefined && fault ? { workload, faults: [fault] } : undefined
  },
}
