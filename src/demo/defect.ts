/** A defect that can be switched on in the reference subject. */
export interface Defect {
  /** One sentence about the wrong behaviour. */
  readonly description: string
  /** Ids of the invariants that must catch it. */
  readonly invariants: readonly string[]
}

export const defect = (does: string, ...shows: readonly string[]): Defect => ({
  description: does,
  invariants: shows,
})
