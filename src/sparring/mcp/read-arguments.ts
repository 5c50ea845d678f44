/** Turns the arguments of a call into the options of a verb; what is wrong is a problem that says what would be right. */
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { problem, type Problem } from '../../core/base/problem.ts'
import { environmentFlagValue, parseChoice, parseFlagValue } from '../verbs/support/flag-value.ts'
import type { ArgumentRow, FlagRow, Verb } from '../../terminal/cli/verb.ts'
import { inputNames } from './input-schema.ts'
import type { Tool, ToolVerb } from './tool.ts'

/** A call whose arguments are right. */
export interface ToolRequest {
  readonly verb: Verb
  readonly options: UnknownRecord
  /** The session that was named. */
  readonly session?: string
  /** The name of the session that is to be started. */
  readonly name?: string
  /** What the verb reads from stdin. */
  readonly stdin?: string
}

type Environment = Readonly<Record<string, string | undefined>>

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
export function readArguments(tool: Tool, given: unknown, env: Environment): ToolRequest {
  const problems = problemsOf(tool)
  const input = given ?? {}
  if (!isUnknownRecord(input))
    throw problems.other(`its arguments are ${kindOf(input)}`, 'They must be an object.')
  const chosen = chooseVerb(tool, input, problems)
  checkNames(tool, chosen, input, problems)
  const options: Record<string, unknown> = {}
  for (const row of chosen.arguments) {
    const value = input[row.name]
    const isMissing = value === undefined || value === null
    if (isMissing && row.required) throw problems.missing(row.name, row.summary)
    const values = isMissing ? undefined : valuesOf(row, value, true, problems)
    if (row.required && Array.isArray(values) && values.length === 0)
      throw problems.missing(row.name, row.summary)
    options[row.name] = values ?? (row.many ? [] : undefined)
  }
  for (const flag of chosen.flags) {
    const value = input[flag.name]
    const read =
      value === undefined || value === null
        ? environmentFlagValue(flag, env)
        : valuesOf(flag, value, false, problems)
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
