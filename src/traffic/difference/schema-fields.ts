/** Fields found in the protocol's schemas: instants, URLs, and the key fields of lists. */
import { z } from 'zod'
import { operations } from '../../protocol/catalogue.ts'
import { isList } from './json.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

export interface SchemaFields {
  /** Names of fields that hold an instant, in any schema. */
  readonly instants: ReadonlySet<string>
  /** Names of lists whose members have no `id`, with their key field. */
  readonly keyed: ReadonlyMap<string, string>
  /** Names of fields that hold a URL of the sender. */
  readonly addresses: ReadonlySet<string>
}

const isText = (schema: UnknownRecord): boolean => {
  const { type } = schema
  return type === 'string' || (isList(type) && type.includes('string'))
}

/** By format `date-time`, or by name where the schema allows any text. */
const holdsInstant = (name: string, schema: UnknownRecord): boolean =>
  isText(schema) &&
  (schema['format'] === 'date-time' || /(?:[a-z]At|[Dd]ate[Tt]ime|DeliveryTime)$/.test(name))

const holdsAddress = (name: string, schema: UnknownRecord): boolean =>
  isText(schema) && /(?:URL|Url)$|^endpoint$/.test(name)

/** The key field of a list: `paymentId` for `payments`. Members with an id or a code need none. */
function keyFieldOf(name: string, member: unknown): string | undefined {
  const properties = isUnknownRecord(member) ? member['properties'] : undefined
  if (!isUnknownRecord(properties)) return undefined
  if (['id', 'code', 'eventId'].some((key) => Object.hasOwn(properties, key))) return undefined
  const own = `${name.replace(/s$/, '')}Id`
  return Object.hasOwn(properties, own) ? own : undefined
}

let cachedFields: SchemaFields | undefined

/** Read lazily from the catalogue of operations. */
export function schemaFields(): SchemaFields {
  return (cachedFields ??= readFields())
}

function readFields(): SchemaFields {
  const instants = new Set<string>()
  const addresses = new Set<string>()
  const keyed = new Map<string, string>()
  const seen = new Set<unknown>()
  const pending: unknown[] = operations
    .flatMap(({ shown, request, response }) => [shown ?? request, response])
    .filter((shape) => shape !== undefined)
    .map((shape) => z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' }))
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (isList(schema)) pending.push(...schema)
    if (!isUnknownRecord(schema) || seen.has(schema)) continue
    seen.add(schema)
    const { properties, items, $defs, anyOf, oneOf, allOf } = schema
    pending.push(...[items, anyOf, oneOf, allOf].filter((each) => each !== undefined))
    if (isUnknownRecord($defs)) pending.push(...Object.values($defs))
    if (!isUnknownRecord(properties)) continue
    for (const [name, property] of Object.entries(properties)) {
      if (!isUnknownRecord(property)) continue
      pending.push(property)
      if (holdsInstant(name, property)) instants.add(name)
      if (holdsAddress(name, property)) addresses.add(name)
      const key = keyFieldOf(name, property['items'])
      if (key !== undefined) keyed.set(name, key)
    }
  }
  return { instants, keyed, addresses }
}
