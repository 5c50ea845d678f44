/**
 * How a value differs from what a contract demands: type of one difference, and its wording from errors of the
 * validator.
 */
import type { ErrorObject } from 'ajv'
import { joinAlternatives, shortValue } from '../../protocol/issue-text.ts'
import { pointerOf, type DocumentLocation } from './source.ts'

/** One difference between a value and its schema. */
export interface SchemaMismatch {
  /** JSON pointer into the value; empty for the whole. */
  readonly place: string
  /** What the contract demands, and what was found: `expected a string, received 5`. */
  readonly text: string
  /** The keyword of the document that demands it. */
  readonly demand: DocumentLocation | undefined
  /** It takes too long to say whether it fits. */
  readonly isUnjudged?: true
}

export type OriginOf = (schema: object) => DocumentLocation | undefined

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a string',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  null: 'null',
}

const typeName = (type: unknown): string => typeNames[String(type)] ?? String(type)

const typesText = (types: unknown): string =>
  joinAlternatives((Array.isArray(types) ? types : [types]).map(typeName))

const receivedText = (value: unknown): string =>
  value === undefined ? 'nothing' : Array.isArray(value) ? 'an array' : shortValue(value)

const paramOf = ({ params }: ErrorObject, name: string): unknown =>
  (params as Readonly<Record<string, unknown>>)[name]

/** The member of an object that an error is about, where it is about one. */
function memberOf(error: ErrorObject): string | undefined {
  const name =
    error.keyword === 'required'
      ? paramOf(error, 'missingProperty')
      : error.keyword === 'additionalProperties'
        ? paramOf(error, 'additionalProperty')
        : error.keyword === 'unevaluatedProperties'
          ? paramOf(error, 'unevaluatedProperty')
          : undefined
  return typeof name === 'string' ? name : undefined
}

const limitNames: Readonly<Record<string, string>> = {
  maxLength: 'at most * characters',
  minLength: 'at least * characters',
  maxItems: 'at most * entries',
  minItems: 'at least * entries',
  maxProperties: 'at most * members',
  minProperties: 'at least * members',
  maximum: 'at most *',
  minimum: 'at least *',
  exclusiveMaximum: 'less than *',
  exclusiveMinimum: 'more than *',
}

function expectedText(error: ErrorObject): string | undefined {
  const { keyword, schema } = error
  const limit = limitNames[keyword]
  if (limit !== undefined) return limit.replace('*', String(paramOf(error, 'limit')))
  switch (keyword) {
    case 'type':
      return typesText(schema)
    case 'enum':
      return joinAlternatives(Array.isArray(schema) ? schema.map((each) => shortValue(each)) : [])
    case 'const':
      return shortValue(schema)
    case 'format':
      return `the format ${String(schema)}`
    case 'pattern':
      return `a text like /${String(schema)}/`
    case 'multipleOf':
      return `a multiple of ${String(paramOf(error, 'multipleOf'))}`
    case 'uniqueItems':
      return 'entries that differ from each other'
    case 'not':
      return 'what the contract does not exclude'
    case 'false schema':
      return 'nothing there'
    default:
      return undefined
  }
}

function textOf(error: ErrorObject): string {
  switch (error.keyword) {
    case 'required':
      return 'is missing, and the contract requires it'
    case 'dependentRequired':
      return `expected ${String(paramOf(error, 'missingProperty'))} beside ${String(paramOf(error, 'property'))}`
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is no member that the contract has'
    default: {
      const expected = expectedText(error) ?? `what ${error.keyword} demands`
      return `expected ${expected}, received ${receivedText(error.data)}`
    }
  }
}

function mismatchOf(error: ErrorObject, originOf: OriginOf): SchemaMismatch {
  const member = memberOf(error)
  const place = `${error.instancePath}${member === undefined ? '' : pointerOf([member])}`
  const origin = error.parentSchema && originOf(error.parentSchema)
  const demand = origin && { ...origin, path: [...origin.path, error.keyword] }
  return { place, text: textOf(error), demand }
}

const depthOf = ({ instancePath }: ErrorObject): number => instancePath.split('/').length

/** A union fails with the errors of its alternatives before its own: those that tell most stand for it. */
function closestAlternative(
  union: ErrorObject,
  inner: readonly ErrorObject[],
): readonly ErrorObject[] {
  const deepest = Math.max(0, ...inner.map(depthOf))
  const telling = inner.filter(
    (error) =>
      depthOf(error) === deepest && !(error.keyword === 'type' && deepest === depthOf(union)),
  )
  return telling.length > 0 ? telling.slice(0, 1) : []
}

/** The types of alternatives of which none fits. */
const alternativesText = (
  { instancePath }: ErrorObject,
  inner: readonly ErrorObject[],
): string | undefined => {
  const types = inner.filter(
    ({ keyword, instancePath: at }) => keyword === 'type' && at === instancePath,
  )
  return types.length > 0 && types.length === inner.length
    ? typesText(
        types.flatMap(({ schema }): unknown[] => (Array.isArray(schema) ? schema : [schema])),
      )
    : undefined
}

function unionMismatch(
  union: ErrorObject,
  inner: readonly ErrorObject[],
  originOf: OriginOf,
): readonly SchemaMismatch[] {
  const matches = paramOf(union, 'passingSchemas')
  const own = mismatchOf(union, originOf)
  if (Array.isArray(matches) && matches.length > 1)
    return [{ ...own, text: `expected exactly one alternative, and it fits ${matches.length}` }]
  const [closest] = closestAlternative(union, inner)
  const types = alternativesText(union, inner)
  if (types !== undefined)
    return [{ ...own, text: `expected ${types}, received ${receivedText(union.data)}` }]
  if (!closest)
    return [
      { ...own, text: `expected one of its alternatives, received ${receivedText(union.data)}` },
    ]
  const within = mismatchOf(closest, originOf)
  return [{ ...within, text: `${within.text} (in the closest alternative)` }]
}

const isUnion = ({ keyword }: ErrorObject): boolean => keyword === 'anyOf' || keyword === 'oneOf'

/** Differences from the errors of one validation. */
export function mismatchesOf(
  errors: readonly ErrorObject[],
  originOf: OriginOf,
): readonly SchemaMismatch[] {
  const found: { readonly error: ErrorObject; readonly reported: readonly SchemaMismatch[] }[] = []
  for (const error of errors) {
    if (error.keyword === 'if') continue
    if (!isUnion(error)) {
      found.push({ error, reported: [mismatchOf(error, originOf)] })
      continue
    }
    const inner: ErrorObject[] = []
    for (let last = found.at(-1)?.error; last; last = found.at(-1)?.error) {
      const isInside =
        last.instancePath.startsWith(error.instancePath) && last.parentSchema !== error.parentSchema
      if (!isInside) break
      inner.unshift(last)
      found.pop()
    }
    found.push({ error, reported: unionMismatch(error, inner, originOf) })
  }
  return found.flatMap(({ reported }) => reported)
}
