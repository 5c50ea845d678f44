/** Reads a whole recording, and reports its unreadable lines: the first with its location, and the number of others. */
import { resolve } from 'node:path'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { Problem } from '../../../core/base/problem.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { LineProblem } from '../../../core/traffic/recording/reader.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'

/** The content of a recording under the name from the command line. */
export async function readRecordingContent(file: string, cwd: string): Promise<RecordingContent> {
  const read = await readRecording(resolve(cwd, file))
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}

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
