/**
 * Statistics over rounds. A ratio is taken within a round, between measurements close in time; the median over the
 * rounds is reported with minimum and maximum, since only ratios are stable on a shared machine.
 */

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const [least] = sorted
  const most = sorted.at(-1)
  if (least === undefined || most === undefined) throw new Error('there is nothing to spread')
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? most
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? least)
  return { median: (lower + upper) / 2, least, most }
}

/** The cost of each variant in one round, by name. */
export type RoundCosts = ReadonlyMap<string, number>

const costOf = (round: RoundCosts, name: string): number => {
  const cost = round.get(name)
  if (cost === undefined || !(cost > 0)) throw new Error(`nothing was measured for ${name}`)
  return cost
}

/** How many times the work of the baseline `name` does for the same cost. */
export const workRatio = (rounds: readonly RoundCosts[], name: string, baseline: string): Spread =>
  spreadOf(rounds.map((round) => costOf(round, baseline) / costOf(round, name)))

/** The cost of `name` as a multiple of the cost of the baseline. */
export const costRatio = (rounds: readonly RoundCosts[], name: string, baseline: string): Spread =>
  spreadOf(rounds.map((round) => costOf(round, name) / costOf(round, baseline)))

export const costSpread = (rounds: readonly RoundCosts[], name: string): Spread =>
  spreadOf(rounds.map((round) => costOf(round, name)))

/** The variants, rotated by the number of the round: each is first once, so that none always follows the same one. */
export const rotateVariants = <Variant>(variants: readonly Variant[], round: number): Variant[] => {
  const start = round % variants.length
  return [...variants.slice(start), ...variants.slice(0, start)]
}
