/**
 * Generates bodies from the JSON Schema of a zod schema: a valid one, and invalid ones with one error each. New
 * operations get their invalid input automatically.
 */
import { z } from 'zod'

export interface InvalidBody {
  /** The error: `orderId is missing`. */
  readonly what: string
  /** The field that an error message should name. */
  readonly field: string
  readonly body: unknown
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly minItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly additionalProperties?: Schema | boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const schemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** Resolves a reference; takes the first of alternatives. */
function plain(root: Schema, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    let here: unknown = root
    for (const key of schema.$ref.split('/').slice(1)) here = isRecord(here) ? here[key] : undefined
    return plain(root, here as Schema)
  }
  const first = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (first) return plain(root, first)
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => plain(root, part))
    const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}))
    return { type: 'object', properties, required: parts.flatMap(({ required = [] }) => required) }
  }
  return schema
}

const texts: Readonly<Record<string, string>> = {
  'date-time': '2026-01-05T15:00:00.000Z',
  date: '2026-01-05',
  uuid: '7b2897cf-5f1e-4c5b-9a39-2f4d7f0a11ce',
  uri: 'http://127.0.0.1/x',
  email: 'a@example.com',
}

function text({ format = '', minLength = 1, pattern }: Schema): string {
  const known = texts[format]
  if (known !== undefined) return known
  const candidates = [
    'x'.repeat(Math.max(1, minLength)),
    'BRL',
    'BR',
    '1',
    'http://127.0.0.1/x',
    '/x',
  ]
  const fits = pattern === undefined ? () => true : (each: string) => new RegExp(pattern).test(each)
  return candidates.find((each) => each.length >= minLength && fits(each)) ?? 'x'
}

function valueOf(root: Schema, unresolved: Schema): unknown {
  const schema = plain(root, unresolved)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [
          name,
          valueOf(root, schema.properties?.[name] ?? {}),
        ]),
      )
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () =>
        valueOf(root, schema.items ?? {}),
      )
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1)
    case 'boolean':
      return true
    case 'string':
      return text(schema)
    default:
      return 'x'
  }
}

/** A valid body with only required fields. */
export function sampleBody(schema: z.ZodType): unknown {
  const root = schemaOf(schema)
  return valueOf(root, root)
}

/** A value of none of the types that the schema accepts. */
const otherTypes: readonly unknown[] = [{ wrong: true }, 7, 'wrong', true, [{}], -1.5]

/** The body with one value changed; `undefined` removes it. */
function changed(body: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (Array.isArray(body))
    return body.map((each: unknown, index) =>
      String(index) === first ? changed(each, rest, value) : each,
    )
  const record = isRecord(body) ? body : {}
  const next = changed(record[first], rest, value)
  const others = Object.fromEntries(Object.entries(record).filter(([key]) => key !== first))
  return next === undefined ? others : { ...others, [first]: next }
}

/** All fields of the schema down to a depth, optional ones included. */
function fieldsOf(
  root: Schema,
  unresolved: Schema,
  depth: number,
): readonly {
  readonly path: readonly string[]
  readonly schema: Schema
  readonly required: boolean
}[] {
  if (depth === 0) return []
  const schema = plain(root, unresolved)
  if (schema.items)
    return fieldsOf(root, schema.items, depth - 1).map((field) => ({
      ...field,
      path: ['0', ...field.path],
    }))
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const required = (schema.required ?? []).includes(name)
    const inner = required ? fieldsOf(root, property, depth - 1) : []
    return [
      { path: [name], schema: plain(root, property), required },
      ...inner.map((field) => ({ ...field, path: [name, ...field.path] })),
    ]
  })
}

/** Invalid bodies: the valid one with one error each. */
export function invalidBodies(
  schema: z.ZodType,
  good: unknown = sampleBody(schema),
): readonly InvalidBody[] {
  const root = schemaOf(schema)
  const wrongs: InvalidBody[] = []
  const add = (what: string, path: readonly string[], value: unknown): void => {
    const body = changed(good, path, value)
    if (!schema.safeParse(body).success)
      wrongs.push({ what: `${path.join('.')} ${what}`, field: path.at(-1) ?? '', body })
  }
  for (const { path, schema: field, required } of fieldsOf(root, root, 3)) {
    if (required) add('is missing', path, undefined)
    for (const other of otherTypes) add(`is ${JSON.stringify(other)}`, path, other)
    if (field.enum) add('is an unknown name', path, 'NO_SUCH_NAME')
    if (field.maxLength !== undefined) add('is too long', path, 'x'.repeat(field.maxLength + 1))
    if (field.minLength !== undefined && field.minLength > 0) add('is empty', path, '')
  }
  return wrongs
}
