/**
 * Pairs the units of two recordings: lane by lane (caller, entity and class), so that two orders that overtook each
 * other make no difference, and in order within each lane, so that one additional call is one difference.
 */
import { align } from '../align.ts'
import type { ComparedUnit } from './compared-units.ts'

export interface UnitPair {
  readonly recorded?: ComparedUnit
  readonly live?: ComparedUnit
  /** Both are there, in another order relative to their lane. */
  readonly moved?: true
}

/**
 * The lane of a unit: caller, entity and class. A reading may overtake an acknowledgment without a change of meaning.
 */
const laneOf = ({ exchange, class: kind, entity }: ComparedUnit): string =>
  `${exchange.from.role} ${exchange.to.role} ${kind} ${entity}`

/** Scores: equal content ranks above an equal name. */
const contentScore = 4
const nameScore = 2

function alignLane(
  recorded: readonly ComparedUnit[],
  live: readonly ComparedUnit[],
): readonly UnitPair[] {
  const beside = align({
    left: recorded.length,
    right: live.length,
    score(row, column) {
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
function withMoved(beside: readonly UnitPair[]): readonly UnitPair[] {
  const extra = Map.groupBy(
    beside.filter(({ recorded }) => !recorded),
    ({ live }) => live?.name ?? '',
  )
  const taken = new Set<UnitPair>()
  const result = beside.map((each): UnitPair => {
    const other = each.recorded && !each.live ? extra.get(each.recorded.name)?.shift() : undefined
    if (!other?.live || !each.recorded) return each
    taken.add(other)
    return { recorded: each.recorded, live: other.live, moved: true }
  })
  return result.filter((each) => !taken.has(each))
}

/** All units of both, each once. `entityOf` gives the recorded name of a live entity. */
export function pairUnits(
  recorded: readonly ComparedUnit[],
  live: readonly ComparedUnit[],
  entityOf: (entity: string) => string,
): readonly UnitPair[] {
  const lefts = Map.groupBy(recorded, laneOf)
  const rights = Map.groupBy(live, (unit) => laneOf({ ...unit, entity: entityOf(unit.entity) }))
  const lanes = new Set([...lefts.keys(), ...rights.keys()])
  return [...lanes].flatMap((lane) => alignLane(lefts.get(lane) ?? [], rights.get(lane) ?? []))
}
