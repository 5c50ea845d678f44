/**
 * Which schedule has which number: a pure function of seed, number and search space, so that a part of a campaign draws the
 * same schedules as the whole. Neighbours share the faults that distort the messages of all orders, so that they can run
 * side by side.
 */
import { createChance } from '../../engine/chance.ts'
import { dense } from './strategies/dense.ts'
import { pairs } from './strategies/pairs.ts'
import { permanent } from './strategies/permanent.ts'
import { reorderings } from './strategies/reordering.ts'
import { singles } from './strategies/singles.ts'
import {
  denseSharedFaults,
  noSharedFaults,
  type SharedForm,
  singleSharedFault,
  successiveSharedFaults,
} from './strategies/shared-faults.ts'
import type { SearchSpace, Strategy } from './strategies/strategy.ts'
import { createGroupFinder, type GroupSizes, smallGroupsFirst } from './neighbours.ts'
import { createSchedule, type Schedule, type ScheduledFault } from '../schedules/schedule.ts'

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
  singles,
  dense,
]

interface GroupForm {
  readonly shared: SharedForm
  /** In place of the usual strategies. */
  readonly only?: Strategy
}

const unshared: GroupForm = { shared: noSharedFaults }
const permanentOnly: GroupForm = { shared: noSharedFaults, only: permanent }
const successive: GroupForm = { shared: successiveSharedFaults }
const many: GroupForm = { shared: denseSharedFaults }
const single: GroupForm = { shared: singleSharedFault }

/** What groups of neighbours have in common, in turn. */
const groupForms: readonly GroupForm[] = [
  unshared,
  permanentOnly,
  successive,
  many,
  unshared,
  permanentOnly,
  many,
  unshared,
  successive,
  many,
  unshared,
  single,
]

/** The form of a group, and how many groups before it have the same. */
function formOf(group: number): GroupForm & { readonly turn: number } {
  const place = group % groupForms.length
  const form = groupForms[place] ?? unshared
  const countIn = (forms: readonly GroupForm[]): number =>
    forms.filter((each) => each === form).length
  const round = Math.floor(group / groupForms.length)
  return { ...form, turn: round * countIn(groupForms) + countIn(groupForms.slice(0, place)) }
}

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
}

export function createScheduleGenerator(
  space: SearchSpace,
  { seed, strategies = turns, groupSizes = smallGroupsFirst }: ScheduleGeneratorOptions,
): ScheduleGenerator {
  const chance = createChance(seed, 'exploration')
  const groupOf = createGroupFinder(groupSizes)
  let shared = { group: -1, faults: [] as readonly ScheduledFault[] }

  function sharedOf(index: number, { drawShared }: Strategy): readonly ScheduledFault[] {
    const { number } = groupOf(index)
    const draws = chance.fork(`group ${number}`)
    if (drawShared) return drawShared(space, draws)
    if (shared.group !== number) {
      const form = formOf(number)
      shared = { group: number, faults: form.shared(space, form.turn, draws) }
    }
    return shared.faults
  }

  /** The strategy of a schedule, and how many schedules it has drawn before. */
  function strategyAt(index: number): readonly [Strategy, number] {
    const { number, begin, end } = groupOf(index)
    const { only, turn } = formOf(number)
    if (strategies === turns && only) return [only, turn * (end - begin) + index - begin]
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
