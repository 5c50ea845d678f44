/** A mistake that the reference subject can be told to make. */
export interface Defect {
  /** What it does, in one sentence. */
  readonly does: string
  /** The invariants of the catalogue that are there to catch it. */
  readonly shows: readonly string[]
}

export const defect = (does: string, ...shows: readonly string[]): Defect => ({ does, shows })
