/**
 * Delta debugging (ddmin) as a generator: it yields the candidates of one round, which are independent and can run at the same
 * time, and receives which of them still fail. The first failing one in order is taken, so the result does not depend on
 * which run ended first.
 */

/** Yields candidates, receives for each whether it fails, and returns the smallest failing one. */
export type Shrinking<Candidate> = Generator<readonly Candidate[], Candidate, readonly boolean[]>

/** Asks about candidates of one round; returns the first failing one. */
export function* firstFailing<Candidate>(
  candidates: readonly Candidate[],
): Generator<readonly Candidate[], Candidate | undefined, readonly boolean[]> {
  if (candidates.length === 0) return undefined
  const fails = yield candidates
  return candidates.find((_, index) => fails[index])
}

function chunks<Value>(values: readonly Value[], count: number): readonly (readonly Value[])[] {
  const size = Math.ceil(values.length / count)
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )
}

/**
 * A subset from which no single value can be left out. `values` fails. Bounded: each round halves the values or the size of
 * the parts, and the last rounds leave out one value each.
 */
export function* ddmin<Value>(values: readonly Value[]): Shrinking<readonly Value[]> {
  let current = values
  let parts = 2
  while (current.length >= 2) {
    const subsets = chunks(current, Math.min(parts, current.length))
    const complements =
      subsets.length === 2
        ? []
        : subsets.map((subset) => current.filter((value) => !subset.includes(value)))
    const smaller = yield* firstFailing([...subsets, ...complements])
    if (smaller) {
      parts = subsets.includes(smaller) ? 2 : Math.max(2, parts - 1)
      current = smaller
    } else if (parts >= current.length) break
    else parts = Math.min(current.length, parts * 2)
  }
  return yield* oneMinimal(current)
}

/**
 * Leaves out single values until none can be left out: more faults may hide a failure, so ddmin alone does not suffice.
 */
export function* oneMinimal<Value>(values: readonly Value[]): Shrinking<readonly Value[]> {
  let current = values
  while (current.length > 0) {
    const without = current.map((_, left) => current.filter((_value, index) => index !== left))
    const smaller = yield* firstFailing(without)
    if (!smaller) break
    current = smaller
  }
  return current
}
