/** The rhythm of a loop as it shows from outside: how long it usually pauses, so that a long pause can be told. */

export interface Rhythm {
  /** The last pauses, in no order. */
  readonly gaps: number[]
  count: number
}

const remembered = 15

export const createRhythm = (): Rhythm => ({ gaps: [], count: 0 })

export function keepGap(rhythm: Rhythm, gap: number): void {
  rhythm.gaps[rhythm.count++ % remembered] = gap
}

/** The median of the last pauses; 0 when there were none. */
export function usualGap({ gaps }: Rhythm): number {
  return gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0
}
