/**
 * Units of two recordings side by side: lane by lane, so that two orders that overtook each other are no difference, and
 * in each lane by order, so that one call more is one call more.
 */
import { align } from '../align.ts'
import type { Unit } from './units.ts'

export interface BesideUnits {
  readonly recorded?: Unit
  readonly live?: Unit
  /** Both are there, and others of their lane stand between them in another order. */
  readonly moved?: true
}

/** Lanes are of one caller, one entity and one class: a reading may overtake an acknowledgment, and means the same. */
const laneOf = ({ exchange, class: kind, entity }: Unit): string =>
  `${exchange.from.role} ${exchange.to.role} ${kind} ${entity}`

/** Two that say the same belong together more than two that are only of one name. */
const sameContent = 4
const sameName = 2

function alignLane(recorded: readonly Unit[], live: readonly Unit[]): readonly BesideUnits[] {
  const beside = align({
    left: recorded.length,
    right: live.length,
    fits(row, column) {
      const [left, right] = [recorded[row], live[column]]
      if (!left || left.name !== right?.name) return 0
      return left.content === right.content ? sameContent : sameName
    },
    best: sameContent,
  }).map(({ left, right }) => ({
    ...(left === undefined ? {} : { recorded: recorded[left] }),
    ...(right === undefined ? {} : { live: live[right] }),
  }))
  return withMoved(beside)
}

/** What is missing here and extra there under one name went to another place. */
function withMoved(beside: readonly BesideUnits[]): readonly BesideUnits[] {
  const extra = Map.groupBy(
    beside.filter(({ recorded }) => !recorded),
    ({ live }) => live?.name ?? '',
  )
  const taken = new Set<BesideUnits>()
  const result = beside.map((each): BesideUnits => {
    const other = each.recorded && !each.live ? extra.get(each.recorded.name)?.shift() : undefined
    if (!other?.live || !each.recorded) return each
    taken.add(other)
    return { recorded: each.recorded, live: other.live, moved: true }
  })
  return result.filter((each) => !taken.has(each))
}

/** Every unit of both, once. `entityOf` answers the recorded name of a live entity. */
export function besideEachOther(
  recorded: readonly Unit[],
  live: readonly Unit[],
  entityOf: (entity: string) => string,
): readonly BesideUnits[] {
  const lefts = Map.groupBy(recorded, laneOf)
  const rights = Map.groupBy(live, (unit) => laneOf({ ...unit, entity: entityOf(unit.entity) }))
  const lanes = new Set([...lefts.keys(), ...rights.keys()])
  return [...lanes].flatMap((lane) => alignLane(lefts.get(lane) ?? [], rights.get(lane) ?? []))
}
