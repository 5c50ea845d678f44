/** Zod issues in plain words: the field, what was expected, and what was received. */
import type { z } from 'zod'
import { assertNever } from './result.ts'

type Issue = z.core.$ZodIssue
export type ValuePath = readonly PropertyKey[]
type TypeNames = Readonly<Record<string, string>>

/** Whether a message is zod's default; those are rewritten with the value found, our own are kept. */
export const isDefaultMessage = (message: string): boolean =>
  /^(Invalid|Too big|Too small)/.test(message)

/** Types in the words of YAML, for who writes a configuration. */
export const configurationTypeNames: TypeNames = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  record: 'an object',
}

/** With a type mismatch at the top level, the other issues of an alternative say nothing. */
function relevantIssues(branch: readonly Issue[]): readonly Issue[] {
  const other = branch.find(({ code, path }) => code === 'invalid_type' && path.length === 0)
  return other ? [other] : branch
}

/** The allowed values or forms, as alternatives. */
export function expectations(issue: Issue, typeNames: TypeNames): readonly string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [typeNames[issue.expected] ?? issue.expected]
    case 'invalid_value':
      return issue.values.map(String)
    case 'too_small':
      return [
        `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${lengthUnit(issue.origin, issue.minimum)}`,
      ]
    case 'too_big':
      return [
        `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${lengthUnit(issue.origin, issue.maximum)}`,
      ]
    case 'invalid_format':
      return [formOf(issue)]
    case 'invalid_union':
      return [
        ...('options' in issue ? (issue.options ?? []) : []).map(String),
        ...issue.errors.flatMap((branch) =>
          relevantIssues(branch).flatMap((each) => expectations(each, typeNames)),
        ),
      ]
    case 'not_multiple_of':
      return [`a multiple of ${issue.divisor}`]
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'unrecognized_keys':
      return []
    default:
      return assertNever(issue)
  }
}

function lengthUnit(origin: string, count: number | bigint): string {
  const one = Number(count) === 1
  if (origin === 'string') return one ? ' character long' : ' characters long'
  if (origin === 'array') return one ? ' entry long' : ' entries long'
  return ''
}

/** Describes a format by an example or its required part, where the pattern is unreadable. */
function formOf(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if (issue.format === 'datetime') return 'a date and a time such as 2026-01-05T12:00:00-03:00'
  if ('prefix' in issue) return `a text that begins with ${JSON.stringify(issue.prefix)}`
  if ('includes' in issue) return `a text with ${JSON.stringify(issue.includes)} in it`
  return issue.pattern ? `a text like ${issue.pattern}` : `a text of the form ${issue.format}`
}

/** Maximum alternatives listed in a message. */
const maxAlternatives = 40

export const joinAlternatives = (alternatives: readonly string[]): string => {
  const all = [...new Set(alternatives)]
  if (all.length > maxAlternatives)
    return `one of ${all.length}, such as ${all.slice(0, 5).join(', ')}`
  const others = all.slice(0, -1).join(', ')
  return others === '' ? `${all.at(-1)}` : `${others} or ${all.at(-1)}`
}

const maxShownChars = 60

export function shortValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text
}

/** The value at a path, or undefined. */
export function valueAtPath(value: unknown, path: ValuePath): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Reflect.get(here, key)
  }
  return here
}

/** Types in the words of JSON, for who sends a body. */
const jsonTypeNames: TypeNames = {
  ...configurationTypeNames,
  array: 'an array',
  string: 'a string',
}

/** What was received in place of what was expected. */
export function receivedText(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array'
  return shortValue(value)
}

const maxMissing = 10

/**
 * The first problem of a JSON value that fits no schema, and the other members that it lacks: `eventIds: expected an
 * array, received nothing; missing too: status`.
 */
export function jsonProblemText(
  { issues }: Pick<z.core.$ZodError, 'issues'>,
  value: unknown,
): string {
  const [issue, ...others] = issues.flatMap(closestAlternative)
  if (!issue) return 'it does not fit'
  const place = issue.path.map(String).join('.')
  const expected = isDefaultMessage(issue.message) ? expectations(issue, jsonTypeNames) : []
  const text =
    expected.length === 0
      ? issue.message
      : `expected ${joinAlternatives(expected)}, received ${receivedText(valueAtPath(value, issue.path))}`
  const missing = new Set(
    others
      .filter(({ path }) => path.length > 0 && valueAtPath(value, path) === undefined)
      .map(({ path }) => path.map(String).join('.')),
  )
  missing.delete(place)
  const named = [...missing].slice(0, maxMissing).join(', ')
  const more = missing.size > maxMissing ? ` and ${missing.size - maxMissing} more` : ''
  return `${place || 'its root'}: ${text}${named && `; missing too: ${named}${more}`}`
}

/** Of a union the alternative with the fewest issues is taken as the intended one. */
function closestAlternative(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [closest = []] = issue.errors.toSorted((one, other) => one.length - other.length)
  if (closest.length === 0) return [issue]
  return closest
    .flatMap(closestAlternative)
    .map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}
