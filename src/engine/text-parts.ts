/** Parts of the texts of commands and facts. */

export const listCount = (many: readonly unknown[], what: string): string =>
  `${many.length} ${what}${many.length === 1 ? '' : 's'}`

/** The reason behind a text, where one was given. */
export const reasonSuffix = (reason: string | undefined): string =>
  reason === undefined ? '' : `: ${reason}`
