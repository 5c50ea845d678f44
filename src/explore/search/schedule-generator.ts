/**
 * Which schedule has which number: a pure function of seed, number and search space, so that a part of a campaign draws the
 * same schedules as the whole. Neighbours share the faults that distort the messages of all orders, so that they can run
 * side by side.
 */
import { createChance } from '../../core/engine/chance.ts'
import { createSchedule, type Schedule, type ScheduledFault } from '../schedules/schedule.ts'
import { createPlaceFinder } from './group-forms.ts'
import { type GroupSizes, smallGroupsFirst } from './neighbours.ts'
import { dense } from './strategies/dense.ts'
import type { SearchSpace, Strategy } from './strategies/strategy.ts'
import { strategyOfTurn } from './turns.ts'

export interface DrawnSchedule {
  readonly index: number
  readonly strategy: string
  readonly schedule: Schedule
}

export interface ScheduleGenerator {
  readonly drawn: (index: number) => DrawnSchedule
}

export interface ScheduleGeneratorOptions {
  readonly seed: number
  /** The strategies to draw from in turn, when they are not the usual ones. */
  readonly strategies?: readonly Strategy[] | undefined
  readonly groupSizes?: GroupSizes | undefined
  /** The longest time after its steps for which a schedule can keep its faults in force, in ms of the session. */
  readonly maxPhaseMs?: number | undefined
}

export function createScheduleGenerator(
  space: SearchSpace,
  {
    seed,
    strategies,
    groupSizes = smallGroupsFirst,
    maxPhaseMs = Number.POSITIVE_INFINITY,
  }: ScheduleGeneratorOptions,
): ScheduleGenerator {
  const chance = createChance(seed, 'exploration')
  const placeOf = createPlaceFinder(groupSizes, maxPhaseMs)
  let shared = { group: -1, faults: [] as readonly ScheduledFault[] }

  function sharedOf(index: number, { drawShared }: Strategy): readonly ScheduledFault[] {
    const { group, form, groupTurn } = placeOf(index)
    const draws = chance.fork(`group ${group.number}`)
    if (drawShared) return drawShared(space, draws)
    if (shared.group !== group.number)
      shared = { group: group.number, faults: form.shared(space, groupTurn, draws) }
    return shared.faults
  }

  /** The strategy of a schedule, and how many schedules it has drawn before. */
  function strategyAt(index: number): readonly [Strategy, number] {
    if (strategies) {
      const strategy = strategies[index % strategies.length] ?? dense
      const places = strategies.flatMap((each, place) => (each === strategy ? [place] : []))
      const round = Math.floor(index / strategies.length)
      return [strategy, round * places.length + places.indexOf(index % strategies.length)]
    }
    const { form, turn } = placeOf(index)
    return form.only ? [form.only, turn] : strategyOfTurn(turn)
  }

  return {
    drawn(index) {
      const [strategy, turn] = strategyAt(index)
      const draws = chance.fork(`schedule ${index}`)
      const own = strategy.draw(space, turn, draws)
      const drawn = own ?? dense.draw(space, turn, draws)
      const { workload = space.workloads[0] ?? '', faults = [], faultPhaseMs } = drawn ?? {}
      const schedule = createSchedule(
        workload,
        [...faults, ...sharedOf(index, strategy)],
        faultPhaseMs === undefined || faultPhaseMs > maxPhaseMs ? undefined : { faultPhaseMs },
      )
      return { index, strategy: own ? strategy.name : dense.name, schedule }
    },
  }
}
