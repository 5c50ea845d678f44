/** The observed interval of a polling loop: the median of its last pauses, in ms. */

export interface Rhythm {
  /** The last pauses in ms, as a ring buffer. */
  readonly gaps: number[]
  count: number
}

const remembered = 15

export const createRhythm = (): Rhythm => ({ gaps: [], count: 0 })

export function keepGap(rhythm: Rhythm, gap: number): void {
  rhythm.gaps[rhythm.count++ % remembered] = gap
}

/** Median of the last pauses; 0 if there were none. */
export function usualGap({ gaps }: Rhythm): number {
  return gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0
}
