/** Runs the verb of a tool call and makes a result of what it printed. */
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import type { SessionChoice } from '../verbs/support/choose-session.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import type { Io } from '../../terminal/cli/io.ts'
import {
  callRefusal,
  checkFile,
  type FileAccess,
  withFileAccess,
} from '../../core/runtime/files/file-access.ts'
import { boundValue, type Cut } from './bounded-value.ts'
import type { HostedSessions } from './hosted-sessions.ts'
import { parseJsonDocuments } from './json-documents.ts'
import type { ResultStore } from './result-store.ts'
import type { Tool, ToolVerb } from './tool.ts'
import { createToolIo } from './tool-io.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { environmentFlagValue, parseChoice, parseFlagValue } from '../verbs/support/flag-value.ts'
import type { ArgumentRow, FlagRow, Verb } from '../../terminal/cli/verb.ts'
import { inputNames } from './input-schema.ts'
import { resolve } from 'node:path'

/** The paths that a value may mean, by the placeholder of its flag. */
function pathsIn(row: ArgumentRow | FlagRow, value: string): readonly string[] {
  const form = 'value' in row ? (row.value ?? '') : ''
  if (form.includes('[=file]')) return /=(.*)$/s.exec(value)?.slice(1) ?? []
  // A role has no dot and no slash.
  if (form.includes('[=role]')) return [value, value.replace(/=[^=./\\]*$/, '')]
  // A file with names in it.
  return value.startsWith('@') ? [value, value.slice(1)] : [value]
}

/**
 * The one check of every path in the arguments of a tool call: throws a `Problem` for a path outside
 * of the folder of the caller, and for a URL that may not be called.
 */
function checkPath(tool: string, row: ArgumentRow | FlagRow, value: string, cwd: string): void {
  if (row.path === undefined || value === '-') return
  for (const path of pathsIn(row, value)) {
    const refusal = /^https?:/i.test(path) ? callRefusal(path) : undefined
    if (refusal) throw refusal
    checkFile(`calling ${tool} with ${row.name} ${path}`, resolve(cwd, path))
  }
}

// Turns the arguments of a call into the options of a verb; what is wrong is a problem that says
// what would be right.

/** A call whose arguments are right. */
interface ToolRequest {
  readonly verb: Verb
  readonly options: UnknownRecord
  /** The session that was named. */
  readonly session?: string
  /** The name of the session that is to be started. */
  readonly name?: string
  /** What the verb reads from stdin. */
  readonly stdin?: string
}

/** A value as messages show it. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`

/** The problems of one tool. */
const problemsOf = ({ row: { name: toolName } }: Tool) => ({
  wrong: (name: string, value: unknown, expected: string): Problem =>
    problem(`calling ${toolName}`, `${name} is ${shown(value)}`, expected),
  missing: (name: string, summary: string): Problem =>
    problem(`calling ${toolName}`, `${name} is missing`, `It is ${summary}.`),
  other: (wrong: string, remedy: string): Problem => problem(`calling ${toolName}`, wrong, remedy),
})

type Problems = ReturnType<typeof problemsOf>

/** Text, as the command line would have it; numbers are written as text where a text is wanted. */
function textOf(row: ArgumentRow | FlagRow, value: unknown, problems: Problems): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  throw problems.wrong(row.name, value, `It must be text, and it is ${kindOf(value)}.`)
}

function oneValue(
  row: ArgumentRow | FlagRow,
  value: unknown,
  isArgument: boolean,
  problems: Problems,
): string | number {
  const text = textOf(row, value, problems)
  const read = isArgument
    ? row.choices
      ? parseChoice(row, text)
      : parseFlagValue({ name: row.name, value: '<text>', summary: row.summary }, text)
    : parseFlagValue(row, text)
  if (read.ok) return read.value
  throw problems.wrong(row.name, value, read.error)
}

function valuesOf(
  row: ArgumentRow | FlagRow,
  value: unknown,
  isArgument: boolean,
  problems: Problems,
): unknown {
  if (!isArgument && !('value' in row)) {
    if (typeof value === 'boolean') return value || undefined
    throw problems.wrong(row.name, value, 'It must be true or false.')
  }
  if (!row.many) return oneValue(row, value, isArgument, problems)
  const values = Array.isArray(value) ? value : [value]
  return values.map((each) => oneValue(row, each, isArgument, problems))
}

