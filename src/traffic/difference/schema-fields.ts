/** What the protocol's own schemas tell about fields: which hold instants, and what lists go by. */
import { z } from 'zod'
import { operations } from '../../protocol/catalogue.ts'
import { isList, isObject, type JsonObject } from './json.ts'

export interface SchemaFields {
  /** Names of fields that hold a point in time, wherever they stand. */
  readonly instants: ReadonlySet<string>
  /** Names of lists whose members have no `id`, with the field that names them. */
  readonly keyed: ReadonlyMap<string, string>
  /** Names of fields that hold a URL of whoever writes it. */
  readonly addresses: ReadonlySet<string>
}

const isText = (schema: JsonObject): boolean => {
  const { type } = schema
  return type === 'string' || (isList(type) && type.includes('string'))
}

/** The schema itself says date-time, or the name does where partners write what they like. */
const holdsInstant = (name: string, schema: JsonObject): boolean =>
  isText(schema) &&
  (schema['format'] === 'date-time' || /(?:[a-z]At|[Dd]ate[Tt]ime|DeliveryTime)$/.test(name))

const holdsAddress = (name: string, schema: JsonObject): boolean =>
  isText(schema) && /(?:URL|Url)$|^endpoint$/.test(name)

/** `payments` go by `paymentId`; what has an id or a code is known without being told. */
function keyOf(name: string, member: unknown): string | undefined {
  const properties = isObject(member) ? member['properties'] : undefined
  if (!isObject(properties)) return undefined
  if (['id', 'code', 'eventId'].some((key) => Object.hasOwn(properties, key))) return undefined
  const own = `${name.replace(/s$/, '')}Id`
  return Object.hasOwn(properties, own) ? own : undefined
}

let found: SchemaFields | undefined

/** Read from the catalogue of operations when first asked for. */
export function schemaFields(): SchemaFields {
  return (found ??= readFields())
}

function readFields(): SchemaFields {
  const instants = new Set<string>()
  const addresses = new Set<string>()
  const keyed = new Map<string, string>()
  const seen = new Set<unknown>()
  const open: unknown[] = operations
    .flatMap(({ shown, request, response }) => [shown ?? request, response])
    .filter((shape) => shape !== undefined)
    .map((shape) => z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' }))
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    if (isList(schema)) open.push(...schema)
    if (!isObject(schema) || seen.has(schema)) continue
    seen.add(schema)
    const { properties, items, $defs, anyOf, oneOf, allOf } = schema
    open.push(...[items, anyOf, oneOf, allOf].filter((each) => each !== undefined))
    if (isObject($defs)) open.push(...Object.values($defs))
    if (!isObject(properties)) continue
    for (const [name, property] of Object.entries(properties)) {
      if (!isObject(property)) continue
      open.push(property)
      if (holdsInstant(name, property)) instants.add(name)
      if (holdsAddress(name, property)) addresses.add(name)
      const key = keyOf(name, property['items'])
      if (key !== undefined) keyed.set(name, key)
    }
  }
  return { instants, keyed, addresses }
}
