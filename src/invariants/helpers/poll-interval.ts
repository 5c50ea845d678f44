/** The observed interval of a polling loop: the median of its last pauses, in ms. */

export interface PauseHistory {
  /** The last pauses in ms, as a ring buffer. */
  readonly gaps: number[]
  count: number
}

const remembered = 15

export const createPauseHistory = (): PauseHistory => ({ gaps: [], count: 0 })

export function recordPause(rhythm: PauseHistory, gap: number): void {
  rhythm.gaps[rhythm.count++ % remembered] = gap
}

/** Median of the last pauses; 0 if there were none. */
export function medianPause({ gaps }: PauseHistory): number {
  return gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0
}
