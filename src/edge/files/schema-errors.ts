/**
 * What a schema found wrong with a value, as sentences for the person who wrote it: which field, what stands there,
 * what would do, and the known name that was probably meant.
 */
import { z } from 'zod'
import { no, ok, type Result, unreachable } from '../../protocol/result.ts'
import { closest } from '../../protocol/closest.ts'

type Issue = z.core.$ZodIssue
export type Path = readonly PropertyKey[]

export interface Wrong {
  /** Of the field, or of the key that is not known. */
  readonly path: Path
  /** Whether the key should not be there, or its value is wrong. */
  readonly which: 'key' | 'value'
  /** `clock is "reel", and it must be real, stepped or virtual` */
  readonly wrong: string
  /** `Did you mean "real"?` */
  readonly remedy: string
}

/** What a schema makes of a value; or what is wrong with it, for as many fields as a person can take in at once. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
): Result<z.output<Schema>, readonly Wrong[]> {
  // What is checked here is checked once: to compile a schema takes longer than to walk it.
  const parsed = schema.safeParse(value, { jitless: true })
  if (parsed.success) return ok(parsed.data)
  return no(
    parsed.error.issues
      .slice(0, 10)
      .flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.slice(0, 10).map((key) => unknownKey(schema, value, issue.path, key))
          : [wrongValue(issue, value, whole)],
      ),
  )
}

/** All of them, one behind the other. */
export const sentenceOf = (wrongs: readonly Wrong[]): string =>
  wrongs.map(({ wrong, remedy }) => `${wrong}. ${remedy}`).join(' ')

const pathText = (path: Path): string => path.map(String).join('.')

function unknownKey(schema: z.ZodType, value: unknown, path: Path, key: string): Wrong {
  const known = keysAt(schema, value, path)
  const near = closest(key, known)
  const where = path.length === 0 ? '' : ` in ${pathText(path)}`
  return {
    path: [...path, key],
    which: 'key',
    wrong: `"${key}" is not known${where}`,
    remedy: near ? `Did you mean "${near}"?` : `Known there: ${known.join(', ') || 'nothing'}.`,
  }
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The keys that the schema knows at a path of a value, as its JSON Schema lists them. */
function keysAt(schema: z.ZodType, value: unknown, path: Path): readonly string[] {
  const root: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  let here = branchFor(root, root, value)
  let inner = value
  for (const key of path) {
    inner = at(inner, [key])
    const next = here.properties?.[String(key)] ?? here.items ?? here.additionalProperties
    here = isSchema(next) ? branchFor(root, next, inner) : {}
  }
  const { properties = {}, propertyNames } = here
  const names = isSchema(propertyNames) ? (propertyNames.enum ?? []) : []
  return [...Object.keys(properties), ...names.map(String)]
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows a reference, and of several alternatives takes the one whose constants the value has. */
function branchFor(root: JsonSchema, schema: JsonSchema, value: unknown): JsonSchema {
  if (schema.$ref !== undefined) {
    const target = at(root, schema.$ref.split('/').slice(1))
    return isSchema(target) ? branchFor(root, target, value) : schema
  }
  const branches: readonly unknown[] = schema.oneOf ?? schema.anyOf ?? []
  const fitting = branches
    .filter(isSchema)
    .find(({ properties = {} }) =>
      Object.entries(properties).every(
        ([key, each]) =>
          !isSchema(each) || each.const === undefined || each.const === at(value, [key]),
      ),
    )
  return fitting ? branchFor(root, fitting, value) : schema
}

/** A schema of ours speaks for itself; where zod speaks, we say the same with what was found. */
const isZodsOwn = (message: string): boolean => /^(Invalid|Too big|Too small)/.test(message)

function wrongValue(issue: Issue, value: unknown, whole: string): Wrong {
  const inner = innermost(issue)
  const found = at(value, inner.path)
  const subject = inner.path.length === 0 ? whole : pathText(inner.path)
  const expected = expectations(inner)
  const near = typeof found === 'string' ? closest(found, expected) : undefined
  const must = isZodsOwn(inner.message) && expected.length > 0
  const is = found === undefined ? 'is missing' : `is ${shown(found)}`
  return {
    path: inner.path,
    which: 'value',
    wrong: must
      ? `${subject} ${is}, and it must be ${either(expected)}`
      : `${subject}: ${inner.message}`,
    remedy: near ? `Did you mean "${near}"?` : 'Correct it and try again.',
  }
}

/** Of the alternatives of a union, one that came further than the first look knows best what was meant. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flat().map(innermost)
  const best = inner.find(({ code, path }) => path.length > 0 || code === 'custom')
  return best ? { ...best, path: [...issue.path, ...best.path] } : issue
}

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  record: 'an object',
}

/** Of another type altogether: how long it would have to be says nothing then. */
function ofBranch(branch: readonly Issue[]): readonly Issue[] {
  const other = branch.find(({ code, path }) => code === 'invalid_type' && path.length === 0)
  return other ? [other] : branch
}

/** What would do: each an alternative. */
function expectations(issue: Issue): readonly string[] {
  switch (issue.code) {
    case 'invalid_type':
      return [typeNames[issue.expected] ?? issue.expected]
    case 'invalid_value':
      return issue.values.map(String)
    case 'too_small':
      return [
        `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${sized(issue.origin, issue.minimum)}`,
      ]
    case 'too_big':
      return [
        `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${sized(issue.origin, issue.maximum)}`,
      ]
    case 'invalid_format':
      return [formOf(issue)]
    case 'invalid_union':
      return [
        ...('options' in issue ? (issue.options ?? []) : []).map(String),
        ...issue.errors.flatMap((branch) => ofBranch(branch).flatMap(expectations)),
      ]
    case 'not_multiple_of':
      return [`a multiple of ${issue.divisor}`]
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'unrecognized_keys':
      return []
    default:
      return unreachable(issue)
  }
}

function sized(origin: string, count: number | bigint): string {
  const one = Number(count) === 1
  if (origin === 'string') return one ? ' character long' : ' characters long'
  if (origin === 'array') return one ? ' entry long' : ' entries long'
  return ''
}

/** Where a form has a pattern that no person reads, it is told by an example, or by the part that must be there. */
function formOf(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if (issue.format === 'datetime') return 'a date and a time such as 2026-01-05T12:00:00-03:00'
  if ('prefix' in issue) return `a text that begins with ${JSON.stringify(issue.prefix)}`
  if ('includes' in issue) return `a text with ${JSON.stringify(issue.includes)} in it`
  return issue.pattern ? `a text like ${issue.pattern}` : `a text of the form ${issue.format}`
}

/** Nobody reads more of them than this. */
const mostAlternatives = 40

const either = (alternatives: readonly string[]): string => {
  const all = [...new Set(alternatives)]
  if (all.length > mostAlternatives)
    return `one of ${all.length}, such as ${all.slice(0, 5).join(', ')}`
  const others = all.slice(0, -1).join(', ')
  return others === '' ? `${all.at(-1)}` : `${others} or ${all.at(-1)}`
}

const mostShown = 60

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

/** What stands at a path; undefined when nothing does. */
function at(value: unknown, path: Path): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Reflect.get(here, key)
  }
  return here
}
