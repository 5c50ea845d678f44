/** ANSI colours of reporters, where the style allows them. */
import type { Style } from './reporter.ts'

const paint =
  (code: number) =>
  (text: string, { color }: Pick<Style, 'color'>): string =>
    color ? `\u001b[${code}m${text}\u001b[39m` : text

export const green = paint(32)
export const red = paint(31)
export const yellow = paint(33)
export const grey = paint(90)
