/**
 * Which schedule has which number: a pure function of seed, number and search space, so that a part of a campaign draws the
 * same schedules as the whole. Neighbours share the faults that distort the messages of all orders, so that they can run
 * side by side.
 */
import { type Chance, createChance } from '../engine/chance.ts'
import { denseFaults, dense } from './strategies/dense.ts'
import { pairs } from './strategies/pairs.ts'
import { permanent } from './strategies/permanent.ts'
import { reorderings } from './strategies/reordering.ts'
import { singles } from './strategies/singles.ts'
import { pickByName, type SearchSpace, type Strategy } from './strategies/strategy.ts'
import { createSchedule, faultClass, type Schedule, type ScheduledFault } from './schedule.ts'

/** So many neighbours share the faults at messages about no single order. */
export const neighbours = 16

/** The strategies in turn. */
const turns: readonly Strategy[] = [
  dense,
  singles,
  dense,
  pairs,
  dense,
  singles,
  dense,
  reorderings,
  dense,
  singles,
  dense,
  permanent,
]

/** The strategies of a campaign, and how many of `turns` each takes. */
export const mixedStrategies = turns

export interface DrawnSchedule {
  readonly index: number
  readonly strategy: string
  readonly schedule: Schedule
}

/** The kinds of faults at messages about no single order, in a fixed order. */
function sharedClasses({ shared }: SearchSpace): readonly (readonly ScheduledFault[])[] {
  const all = shared.flatMap(({ choices }) => choices)
  const grouped = Map.groupBy(all, faultClass)
  return [...grouped].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, faults]) => faults)
}

/** The shared faults of a group of neighbours: none, one, or many. */
function sharedFaults(
  space: SearchSpace,
  group: number,
  chance: Chance,
): readonly ScheduledFault[] {
  const form = group % 4
  if (form === 0 || space.shared.length === 0) return []
  if (form === 2) return denseFaults(space.shared, chance)
  const classes = sharedClasses(space)
  const turn = 2 * Math.floor(group / 4) + (form === 1 ? 0 : 1)
  const single = pickByName(classes[turn % classes.length] ?? [], chance)
  return single ? [single] : []
}

export interface ScheduleGenerator {
  readonly drawn: (index: number) => DrawnSchedule
}

export function createScheduleGenerator(
  space: SearchSpace,
  seed: number,
  strategies: readonly Strategy[] = turns,
): ScheduleGenerator {
  const chance = createChance(seed, 'exploration')
  let group = { number: -1, faults: [] as readonly ScheduledFault[] }

  function sharedOf(index: number): readonly ScheduledFault[] {
    const number = Math.floor(index / neighbours)
    if (group.number !== number)
      group = { number, faults: sharedFaults(space, number, chance.fork(`group ${number}`)) }
    return group.faults
  }

  return {
    drawn(index) {
      const strategy = strategies[index % strategies.length] ?? dense
      const places = strategies.flatMap((each, place) => (each === strategy ? [place] : []))
      const round = Math.floor(index / strategies.length)
      const turn = round * places.length + places.indexOf(index % strategies.length)
      const draws = chance.fork(`schedule ${index}`)
      const drawn = strategy.draw(space, turn, draws) ?? dense.draw(space, turn, draws)
      const { workload = space.workloads[0] ?? '', faults = [] } = drawn ?? {}
      return {
        index,
        strategy: strategy.name,
        schedule: createSchedule(workload, [...faults, ...sharedOf(index)]),
      }
    },
  }
}
