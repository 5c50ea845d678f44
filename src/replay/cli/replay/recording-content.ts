/**
 * Reads a whole recording, reports its unreadable lines (the first with its location, and the number of others), and finds the dialect that it
 * was recorded in.
 */
import { resolve } from 'node:path'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { readConfigurationFile } from '../../../core/runtime/files/configuration-file.ts'
import { isWebhookOperation } from '../../../core/protocol/catalogue.ts'
import { recogniseOperation, urlPath } from '../../../core/traffic/recognise-operation.ts'
import { isRecordedInV1 } from '../../from-recording/decisions.ts'
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

interface DialectFlags {
  readonly config?: string
  readonly dialect?: string
}

/**
 * The flags with the dialect of the recording, where neither they nor the configuration name one: V1 is known by its operations. Of
 * another one the paths are known to be none of the protocol, which is said.
 */
export async function withRecordedDialect<Flags extends DialectFlags>(
  flags: Flags,
  content: RecordingContent,
  io: Io,
): Promise<Flags> {
  if (flags.dialect !== undefined) return flags
  const { dialect, conduct } = (await readConfigurationFile(io.cwd, flags.config))?.value ?? {}
  if (dialect !== undefined || conduct?.speaks !== undefined || conduct?.paths !== undefined)
    return flags
  if (isRecordedInV1(content)) return { ...flags, dialect: 'v1' }
  // Webhooks have paths of the service.
  const foreign = content.exchanges.find(
    ({ operation: id, request: { method, url } }) =>
      id !== undefined && !isWebhookOperation(id) && recogniseOperation(method, url)?.row.id !== id,
  )
  if (foreign)
    await printLine(
      io.stderr,
      `sparring: ${foreign.operation} was called at ${urlPath(foreign.request.url)}, which is its path in another dialect: name that with --dialect`,
    )
  return flags
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
