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
import {
  failingFaults,
  type FaultSite,
  pickByName,
  type SearchSpace,
  type Strategy,
} from './strategies/strategy.ts'
import { createGroupFinder, firstGroupSize } from './neighbours.ts'
import { createSchedule, faultClass, type Schedule, type ScheduledFault } from './schedule.ts'

/** The strategies in turn. */
const turns: readonly Strategy[] = [
  dense,
  dense,
  pairs,
  dense,
  singles,
  dense,
  pairs,
  dense,
  reorderings,
  dense,
  pairs,
  dense,
]

/** The shared faults of groups of neighbours in turn. */
const sharedForms = [
  'none',
  'dense',
  'none',
  'dense',
  'single',
  'permanent',
  'dense',
  'none',
  'single',
] as const

export interface DrawnSchedule {
  readonly index: number
  readonly strategy: string
  readonly schedule: Schedule
}

const operationOf = ({ match }: Pick<ScheduledFault, 'match'>): string => match.operation ?? ''

/** The operations that are about no single order, the ones that a service depends on most first. */
function sharedOperations({ shared }: SearchSpace): readonly string[] {
  const all = new Set(shared.flatMap(({ choices }) => choices.map(operationOf)))
  const first = ['pollingEvents', 'acknowledgeEvents', 'issueToken'].filter((each) => all.has(each))
  return [...first, ...[...all].filter((each) => !first.includes(each)).sort()]
}

/** The kinds of faults at messages about no single order: operations take turns, and what makes a caller try again is first. */
function sharedClasses(space: SearchSpace): readonly (readonly ScheduledFault[])[] {
  const all = space.shared.flatMap(({ choices }) => choices)
  const byOperation = sharedOperations(space).map((operation) => {
    const grouped = Map.groupBy(
      all.filter((each) => operationOf(each) === operation),
      faultClass,
    )
    const rank = (name = ''): string => `${failingFaults.has(name) ? 0 : 1} ${name}`
    return [...grouped.values()].sort(([one], [other]) =>
      rank(one?.name) < rank(other?.name) ? -1 : 1,
    )
  })
  const longest = Math.max(0, ...byOperation.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) =>
    byOperation.flatMap((classes) => {
      const faults = classes[turn]
      return faults ? [faults] : []
    }),
  ).flat()
}

/** Many faults, at the messages of one operation or of all. */
function denseShared(space: SearchSpace, chance: Chance): readonly ScheduledFault[] {
  const [first, ...others] = sharedOperations(space)
  const operation = chance.oneIn(2) ? first : chance.pick([undefined, ...others])
  const isMeant = ({ choices: [choice] }: FaultSite): boolean =>
    operation === undefined || (choice !== undefined && operationOf(choice) === operation)
  return denseFaults(space.shared.filter(isMeant), chance)
}

/** The shared faults of a group of neighbours: none, one, or many. */
function sharedFaults(
  space: SearchSpace,
  group: number,
  chance: Chance,
): readonly ScheduledFault[] {
  const place = group % sharedForms.length
  const form = sharedForms[place]
  if (space.shared.length === 0) return []
  if (form === 'dense') return denseShared(space, chance)
  if (form !== 'single') return []
  const singlesBefore = sharedForms.slice(0, place).filter((each) => each === 'single').length
  const round = Math.floor(group / sharedForms.length)
  const classes = sharedClasses(space)
  const turn = round * sharedForms.filter((each) => each === 'single').length + singlesBefore
  const single = pickByName(classes[turn % classes.length] ?? [], chance)
  return single ? [single] : []
}

export interface ScheduleGenerator {
  readonly drawn: (index: number) => DrawnSchedule
}

export interface ScheduleGeneratorOptions {
  readonly seed: number
  /** The strategies to draw from in turn, when they are not the usual ones. */
  readonly strategies?: readonly Strategy[] | undefined
  /** Schedules in the largest groups of neighbours. */
  readonly maxGroupSize?: number | undefined
}

export function createScheduleGenerator(
  space: SearchSpace,
  { seed, strategies = turns, maxGroupSize = firstGroupSize }: ScheduleGeneratorOptions,
): ScheduleGenerator {
  const chance = createChance(seed, 'exploration')
  const groupOf = createGroupFinder(maxGroupSize)
  let shared = { group: -1, faults: [] as readonly ScheduledFault[] }

  function sharedOf(index: number, { drawShared }: Strategy): readonly ScheduledFault[] {
    const { number } = groupOf(index)
    const draws = chance.fork(`group ${number}`)
    if (drawShared) return drawShared(space, draws)
    if (shared.group !== number)
      shared = { group: number, faults: sharedFaults(space, number, draws) }
    return shared.faults
  }

  /** The strategy of a schedule, and how many schedules it has drawn before. */
  function strategyAt(index: number): readonly [Strategy, number] {
    if (
      strategies === turns &&
      sharedForms[groupOf(index).number % sharedForms.length] === 'permanent'
    )
      return [permanent, index]
    const strategy = strategies[index % strategies.length] ?? dense
    const places = strategies.flatMap((each, place) => (each === strategy ? [place] : []))
    const round = Math.floor(index / strategies.length)
    return [strategy, round * places.length + places.indexOf(index % strategies.length)]
  }

  return {
    drawn(index) {
      const [strategy, turn] = strategyAt(index)
      const draws = chance.fork(`schedule ${index}`)
      const drawn = strategy.draw(space, turn, draws) ?? dense.draw(space, turn, draws)
      const { workload = space.workloads[0] ?? '', faults = [], faultPhaseMs } = drawn ?? {}
      const schedule = createSchedule(
        workload,
        [...faults, ...sharedOf(index, strategy)],
        faultPhaseMs === undefined ? undefined : { faultPhaseMs },
      )
      return { index, strategy: strategy.name, schedule }
    },
  }
}
