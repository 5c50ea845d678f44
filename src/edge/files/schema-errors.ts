/**
 * Turns zod issues into sentences for the author of a value: the field, the value found, the values allowed, and the
 * known name that was probably meant.
 */
import { z } from 'zod'
import { err, ok, type Result, assertNever } from '../../protocol/result.ts'
import { findClosestName } from '../../protocol/closest-name.ts'

type Issue = z.core.$ZodIssue
export type ValuePath = readonly PropertyKey[]

export interface SchemaError {
  /** Path of the field, or of the unknown key. */
  readonly path: ValuePath
  /** Whether the key is unknown or its value is wrong. */
  readonly which: 'key' | 'value'
  /** `clock is "reel", and it must be real, stepped or virtual` */
  readonly wrong: string
  /** `Did you mean "real"?` */
  readonly remedy: string
}

const defaultMaxErrors = 10

/** Validates a value by a schema; returns at most so many errors. */
export function checkSchema<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
  maxErrors = defaultMaxErrors,
): Result<z.output<Schema>, readonly SchemaError[]> {
  // Without JIT: for a single validation, compiling the schema takes longer than interpreting it.
  const parsed = schema.safeParse(value, { jitless: true })
  if (parsed.success) return ok(parsed.data)
  return err(
    parsed.error.issues
      .flatMap(specificIssues)
      .slice(0, maxErrors)
      .flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys
              .slice(0, maxErrors)
              .map((key) => unknownKeyError(schema, value, issue.path, key))
          : [valueError(issue, value, whole)],
      ),
  )
}

/** All errors as one text. */
export const schemaErrorsText = (wrongs: readonly SchemaError[]): string =>
  wrongs.map(({ wrong, remedy }) => `${wrong}. ${remedy}`).join(' ')

const pathText = (path: ValuePath): string => path.map(String).join('.')

function unknownKeyError(
  schema: z.ZodType,
  value: unknown,
  path: ValuePath,
  key: string,
): SchemaError {
  const known = keysAt(schema, value, path)
  const closestName = findClosestName(key, known)
  const where = path.length === 0 ? '' : ` in ${pathText(path)}`
  return {
    path: [...path, key],
    which: 'key',
    wrong: `"${key}" is not known${where}`,
    remedy: closestName
      ? `Did you mean "${closestName}"?`
      : `Known there: ${known.join(', ') || 'nothing'}.`,
  }
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The keys that the schema knows at a path of a value, as its JSON Schema lists them. */
function keysAt(schema: z.ZodType, value: unknown, path: ValuePath): readonly string[] {
  const root: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  let here = branchFor(root, root, value)
  let inner = value
  for (const key of path) {
    inner = valueAt(inner, [key])
    const next = here.properties?.[String(key)] ?? here.items ?? here.additionalProperties
    here = isSchema(next) ? branchFor(root, next, inner) : {}
  }
  const { properties = {}, propertyNames } = here
  const names = isSchema(propertyNames) ? (propertyNames.enum ?? []) : []
  return [...Object.keys(properties), ...names.map(String)]
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const jsonTypeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value

/** Resolves a reference, and picks the alternative of a union whose type and constants match the value. */
function branchFor(root: JsonSchema, schema: JsonSchema, value: unknown): JsonSchema {
  if (schema.$ref !== undefined) {
    const target = valueAt(root, schema.$ref.split('/').slice(1))
    return isSchema(target) ? branchFor(root, target, value) : schema
  }
  const branches: readonly unknown[] = schema.oneOf ?? schema.anyOf ?? []
  const fitting = branches
    .filter(isSchema)
    .find(
      ({ type = jsonTypeOf(value), properties = {} }) =>
        type === jsonTypeOf(value) &&
        Object.entries(properties).every(
          ([key, each]) =>
            !isSchema(each) || each.const === undefined || each.const === valueAt(value, [key]),
        ),
    )
  return fitting ? branchFor(root, fitting, value) : schema
}

/** Whether a message is zod's default; those are rewritten with the value found, our own are kept. */
const isZodDefault = (message: string): boolean => /^(Invalid|Too big|Too small)/.test(message)

function valueError(issue: Issue, value: unknown, whole: string): SchemaError {
  const found = valueAt(value, issue.path)
  const subject = issue.path.length === 0 ? whole : pathText(issue.path)
  const expected = expectations(issue)
  const closestName = typeof found === 'string' ? findClosestName(found, expected) : undefined
  const must = isZodDefault(issue.message) && expected.length > 0
  const is = found === undefined ? 'is missing' : `is ${shortValue(found)}`
  return {
    path: issue.path,
    which: 'value',
    wrong: must
      ? `${subject} ${is}, and it must be ${joinAlternatives(expected)}`
      : `${subject}: ${issue.message}`,
    remedy: closestName ? `Did you mean "${closestName}"?` : 'Correct it and try again.',
  }
}

/** Of a union's alternatives, the issues of one that matched beyond the top level are the most specific. */
function specificIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || !isZodDefault(issue.message)) return [issue]
  const isSpecific = ({ code, path }: Issue): boolean => path.length > 0 || code === 'custom'
  const best = issue.errors
    .map((branch) => branch.flatMap(specificIssues))
    .find((branch) => branch.some(isSpecific))
  return best
    ? best.filter(isSpecific).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    : [issue]
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

/** With a type mismatch at the top level, the other issues of an alternative say nothing. */
function relevantIssues(branch: readonly Issue[]): readonly Issue[] {
  const other = branch.find(({ code, path }) => code === 'invalid_type' && path.length === 0)
  return other ? [other] : branch
}

/** The allowed values or forms, as alternatives. */
function expectations(issue: Issue): readonly string[] {
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
        ...issue.errors.flatMap((branch) => relevantIssues(branch).flatMap(expectations)),
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

const joinAlternatives = (alternatives: readonly string[]): string => {
  const all = [...new Set(alternatives)]
  if (all.length > maxAlternatives)
    return `one of ${all.length}, such as ${all.slice(0, 5).join(', ')}`
  const others = all.slice(0, -1).join(', ')
  return others === '' ? `${all.at(-1)}` : `${others} or ${all.at(-1)}`
}

const maxShownChars = 60

function shortValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text
}

/** The value at a path, or undefined. */
function valueAt(value: unknown, path: ValuePath): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Reflect.get(here, key)
  }
  return here
}
