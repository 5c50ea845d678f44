/**
 * Faults at the events by which a service first hears of an order, in two forms by turns: each order of a workload has another
 * one, and kinds take turns; the event comes late on every channel, when the order is cancelled already.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import { faultsIn } from './calls.ts'
import { isDelivery, isRevealing, lateOnEveryChannel } from './deliveries.ts'
import {
  type DrawnFaults,
  isFailure,
  pickByName,
  type SearchSpace,
  slotsOf,
  type Strategy,
} from './strategy.ts'

type Form = (space: SearchSpace, round: number, chance: Chance) => DrawnFaults | undefined

/** The workload with the most orders: it has room for the most kinds. */
function largestWorkload(space: SearchSpace): string | undefined {
  const count = (workload: string): number => slotsOf(space, workload).size
  return [...space.workloads].sort((one, other) => count(other) - count(one))[0]
}

const ofEachOrder: Form = (space, round, chance) => {
  const workload = largestWorkload(space)
  if (workload === undefined) return undefined
  const revealing = faultsIn(space, workload).filter(
    (fault) => isRevealing(fault) && (fault.match.nth ?? 1) === 1,
  )
  // What a webhook alone can have comes first, and what is tried again anyway comes last.
  const rankOf = (fault: ScheduledFault): string =>
    `${isFailure(fault) ? 2 : isDelivery(fault) ? 1 : 0} ${fault.name}`
  const kinds = [...new Set(revealing.map(rankOf))].sort()
  const slots = [...slotsOf(space, workload)]
  const faults = slots.flatMap((slot, place) => {
    const kind = kinds[(round * slots.length + place) % Math.max(1, kinds.length)]
    const choices = revealing.filter(
      (fault) => fault.match.order === slot && rankOf(fault) === kind,
    )
    return pickByName(choices, chance) ?? []
  })
  return faults.length > 0 ? { workload, faults } : undefined
}

const afterCancellation: Form = (space, round, chance) =>
  lateOnEveryChannel(space, round, chance, isRevealing)

export const firstEvents: Strategy = {
  name: 'first-events',
  about: 'the events by which a service first hears of orders are late, forged, slow or repeated',
  draw(space, turn, chance) {
    const [round, place] = [Math.floor(turn / 3), turn % 3]
    return place === 0
      ? ofEachOrder(space, round, chance)
      : afterCancellation(space, 2 * round + place - 1, chance)
  },
}
