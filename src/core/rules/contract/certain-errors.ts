/**
 * Which errors of a validation hold whatever stood where redaction has replaced a value: an error that the replacement
 * may have caused is none. Alternatives are decided one by one.
 */
import type { ErrorObject } from 'ajv'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { RedactedPlaces } from '../../traffic/redaction/redacted-places.ts'

/** Validates a value with a part of the schema. */
export type ErrorsOf = (schema: unknown, value: unknown) => readonly ErrorObject[]

interface RedactionDoubt {
  readonly places: RedactedPlaces
  readonly errorsOf: ErrorsOf
  /** Types count as content, where values are written as text. */
  readonly isText: boolean
}

/** Keywords about the content of a text or a number; redaction keeps its type. */
const contentKeywords: ReadonlySet<string> = new Set([
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
])
/** Keywords that may look at all that is in a value. */
const wholeKeywords: ReadonlySet<string> = new Set([
  'enum',
  'const',
  'not',
  'uniqueItems',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const nameKeywords: ReadonlySet<string> = new Set(['additionalProperties', 'propertyNames'])

interface Doubted {
  readonly error: ErrorObject
  isCertain: boolean
}

function isContent({ keyword, propertyName }: ErrorObject, isText: boolean): boolean {
  return (
    propertyName === undefined && (contentKeywords.has(keyword) || (isText && keyword === 'type'))
  )
}

/** The values that the condition of an `if` looks at, as far as it names them; undefined for the whole. */
function namesIn(condition: unknown): readonly string[] | undefined {
  if (!isUnknownRecord(condition)) return []
  const { not, properties, required: _required, type: _type, ...others } = condition
  if (Object.keys(others).length > 0) return undefined
  const inner = not === undefined ? [] : namesIn(not)
  return inner && [...inner, ...(isUnknownRecord(properties) ? Object.keys(properties) : [])]
}

function isConditionDoubtful(
  { instancePath, parentSchema }: ErrorObject,
  places: RedactedPlaces,
): boolean {
  const names = namesIn(parentSchema?.['if'])
  return names
    ? names.some((name) => places.within(`${instancePath}/${name}`))
    : places.within(instancePath)
}

/** The schemas whose errors come before that of a keyword that combines them. */
function combinedSchemas({
  keyword,
  schema,
  parentSchema,
  params,
}: ErrorObject): readonly unknown[] {
  const { passingSchemas, failingKeyword } = params as Readonly<Record<string, unknown>>
  if (keyword === 'if') return [parentSchema?.[String(failingKeyword)]]
  const isUnion = keyword === 'anyOf' || keyword === 'oneOf'
  return isUnion && !Array.isArray(passingSchemas) && Array.isArray(schema) ? schema : []
}

export function certainErrors(
  errors: readonly ErrorObject[],
  doubt: RedactionDoubt,
): readonly ErrorObject[] {
  const { places, errorsOf, isText } = doubt
  const doubted: Doubted[] = []

  function isCertain(error: ErrorObject): boolean {
    const { keyword, instancePath, propertyName } = error
    if (isContent(error, isText)) return !places.has(instancePath)
    if (propertyName !== undefined || nameKeywords.has(keyword)) return !places.hasNames
    if (wholeKeywords.has(keyword)) return !places.within(instancePath)
    // Of several alternatives that fit, only the content can tell them apart.
    if (keyword === 'oneOf') return !places.within(instancePath)
    return true
  }

  /**
   * A combination holds when each alternative certainly fails; otherwise the errors of its alternatives are none
   * either.
   */
  function decide(error: ErrorObject, schemas: readonly unknown[]): boolean {
    const { instancePath, data, keyword } = error
    const found = schemas.map((schema) =>
      errorsOf(schema, data).map((each) => ({
        ...each,
        instancePath: instancePath + each.instancePath,
      })),
    )
    const isDecided =
      !(keyword === 'if' && isConditionDoubtful(error, places)) &&
      found.every((each) => certainErrors(each, doubt).length > 0)
    const count = found.reduce((sum, each) => sum + each.length, 0)
    if (!isDecided)
      for (const each of doubted.slice(Math.max(0, doubted.length - count))) each.isCertain = false
    return isDecided
  }

  for (const error of errors) {
    const schemas = combinedSchemas(error)
    doubted.push({
      error,
      isCertain: schemas.length > 0 ? decide(error, schemas) : isCertain(error),
    })
  }
  return doubted.filter((each) => each.isCertain).map(({ error }) => error)
}
