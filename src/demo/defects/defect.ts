/** A defect that can be switched on in the reference subject. */
export interface Defect {
  /** One sentence about the wrong behaviour. */
  readonly does: string
  /** Ids of the invariants that must catch it. */
  readonly shows: readonly string[]
}

export const defect = (does: string, ...shows: readonly string[]): Defect => ({ does, shows })
