/** Commands of a shell as its parsers give them, and places in their text. */

/** Result of the shell parsers: the arguments of each command, its line, and the first syntax error. */
export interface ShellCommand {
  /** First line, 1-based. */
  readonly line: number
  readonly words: readonly string[]
  /** Variables that are not expanded: `$TOKEN`. */
  readonly unexpanded: readonly string[]
  /** What it reads from its standard input, as far as the paste tells. */
  readonly stdin?: string
  /** It reads the output of the command before it. */
  readonly readsPipe?: boolean
  /** Another command reads its output. */
  readonly isPiped?: boolean
}

export interface ShellParse {
  readonly commands: readonly ShellCommand[]
  /** Position of an unterminated quote; nothing behind it is parsed. */
  readonly syntaxError?: {
    readonly line: number
    readonly column: number
    readonly message: string
  }
}

/** 1-based line and column of a character offset. */
export function lineAndColumnAt(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}

/** Line number by offset for ascending offsets, in one pass over the text. */
export function createLineCounter(text: string): (at: number) => number {
  let line = 1
  let done = 0
  return (at) => {
    for (; done < at; done++) if (text.charCodeAt(done) === 10) line++
    return line
  }
}
