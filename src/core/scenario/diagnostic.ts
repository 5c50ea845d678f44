/** A semantic error in a scenario (beyond its schema): path, message and remedy. */
import { findClosestName } from '../protocol/closest-name.ts'

export interface Diagnostic {
  readonly path: readonly PropertyKey[]
  /** The key is unknown, or its value is wrong. */
  readonly which: 'key' | 'value'
  readonly wrong: string
  readonly remedy: string
}

/** Remedy for an unknown name: the closest known one, or the fallback text. */
export function suggestion(word: string, known: readonly string[], otherwise: string): string {
  const near = findClosestName(word, known)
  return near === undefined ? otherwise : `Did you mean "${near}"?`
}

export const wrongValue = (
  path: readonly PropertyKey[],
  wrong: string,
  remedy: string,
): Diagnostic => ({ path, which: 'value', wrong, remedy })
