/** A count with its noun: `1 exchange`, `2 exchanges`. */
export const pluralise = (count: number, one: string): string =>
  `${count} ${one}${count === 1 ? '' : 's'}`
