/** Random draws shared by the generators: weighted choice, sampling without repetition, optional fields. */
import type { Chance } from '../../engine/chance.ts'

/** A value with its weight relative to the other values of its table. */
export interface WeightedValue<Value> {
  readonly weight: number
  readonly value: Value
}

/** The values of a table in their order, by their weights: `weightedBy({ APP: 3, WEB: 1 })`. */
export const weightedBy = <Value extends string>(
  weights: Readonly<Partial<Record<Value, number>>>,
): readonly WeightedValue<Value>[] =>
  (Object.entries(weights) as [Value, number][]).map(([value, weight]) => ({ weight, value }))

export function drawWeighted<Value>(chance: Chance, table: readonly WeightedValue<Value>[]): Value {
  let total = 0
  for (const { weight } of table) total += weight
  let remaining = chance.below(total)
  for (const { weight, value } of table) {
    if (remaining < weight) return value
    remaining -= weight
  }
  throw new Error('a table of odds has no weight')
}

/** The result of `make` with probability 1/n, else undefined. Either may be spread into an object. */
export const drawOptional = <Fields extends object>(
  chance: Chance,
  n: number,
  make: () => Fields,
): Fields | undefined => (chance.oneIn(n) ? make() : undefined)

/** Sample of `count` values without repetition, or all if there are fewer, in the order of the list. */
export function drawSubset<Value>(
  chance: Chance,
  values: readonly Value[],
  count: number,
): readonly Value[] {
  let wanted = Math.min(count, values.length)
  if (wanted === values.length) return values
  const chosen: Value[] = []
  // Selection sampling: each value is taken with probability (values still wanted) / (values still left).
  for (const [index, value] of values.entries()) {
    if (wanted === 0) break
    if (chance.below(values.length - index) >= wanted) continue
    chosen.push(value)
    wanted -= 1
  }
  return chosen
}