/** The verb that the choice of the call names; the only one where there is no choice. */
function chooseVerb(tool: Tool, input: UnknownRecord, problems: Problems): ToolVerb {
  const { row, verbs } = tool
  const [first] = verbs
  if (first === undefined) throw new Error(`the tool ${row.name} has no verb`)
  if (!row.choice) return first
  const { name, summary, default: usual } = row.choice
  const word = input[name] ?? usual
  const words = verbs.map((each) => each.word)
  if (word === undefined) throw problems.missing(name, `${summary}: ${words.join(', ')}`)
  const found = verbs.find((each) => each.word === word)
  if (found) return found
  const near = typeof word === 'string' ? findClosestName(word, words) : undefined
  throw problems.wrong(
    name,
    word,
    `It is one of ${words.join(', ')}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  )
}

/** Refuses arguments that the tool does not have, or that its chosen verb does not take. */
function checkNames(tool: Tool, chosen: ToolVerb, input: UnknownRecord, problems: Problems): void {
  const names = inputNames(tool)
  const { choice } = tool.row
  const rows = [...chosen.arguments, ...chosen.flags].map(({ name }) => name)
  const ofVerbs = new Set(
    tool.verbs.flatMap((each) => [...each.arguments, ...each.flags].map(({ name }) => name)),
  )
  for (const name of Object.keys(input)) {
    if (!names.includes(name)) {
      const near = findClosestName(name, names)
      throw problems.other(
        `it has no argument "${name}"`,
        near === undefined
          ? names.length === 0
            ? 'It has none.'
            : `It has ${names.join(', ')}.`
          : `Did you mean ${near}?`,
      )
    }
    if (choice && ofVerbs.has(name) && !rows.includes(name))
      throw problems.other(
        `with ${choice.name} ${chosen.word} it takes no ${name}`,
        rows.length === 0 ? 'Leave it out.' : `It takes ${rows.join(', ')}.`,
      )
  }
}

function textArgument(input: UnknownRecord, name: string, problems: Problems): string | undefined {
  const value = input[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number') return String(value)
  throw problems.wrong(name, value, 'It must be text.')
}

/** The options of the verb that a call means. `env` has flags that a call leaves open, as on the command line. */
function readArguments(
  tool: Tool,
  argumentsOfCall: unknown,
  { env, cwd }: Pick<ToolContext, 'env' | 'cwd'>,
): ToolRequest {
  const problems = problemsOf(tool)
  const checked = (row: ArgumentRow | FlagRow, values: unknown): unknown => {
    for (const each of [values].flat()) checkPath(tool.row.name, row, String(each), cwd)
    return values
  }
  const input = argumentsOfCall ?? {}
  if (!isUnknownRecord(input))
    throw problems.other(`its arguments are ${kindOf(input)}`, 'They must be an object.')
  const chosen = chooseVerb(tool, input, problems)
  checkNames(tool, chosen, input, problems)
  const options: Record<string, unknown> = {}
  for (const row of chosen.arguments) {
    const value = input[row.name]
    const isMissing = value === undefined || value === null
    if (isMissing && row.required) throw problems.missing(row.name, row.summary)
    const values = isMissing ? undefined : checked(row, valuesOf(row, value, true, problems))
    if (row.required && Array.isArray(values) && values.length === 0)
      throw problems.missing(row.name, row.summary)
    options[row.name] = values ?? (row.many ? [] : undefined)
  }
  for (const flag of chosen.flags) {
    const value = input[flag.name]
    const read =
      value === undefined || value === null
        ? environmentFlagValue(flag, env)
        : checked(flag, valuesOf(flag, value, false, problems))
    if (read !== undefined) options[flag.name] = read
  }
  const { fixed = {}, document } = tool.row
  Object.assign(options, fixed)
  if (chosen.verb.flags.some(({ name }) => name === 'json')) options['json'] = true
  const stdin = documentText(input, document, problems)
  if (document && stdin !== undefined) options[document.insteadOf] = '-'
  const session = chosen.hasSession ? textArgument(input, 'session', problems) : undefined
  const name = tool.row.name === 'session_start' ? textArgument(input, 'name', problems) : undefined
  return {
    verb: chosen.verb,
    options,
    ...(session === undefined ? {} : { session }),
    ...(name === undefined ? {} : { name }),
    ...(stdin === undefined ? {} : { stdin }),
  }
}

function documentText(
  input: UnknownRecord,
  document: Tool['row']['document'],
  problems: Problems,
): string | undefined {
  const value = document && input[document.name]
  if (!document || value === undefined || value === null) return undefined
  if (isUnknownRecord(value)) return JSON.stringify(value)
  throw problems.wrong(document.name, value, `It must be an object, and it is ${kindOf(value)}.`)
}

/** What all calls of a server share. */
export interface ToolContext extends Pick<Io, 'cwd' | 'env'> {
  readonly sessions: HostedSessions
  readonly results: ResultStore
  /** What the agent may have read, run and called. */
  readonly access: FileAccess
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
  const isRead = row.effect === 'reads' || insteadOfSession !== undefined
  if (control === undefined && !isRead && options['all'] !== true)
    throw problem(
      'choosing a session',
      'none was started here, and one of others is changed only where it is named',
      'Start one with session_start, or name one with the argument session, by its control URL or port (session_status lists them), or with sparring mcp --control <url>.',
    )
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
    const lost = typeof stopped === 'string' ? await sessions.ended(stopped) : []
    const notes = [...running.notes(), ...lost]
    if (lost.length > 0) return failure(notes.join('\n'))
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
    return await withFileAccess(context.access, () => {
      const request = readArguments(tool, call.arguments, context)
      return tool.row.name === 'session_start'
        ? startSession(request, call, context)
        : runVerb(tool, request, call, context)
    })
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
