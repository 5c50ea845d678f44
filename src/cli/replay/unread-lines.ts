/** What of a recording could not be read, in one line: the first of it with its place, and how much more there is. */
import type { LineProblem } from '../../traffic/recording/reader.ts'
import { type Io, sayLine } from '../io.ts'

export interface Unread {
  readonly problems: readonly LineProblem[]
  readonly file: string
}

/** `rest` says what is done with what could be read. */
export async function tellProblems(
  { problems, file }: Unread,
  rest: string,
  io: Io,
): Promise<void> {
  const [first] = problems
  if (!first) return
  const where = first.line > 0 ? `${first.file ?? file}, line ${first.line}` : (first.file ?? file)
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : ''
  await sayLine(io.stderr, `sparring: ${where}: ${first.message}${more}; ${rest}`)
}
