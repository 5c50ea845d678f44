/** Long lists in one line. */

/** The first ones, and how many more there are. */
export function boundedText(texts: readonly string[], max: number): string {
  const more = texts.length > max ? ` and ${texts.length - max} more` : ''
  return `${texts.slice(0, max).join(', ')}${more}`
}
