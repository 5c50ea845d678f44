/**
 * Pairs the units of two recordings: lane by lane (caller, entity and class), so that two orders that overtook each
 * other make no difference, and in order within each lane, so that one additional call is one difference.
 */
import { align } from '../align.ts'
import type { Unit } from './units.ts'

export interface BesideUnits {
  readonly recorded?: Unit
  readonly live?: Unit
  /** Both are there, in another order relative to their lane. */
  readonly moved?: true
}

/**
 * The lane of a unit: caller, entity and class. A reading may overtake an acknowledgment without a change of meaning.
 */
const laneOf = ({ exchange, class: kind, entity }: Unit): string =>
  `${exchange.from.role} ${exchange.to.role} ${kind} ${entity}`

/** Scores: equal content ranks above an equal name. */
const contentScore = 4
const nameScore = 2

function alignLane(recorded: readonly Unit[], live: readonly Unit[]): readonly BesideUnits[] {
  const beside = align({
    left: recorded.length,
    right: live.length,
    fits(row, column) {
      const [left, right] = [recorded[row], live[column]]
      if (!left || left.name !== right?.name) return 0
      return left.content === right.content ? contentScore : nameScore
    },
    best: contentScore,
  }).map(({ left, right }) => ({
    ...(left === undefined ? {} : { recorded: recorded[left] }),
    ...(right === undefined ? {} : { live: live[right] }),
  }))
  return withMoved(beside)
}

/** A missing and an extra unit of one name are one moved unit. */
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

/** All units of both, each once. `entityOf` gives the recorded name of a live entity. */
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
