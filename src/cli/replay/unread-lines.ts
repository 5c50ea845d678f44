/** Reports the unreadable lines of a recording: the first with its location, and the number of others. */
import type { LineProblem } from '../../traffic/recording/reader.ts'
import { type Io, printLine } from '../io.ts'

export interface UnreadLines {
  readonly problems: readonly LineProblem[]
  readonly file: string
}

/** `rest` is the end of the sentence: how the readable rest is used. */
export async function reportUnreadLines(
  { problems, file }: UnreadLines,
  rest: string,
  io: Io,
): Promise<void> {
  const [first] = problems
  if (!first) return
  const where = first.line > 0 ? `${first.file ?? file}, line ${first.line}` : (first.file ?? file)
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : ''
  await printLine(io.stderr, `sparring: ${where}: ${first.message}${more}; ${rest}`)
}
