/** Parts of the texts of commands and facts. */
import { pluralise } from '../protocol/count-text.ts'

/** A number of things in words: `1 reward`, `2 rewards`. */
export const listCount = (many: readonly unknown[], what: string): string =>
  pluralise(many.length, what)

/** The reason behind a text, where there is one. */
export const reasonSuffix = (reason: string | undefined): string =>
  reason === undefined ? '' : `: ${reason}`

export const signedText = (points: number): string => (points > 0 ? `+${points}` : String(points))

export const byForce = ({ forced }: { readonly forced?: true }): string =>
  forced ? ' (forced)' : ''
