/**
 * Edits of JSON Schemas at the paths of bodies. A list on the way stands for its entries, a union for each of its
 * alternatives; a component is copied into its place where something in it changes. Nothing is changed in place.
 */
import type { BodyPath } from '../../protocol/translation/body-path.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import type { Json } from './json.ts'

/** The schema that a reference names, or the schema itself. */
export type Dereference = (schema: Json) => Json

export type SchemaEdit = (schema: Json) => Json

const unions = ['anyOf', 'oneOf', 'allOf'] as const

export const memberSchema = (schema: Json, key: string): Json => {
  const found = schema[key]
  return isUnknownRecord(found) ? found : {}
}

export const propertiesOf = (schema: Json): Json => memberSchema(schema, 'properties')

export const requiredOf = ({ required }: Json): readonly unknown[] =>
  Array.isArray(required) ? (required as readonly unknown[]) : []

/** The alternatives of a union, or the parts of a combination; none when it is neither. */
export const alternativesOf = (schema: Json): readonly Json[] =>
  unions.flatMap((key) => {
    const parts = schema[key]
    return Array.isArray(parts) ? parts.filter(isUnknownRecord) : []
  })

/** The schema with each alternative of a union, or each entry of a list, replaced; undefined when it is neither. */
export function throughParts(schema: Json, replace: SchemaEdit): Json | undefined {
  for (const key of unions) {
    const parts = schema[key]
    if (Array.isArray(parts))
      return {
        ...schema,
        [key]: parts.map((each: unknown) => (isUnknownRecord(each) ? replace(each) : each)),
      }
  }
  const { items } = schema
  return isUnknownRecord(items) ? { ...schema, items: replace(items) } : undefined
}

/** Edits what is at a path, through unions and lists; what the schema does not name stays as it is. */
export function editAt(
  original: Json,
  [name, ...rest]: BodyPath,
  edit: SchemaEdit,
  deref: Dereference,
): Json {
  const schema = deref(original)
  const path = name === undefined ? [] : [name, ...rest]
  const parts = throughParts(schema, (each) => editAt(each, path, edit, deref))
  if (parts) return parts
  if (name === undefined) return edit(schema)
  const properties = propertiesOf(schema)
  // A name of a map has the schema of its entries.
  const others = memberSchema(schema, 'additionalProperties')
  const isNamed = name in properties || Object.keys(others).length > 0
  const names = name === '*' ? Object.keys(properties) : isNamed ? [name] : []
  if (names.length === 0) return original
  const changed = names.map((each) => [
    each,
    editAt(each in properties ? memberSchema(properties, each) : others, rest, edit, deref),
  ])
  return { ...schema, properties: { ...properties, ...(Object.fromEntries(changed) as Json) } }
}

/** The object without a property. */
export function withoutProperty(schema: Json, name: string): Json {
  const { [name]: _, ...properties } = propertiesOf(schema)
  return optionally({ ...schema, properties }, name)
}

/** The object with a property that may be missing. */
export function optionally(schema: Json, name: string): Json {
  const { required: _, ...rest } = schema
  const required = requiredOf(schema).filter((each) => each !== name)
  return required.length === 0 ? rest : { ...rest, required }
}

/** A property: its schema, open where the object does not name it, and whether the object needs it. */
interface Property {
  readonly value: Json
  readonly isRequired: boolean
}

/** The object with a property where it has none, in objects that are made where they are missing. */
export function withProperty(
  schema: Json,
  [name, ...rest]: BodyPath,
  property: Property,
  deref: Dereference,
): Json {
  if (name === undefined) return schema
  const properties = propertiesOf(schema)
  if (rest.length === 0 && name in properties) return schema
  const below =
    rest.length === 0
      ? property.value
      : withProperty(
          deref(name in properties ? memberSchema(properties, name) : { type: 'object' }),
          rest,
          property,
          deref,
        )
  const required = property.isRequired
    ? [...new Set([...requiredOf(schema), name])]
    : requiredOf(schema)
  return {
    ...schema,
    properties: { ...properties, [name]: below },
    ...(required.length === 0 ? {} : { required }),
  }
}

/** Takes a property out, with the objects on the way that are empty then. */
export function takeProperty(
  schema: Json,
  [name = '', ...rest]: BodyPath,
  deref: Dereference,
): { readonly found: Property | undefined; readonly left: Json } {
  const properties = propertiesOf(schema)
  if (!(name in properties)) return { found: undefined, left: schema }
  const isRequired = requiredOf(schema).includes(name)
  const value = memberSchema(properties, name)
  if (rest.length === 0)
    return { found: { value, isRequired }, left: withoutProperty(schema, name) }
  const below = deref(value)
  // An object of any shape may hold it, and be empty without it.
  if (Object.keys(propertiesOf(below)).length === 0)
    return { found: { value: {}, isRequired: false }, left: optionally(schema, name) }
  const inner = takeProperty(below, rest, deref)
  if (!inner.found) return { found: undefined, left: schema }
  const isEmpty = Object.keys(propertiesOf(inner.left)).length === 0
  return {
    found: { value: inner.found.value, isRequired: isRequired && inner.found.isRequired },
    left: isEmpty
      ? withoutProperty(schema, name)
      : { ...schema, properties: { ...properties, [name]: inner.left } },
  }
}
