/**
 * A reporter formats results as text: each when it ends, and the whole report at the end. It is pure: the caller writes
 * the returned text to stdout or a file.
 */

export interface Style {
  readonly color: boolean
  /** Failures only. */
  readonly quiet: boolean
}

/** `Part` is one result, such as a run or an exchange; `Whole` is the report of all of them. */
export interface Reporter<Part, Whole> {
  /** As in `--reporter`. */
  readonly name: string
  /** One sentence: its readers. */
  readonly summary: string
  /** `lines` may be mixed with other output on stdout; a `document` may not. */
  readonly form: 'lines' | 'document'
  /** It writes commands of a CI system, in which it has escaped all else. */
  readonly hasCiCommands?: true
  readonly begin?: () => string
  readonly ended?: (part: Part, style: Style) => string
  readonly finish?: (report: Whole, style: Style) => string
}

/** ANSI colours of reporters, where the style allows them. */
const paint =
  (code: number) =>
  (text: string, { color }: Pick<Style, 'color'>): string =>
    color ? `\u001b[${code}m${text}\u001b[39m` : text

export const green = paint(32)
export const red = paint(31)
export const yellow = paint(33)
export const grey = paint(90)
