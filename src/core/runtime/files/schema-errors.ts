/**
 * Turns zod issues into sentences for the author of a value: the field, the value found, the values allowed, and the
 * known name that was probably meant.
 */
import { z } from 'zod'
import { err, ok, type Result } from '../../protocol/result.ts'
import { findClosestName } from '../../protocol/closest-name.ts'
import {
  configurationTypeNames,
  expectations,
  isDefaultMessage,
  joinAlternatives,
  shortValue,
  valueAtPath,
  type ValuePath,
} from '../../protocol/issue-text.ts'

type Issue = z.core.$ZodIssue

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
    inner = valueAtPath(inner, [key])
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

/** Whether the type of a schema without alternatives, and the constants that a value has, match it. */
const fits = ({ type, oneOf, anyOf, properties = {} }: JsonSchema, value: unknown): boolean =>
  !(oneOf ?? anyOf) &&
  (type === undefined || type === jsonTypeOf(value)) &&
  Object.entries(properties).every(
    ([key, each]) =>
      !isSchema(each) ||
      each.const === undefined ||
      [each.const, undefined].includes(valueAtPath(value, [key]) as typeof each.const),
  )

/** Resolves a reference, and picks the alternative of a union, of whatever depth, that fits the value. */
function branchFor(root: JsonSchema, schema: JsonSchema, value: unknown): JsonSchema {
  if (schema.$ref !== undefined) {
    const target = valueAtPath(root, schema.$ref.split('/').slice(1))
    return isSchema(target) ? branchFor(root, target, value) : schema
  }
  const branches: readonly unknown[] = schema.oneOf ?? schema.anyOf ?? []
  const ends = branches.filter(isSchema).map((each) => branchFor(root, each, value))
  return ends.find((each) => fits(each, value)) ?? schema
}

function valueError(issue: Issue, value: unknown, whole: string): SchemaError {
  const found = valueAtPath(value, issue.path)
  const subject = issue.path.length === 0 ? whole : pathText(issue.path)
  const expected = expectations(issue, configurationTypeNames)
  const closestName = typeof found === 'string' ? findClosestName(found, expected) : undefined
  const must = isDefaultMessage(issue.message) && expected.length > 0
  const is = found === undefined ? 'is missing' : `is ${shortValue(found)}`
  return {
    path: issue.path,
    which: 'value',
    wrong: must
      ? `${subject} ${is}, and it must be ${joinAlternatives(expected)}`
      : `${subject}: ${issue.message}`,
    remedy: closestName
      ? `Did you mean "${closestName}"?`
      : isReadOfText(issue, found)
        ? 'Put it into double quotes, as it is written.'
        : 'Correct it and try again.',
  }
}

/** Whether YAML or JSON took a text without quotes for a number, or for true or false. */
const isReadOfText = (issue: Issue, found: unknown): boolean =>
  issue.code === 'invalid_type' &&
  issue.expected === 'string' &&
  (typeof found === 'number' || typeof found === 'boolean')

/** Of a union's alternatives, the issues of one that matched beyond the top level are the most specific. */
function specificIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || !isDefaultMessage(issue.message)) return [issue]
  const isSpecific = ({ code, path }: Issue): boolean => path.length > 0 || code === 'custom'
  const best = issue.errors
    .map((branch) => branch.flatMap(specificIssues))
    .find((branch) => branch.some(isSpecific))
  return best
    ? best.filter(isSpecific).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
    : [issue]
}
