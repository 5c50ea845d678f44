/** Numbers with their nouns, and texts of a bounded length, in the sentences of every room. */

/** A count with its noun: `1 exchange`, `2 exchanges`. */
export const pluralise = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`

/** `never`, `once`, `twice`, `3 times`. */
export const timesText = (count: number): string =>
  ['never', 'once', 'twice'][count] ?? `${count} times`

/** A text of at most this many characters. */
export const shortened = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text

/** Texts that differ only in their numbers become one. */
export const withoutNumbers = (text: string): string => text.replaceAll(/\d+/g, '#')
