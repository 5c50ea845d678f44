/** Numbers with their nouns, in the sentences of every room. */

/** A count with its noun: `1 exchange`, `2 exchanges`. */
export const pluralise = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`

/** `never`, `once`, `twice`, `3 times`. */
export const timesText = (count: number): string =>
  ['never', 'once', 'twice'][count] ?? `${count} times`
