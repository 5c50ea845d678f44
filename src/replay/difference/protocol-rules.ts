/**
 * Rules for what the protocol allows to differ between two runs of the same behaviour, each with its reason. Fields
 * that hold instants, URLs and keyed lists are read from the schemas; the other rules are listed here. Recurring
 * identifiers have no rule: they are renamed before the comparison, and one that does not match then is a difference.
 */
import type { Comparator, Rule } from '../../core/traffic/recording/difference.ts'
import { type RuleBook, compileRules } from './rule-book.ts'
import { z } from 'zod'
import { operations } from '../../core/protocol/catalogue.ts'
import { isList } from '../../core/traffic/recording/json.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'

/** Two runs differ in pace by waiting and chance; a larger distance is different behaviour. */
export const instantToleranceMs = 60_000
/** Estimates depend on road traffic, not on behaviour. */
export const estimateToleranceMs = 900_000

const rule = (at: string, compare: Comparator, reason: string, more: Partial<Rule> = {}): Rule => ({
  at,
  compare,
  from: 'protocol',
  reason,
  ...more,
})

/** Size of the delivery area, in degrees: couriers stay within it. */
const areaSizeDegrees = 0.5

const isEstimate = (name: string): boolean => /eta|estimated|maxDeliveryTime/i.test(name)

function instantRules(): readonly Rule[] {
  const names = [...schemaFields().instants, ...looseInstants].toSorted()
  return names.map((name) =>
    isEstimate(name)
      ? rule(
          `$.body..${name}`,
          { as: 'time', within: estimateToleranceMs },
          `${name} is an estimate: it moves with the road, and may be a quarter of an hour apart.`,
        )
      : rule(
          `$.body..${name}`,
          { as: 'time', within: instantToleranceMs },
          `${name} is an instant of the run: its distance from the begin of the order may be a minute apart.`,
        ),
  )
}

/** Instant fields in bodies that the documents leave open, so that no schema has them. */
const looseInstants = ['datetime', 'estimatedDeliveryAt', 'occurredAt', 'updatedAt'] as const

const addressRules = (): readonly Rule[] =>
  [...schemaFields().addresses].map((name) =>
    rule(
      `$.body..${name}`,
      { as: 'address' },
      `${name} begins with the address at which its host happened to listen.`,
    ),
  )

const keyedRules = (): readonly Rule[] =>
  [...schemaFields().keyed].map(([name, by]) =>
    rule(`$.body..${name}`, { as: 'keyed', by }, `Each of ${name} is known by its ${by}.`),
  )

/** Lists of names, whose order has no meaning. */
const unorderedLists: Readonly<Record<string, string>> = {
  '$.body.eventIds': 'An acknowledgment names events, in whatever order.',
  '$.body..changedFields': 'These are the names of the fields that changed, in whatever order.',
  '$.body..externalIds': 'A customer’s names elsewhere have no order.',
  '$.body..operations': 'A manifest lists operations, in whatever order.',
  '$.body..supportedOperations': 'A manifest lists operations, in whatever order.',
  '$.body..unsupportedOperations': 'A manifest lists operations, in whatever order.',
  '$.body..supportedEvents': 'A manifest lists events, in whatever order.',
  '$.body..unsupportedEvents': 'A manifest lists events, in whatever order.',
  '$.body..outOfStockItems': 'These are the items that ran out, in whatever order.',
  '$.body..transferredItemIds': 'These are the items that moved, in whatever order.',
}

/** Identifiers that are used once and never recur. */
const generatedNames: Readonly<Record<string, string>> = {
  correlationId: 'A receipt has a number of its own.',
  quoteId: 'Every quote has a number of its own.',
  displayId: 'The short number of an order is made up for people.',
  orderDisplayId: 'The short number of an order is made up for people.',
  pickupCode: 'The code that the guest shows is made up for each order.',
  deliveryCode: 'The code that the guest shows is made up for each order.',
}

