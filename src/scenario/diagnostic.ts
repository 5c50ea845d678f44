/** Something that is wrong with a scenario beyond its shape: where, and what somebody probably meant. */
import { closest } from '../protocol/closest.ts'

export interface Slip {
  readonly path: readonly PropertyKey[]
  /** Whether the key should not be there, or its value is wrong. */
  readonly which: 'key' | 'value'
  readonly wrong: string
  readonly remedy: string
}

/** What to do about a name that there is not: the known one that is near, or else what is said. */
export function meant(word: string, known: readonly string[], otherwise: string): string {
  const near = closest(word, known)
  return near === undefined ? otherwise : `Did you mean "${near}"?`
}
