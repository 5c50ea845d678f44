/** What every shell's reader answers: the words of each command, where it stands, and what could not be read. */
export interface ShellCommand {
  /** The line that it begins in, from 1. */
  readonly line: number
  readonly words: readonly string[]
  /** What was left as it is written: `$TOKEN`. */
  readonly open: readonly string[]
}

export interface ShellReading {
  readonly commands: readonly ShellCommand[]
  /** Where a quote was opened that nobody closed; nothing behind it could be read. */
  readonly broken?: { readonly line: number; readonly column: number; readonly message: string }
}

/** Line and column of a place in a text, from 1. */
export function placeOf(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** Where each line begins: to ask for many lines in a long text. */
export function lineFinder(text: string): (at: number) => number {
  let line = 1
  let done = 0
  // Places are asked for in order.
  return (at) => {
    for (; done < at; done++) if (text.charCodeAt(done) === 10) line++
    return line
  }
}