const explicitRules: readonly Rule[] = [
  ...['x-request-id', 'x-idempotency-key', 'idempotency-key'].map((name) =>
    rule(`$.headers['${name}']`, { as: 'opaque' }, 'Every request has an id of its own.'),
  ),
  rule(
    `$.headers['retry-after']`,
    { as: 'number', within: 1 },
    'A wait that is told in whole seconds may be one second apart.',
  ),
  rule('$.headers.location', { as: 'address' }, 'A redirect begins with the address of its host.'),
  rule(
    '$.headers.location',
    { as: 'shape' },
    'A redirect after consent carries a code that is good once.',
    { operation: 'authorize', side: 'reply' },
  ),
  rule('$.body', { as: 'set' }, 'An acknowledgment names events, in whatever order.', {
    operation: 'acknowledgeEvents',
    side: 'request',
  }),
  ...['client_id', 'client_secret', 'code'].map((name) =>
    rule(`$.body.${name}`, { as: 'opaque' }, 'Credentials are those of the run.', {
      operation: 'issueToken',
      side: 'request',
    }),
  ),
  rule('$.body.access_token', { as: 'opaque' }, 'Every token is another one.', {
    operation: 'issueToken',
    side: 'reply',
  }),
  rule(
    '$.body.expires_in',
    { as: 'number', within: 5 },
    'How long a token still lives may be a few seconds apart.',
    { operation: 'issueToken', side: 'reply' },
  ),
  ...[
    'createdFrom',
    'createdTo',
    'updatedFrom',
    'updatedTo',
    'updatedSince',
    'since',
    'from',
    'to',
  ].map((name) =>
    rule(
      `$.query.${name}`,
      { as: 'time', within: instantToleranceMs },
      `${name} is counted from the moment of asking, which may be a minute apart.`,
    ),
  ),
  ...['courier', 'deliveryPerson'].map((name) =>
    rule(`$.body..${name}`, { as: 'shape' }, 'Which courier comes is the platform’s own affair.'),
  ),
  rule(
    '$.body.vehicle.type',
    { as: 'shape' },
    'What the courier rides is the platform’s own affair.',
    {
      operation: 'receiveDeliveryEvent',
      side: 'request',
    },
  ),
  ...['tracking', 'geoLocalization'].flatMap((name) =>
    ['latitude', 'longitude'].map((axis) =>
      rule(
        `$.body..${name}.${axis}`,
        { as: 'number', within: areaSizeDegrees },
        'Where the courier is just now is another place in every run.',
      ),
    ),
  ),
  ...['pickupEtaInMinutes', 'deliveryEtaInMinutes', 'estimatedDeliveryMinutes'].map((name) =>
    rule(
      `$.body..${name}`,
      { as: 'number', within: estimateToleranceMs / 60_000 },
      `${name} is an estimate: it moves with the road.`,
    ),
  ),
]

/** All protocol rules. The first match decides, so rules for one operation come first. */
export const protocolRules = (): readonly Rule[] => [
  ...explicitRules.filter(({ operation }) => operation !== undefined),
  ...explicitRules.filter(({ operation }) => operation === undefined),
  ...Object.entries(generatedNames).map(([name, reason]) =>
    rule(`$.body..${name}`, { as: 'shape' }, reason),
  ),
  ...Object.entries(unorderedLists).map(([at, reason]) => rule(at, { as: 'set' }, reason)),
  ...instantRules(),
  ...addressRules(),
  ...keyedRules(),
]

/** A rule book of `others` and the protocol rules; throws when a rule cannot be compiled. */
export function createRuleBook(others: readonly Rule[] = []): RuleBook {
  const book = compileRules([...others, ...protocolRules()])
  if (!book.ok) throw new Error(book.error)
  return book.value
}

interface SchemaFields {
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
function schemaFields(): SchemaFields {
  return (cachedFields ??= readFields())
}

function readFields(): SchemaFields {
  const instants = new Set<string>()
  const addresses = new Set<string>()
  const keyed = new Map<string, string>()
  const visited = new Set<unknown>()
  const pending: unknown[] = operations
    .flatMap(({ shown, request, response }) => [shown ?? request, response])
    .filter((shape) => shape !== undefined)
    .map((shape) => z.toJSONSchema(shape(), { io: 'input', unrepresentable: 'any' }))
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (isList(schema)) pending.push(...schema)
    if (!isUnknownRecord(schema) || visited.has(schema)) continue
    visited.add(schema)
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
