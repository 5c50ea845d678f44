/** Texts that are kept by the thousand: a long one of a stranger shortened, and parts of those of commands and facts. */
import { pluralise } from '../protocol/count-text.ts'

/** Longest text that is kept as it is. */
const maxKeptChars = 500
const maxBeginningChars = 100

/** Length and hash of a text: equal for equal texts. */
export function lengthAndHash(text: string): string {
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
  return `${text.length} ${sum}`
}

/** A short text as it is; a long one shortened, so that equal ones stay equal, and others are very likely different. */
export function shortText(text: string): string {
  if (text.length <= maxKeptChars) return text
  // Written and read again, since a part of a string keeps the whole string in memory.
  const beginning = JSON.parse(JSON.stringify(text.slice(0, maxBeginningChars))) as string
  return `${beginning}… (${lengthAndHash(text)})`
}

/** Characters of all texts in a JSON value, however deep, and as many as a number takes for each other value. */
export function charsIn(json: unknown): number {
  let chars = 0
  const pending = [json]
  while (pending.length > 0) {
    const value = pending.pop()
    chars += typeof value === 'string' ? value.length : 8
    if (typeof value === 'object' && value !== null)
      for (const key in value) pending.push((value as Readonly<Record<string, unknown>>)[key])
  }
  return chars
}

/** A number of things in words: `1 reward`, `2 rewards`. */
export const listCount = (many: readonly unknown[], what: string): string =>
  pluralise(many.length, what)

/** The reason behind a text, where there is one. */
export const reasonSuffix = (reason: string | undefined): string =>
  reason === undefined ? '' : `: ${reason}`

export const signedText = (points: number): string => (points > 0 ? `+${points}` : String(points))

export const byForce = ({ forced }: { readonly forced?: true }): string =>
  forced ? ' (forced)' : ''
