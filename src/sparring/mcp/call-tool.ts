/** Runs the verb of a tool call and makes a result of what it printed. */
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import type { SessionChoice } from '../verbs/support/choose-session.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import type { Io } from '../../terminal/cli/io.ts'
import { boundValue, type Cut } from './bounded-value.ts'
import type { HostedSessions } from './hosted-sessions.ts'
import { parseJsonDocuments } from './json-documents.ts'
import { readArguments, type ToolRequest } from './read-arguments.ts'
import type { ResultStore } from './result-store.ts'
import type { Tool } from './tool.ts'
import { createToolIo } from './tool-io.ts'

/** What all calls of a server share. */
export interface ToolContext extends Pick<Io, 'cwd' | 'env'> {
  readonly sessions: HostedSessions
  readonly results: ResultStore
  /** The session of verbs that name none, while none was started here. */
  readonly session: SessionChoice
}

export interface ToolCall {
  readonly arguments: unknown
  /** Aborted when the client cancels the call: the verb ends as by SIGTERM. */
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/** How a result says that it is a part. */
interface MoreToRead {
  /** For `result_read`. */
  readonly result: number
  /** The first places where something was left out. */
  readonly cuts: readonly Cut[]
  readonly sentence: string
}

/** What a tool answers, as structured content. */
export interface ToolAnswer {
  /** The exit code that the verb would have on the command line, and what it means. */
  readonly exit: ExitCode
  readonly meaning: string
  readonly result?: unknown
  readonly notes?: readonly string[]
  readonly more?: MoreToRead
}

export type ToolOutcome =
  | { readonly ok: true; readonly answer: ToolAnswer }
  | { readonly ok: false; readonly message: string }

/** About 6,000 tokens. */
const maxResultChars = 24_000
const maxCuts = 10

const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'a rule is broken, something differs or is missing, or a part was refused: see result and notes',
  3: 'your service could not be reached, or not to the end: the result is what there was until then',
  4: 'the replay could not be carried through: ids could not be resolved',
  5: 'unstable: the same input gave different results',
  130: 'interrupted: the result is what there was until then',
}

const failure = (message: string): ToolOutcome => ({ ok: false, message })

/** The options by which a verb finds its session. */
function sessionOptions(
  { row }: Tool,
  { session, options }: ToolRequest,
  { sessions, session: otherwise }: ToolContext,
): UnknownRecord {
  const { insteadOfSession } = row
  if (session === undefined && insteadOfSession !== undefined && options[insteadOfSession])
    return {}
  const { control, token } = sessions.choose(session, otherwise)
  if (row.sessionArgument !== undefined)
    return control === undefined || options['all'] === true
      ? {}
      : { [row.sessionArgument]: control }
  return {
    ...(control === undefined ? {} : { control }),
    ...(token === undefined || options['token'] !== undefined ? {} : { token }),
  }
}

/** The value of the output: one document, a list of several, or text. */
function valueOf(stdout: string, lastLineOnly: boolean | undefined): unknown {
  if (stdout.trim() === '') return undefined
  const documents = parseJsonDocuments(stdout)
  if (documents === undefined) return stdout
  return documents.length === 1 || lastLineOnly ? documents.at(-1) : documents
}

/** The answer with its result cut to a size; the whole is kept where something was left out. */
function answerOf(
  { row }: Tool,
  { exit, value, notes }: { exit: ExitCode; value: unknown; notes: readonly string[] },
  { results }: ToolContext,
): ToolAnswer {
  const arranged = row.arrange?.(value) ?? value
  const { value: result, cuts } = boundValue(arranged, maxResultChars)
  const isPart = cuts.length > 0 || arranged !== value
  const number = isPart ? results.keep(value) : 0
  return {
    exit,
    meaning: exitMeanings[exit] ?? `exit code ${exit}`,
    ...(result === undefined ? {} : { result }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(isPart
      ? {
          more: {
            result: number,
            cuts: cuts.slice(0, maxCuts),
            sentence: `This is a part. The whole is result ${number}: read it with result_read, by a path such as ${cuts[0]?.path ?? '/0'}.`,
          },
        }
      : {}),
  }
}

/**
 * An exit code that is a result and no error of the call: a refusal prints nothing to stdout, and why a service is not reached
 * is a note, or in the result.
 */
const isResult = (exit: ExitCode, value: unknown, notes: readonly string[]): boolean =>
  exit === exitCode.done ||
  (value !== undefined &&
    exit !== exitCode.usage &&
    (exit !== exitCode.unreachable || notes.length === 0))

/** The names of the sessions that were started here, beside what the registry says of them. */
const withNames = (value: unknown, { sessions }: ToolContext): unknown =>
  Array.isArray(value)
    ? value.map((each: unknown) => {
        if (!isUnknownRecord(each)) return each
        const session = sessions.nameOf(each['control'])
        return session === undefined ? each : { session, ...each }
      })
    : value

async function startSession(
  request: ToolRequest,
  { signal }: ToolCall,
  { sessions }: ToolContext,
): Promise<ToolOutcome> {
  const { port = 0, ...options } = request.options
  const { session, ready, notes } = await sessions.start(request.name, { ...options, port }, signal)
  const { ready: _ready, pid: _pid, ...result } = ready
  return {
    ok: true,
    answer: {
      exit: exitCode.done,
      meaning: 'ready',
      result: { session, ...result },
      ...(notes.length === 0 ? {} : { notes }),
    },
  }
}

async function runVerb(
  tool: Tool,
  request: ToolRequest,
  call: ToolCall,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { cwd, env, sessions } = context
  const { row } = tool
  const hasSession = tool.verbs.some((each) => each.hasSession)
  const found = hasSession ? sessionOptions(tool, request, context) : {}
  const running = createToolIo({
    cwd,
    env,
    stdin: request.stdin,
    lastLineOnly: row.lastLineOnly,
    onProgress: call.onProgress,
  })
  const interrupt = (): void => running.interrupt('SIGTERM')
  call.signal.addEventListener('abort', interrupt)
  if (call.signal.aborted) interrupt()
  try {
    const exit = await request.verb.run({ ...request.options, ...found }, running.io)
    const printed = valueOf(running.stdout(), row.lastLineOnly)
    const value = row.name === 'session_status' ? withNames(printed, context) : printed
    const stopped = row.sessionArgument === undefined ? undefined : found[row.sessionArgument]
    if (typeof stopped === 'string') await sessions.ended(stopped)
    const notes = running.notes()
    if (isResult(exit, value, notes))
      return { ok: true, answer: answerOf(tool, { exit, value, notes }, context) }
    return failure(
      notes.length === 0 ? `${row.name} failed with exit code ${exit}` : notes.join('\n'),
    )
  } finally {
    call.signal.removeEventListener('abort', interrupt)
  }
}

/** Calls a tool. Whatever is wrong is an outcome with a sentence; only bugs have a stack trace. */
export async function callTool(
  tool: Tool,
  call: ToolCall,
  context: ToolContext,
): Promise<ToolOutcome> {
  try {
    const request = readArguments(tool, call.arguments, context.env)
    return tool.row.name === 'session_start'
      ? await startSession(request, call, context)
      : await runVerb(tool, request, call, context)
  } catch (error) {
    if (error instanceof Problem) return failure(error.message)
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return failure(
      problem(
        `calling ${tool.row.name}`,
        'this is a bug in Sparring, not in your service',
        `Please report it with these lines:\n${trace}`,
      ).message,
    )
  }
}
