/**
 * Rewrites schemas of OpenAPI 3.0 and 3.1 as JSON Schema 2020-12 for one direction of a message: `nullable` and boolean
 * bounds become their successors, properties that only the other direction has are not required, and a discriminator
 * selects its schema. Each schema that is referred to is rewritten once, under a name of its own.
 */
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import {
  childOf,
  type ContractSource,
  type DocumentLocation,
  followReferences,
  locationKey,
  resolveReference,
  valueAtLocation,
} from './source.ts'

/** Which schema each value of a discriminator selects. */
interface DiscriminatorInput {
  readonly source: ContractSource
  readonly discriminator: UnknownRecord
  /** The schema that has it. */
  readonly location: DocumentLocation
}

interface DiscriminatorRules {
  readonly property: string
  readonly alternatives: ReadonlyMap<string, DocumentLocation>
  /** The alternatives are a list of the schema itself, so that there are no others. */
  readonly isClosed: boolean
}

/** A mapping names a schema of the document, or refers to one. */
function mappedLocation(
  source: ContractSource,
  name: string,
  file: string,
): DocumentLocation | undefined {
  const isName = /^[\w.-]+$/.test(name)
  const byName = isName ? resolveReference(source, `#/components/schemas/${name}`, file) : undefined
  if (byName?.ok) return byName.value
  const target = resolveReference(source, name, file)
  return target.ok ? target.value : undefined
}

/** The schemas of the document that extend another one. */
function extensionsOf(source: ContractSource, base: DocumentLocation) {
  const schemas = { file: source.root, path: ['components', 'schemas'] }
  const named = valueAtLocation(source, schemas)
  if (!isUnknownRecord(named)) return []
  const wanted = locationKey(base)
  return Object.entries(named).flatMap(([name, schema]) => {
    const allOf = isUnknownRecord(schema) ? schema['allOf'] : undefined
    if (!Array.isArray(allOf)) return []
    const extended = allOf.some((_, index) => {
      const parent = childOf(schemas, name, 'allOf', index)
      return locationKey(followReferences(source, parent)) === wanted
    })
    return extended ? [[name, childOf(schemas, name)] as const] : []
  })
}

function discriminatorRules({
  source,
  discriminator,
  location,
}: DiscriminatorInput): DiscriminatorRules | undefined {
  const { propertyName: property, mapping } = discriminator
  if (typeof property !== 'string') return undefined
  const alternatives = new Map<string, DocumentLocation>()
  const mapped = new Set<string>()
  if (isUnknownRecord(mapping))
    for (const [value, name] of Object.entries(mapping)) {
      const target = mappedLocation(source, String(name), location.file)
      if (!target) continue
      alternatives.set(value, target)
      mapped.add(locationKey(followReferences(source, target)))
    }
  const schema = valueAtLocation(source, location)
  const lists = isUnknownRecord(schema) ? [schema['oneOf'], schema['anyOf']] : []
  const isClosed = lists.some(Array.isArray)
  if (!isClosed) {
    for (const [name, target] of extensionsOf(source, location))
      if (!mapped.has(locationKey(target))) alternatives.set(name, target)
    return alternatives.size === 0 ? undefined : { property, alternatives, isClosed }
  }
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const list: unknown = isUnknownRecord(schema) ? schema[keyword] : undefined
    if (!Array.isArray(list)) continue
    for (const index of list.keys()) {
      const at = childOf(location, keyword, index)
      const target = followReferences(source, at)
      // An alternative that is written in place has no name, so that no value can select it.
      if (locationKey(target) === locationKey(at)) return undefined
      if (!mapped.has(locationKey(target))) alternatives.set(target.path.at(-1) ?? '', target)
    }
  }
  return { property, alternatives, isClosed }
}

export type MessageDirection = 'request' | 'response'
export type OpenApiVersion = '3.0' | '3.1'

/** A schema that may also be only true or false. */
export type JsonSchema = boolean | Record<string, unknown>

/** How a schema is used, besides its place. */
export interface SchemaUse {
  /** It stands in the `allOf` of another one, whose discriminator does not choose again. */
  readonly isBase?: true
  /** Names that schemas beside it declare as absent from this direction. */
  readonly absent?: ReadonlySet<string>
}

export interface NormaliserOptions {
  readonly source: ContractSource
  readonly version: OpenApiVersion
  readonly direction: MessageDirection
  /** Called with each schema that is referred to by its name. */
  readonly register: (name: string, schema: JsonSchema) => void
}

/** Keywords that are taken over as they are. */
const plainKeywords = [
  'multipleOf',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'dependentRequired',
  'const',
  'enum',
  'type',
  'format',
] as const
/** Keywords whose value is a schema. */
const schemaKeywords = [
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const
/** Keywords whose value is a list of schemas. */
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const
/** Keywords whose value has a schema for each name. */
const mapKeywords = ['properties', 'patternProperties', 'dependentSchemas'] as const

const noNames: ReadonlySet<string> = new Set()

function addRequired(
  schema: Record<string, unknown>,
  { required }: UnknownRecord,
  absent: ReadonlySet<string>,
): void {
  if (!Array.isArray(required)) return
  const needed: unknown[] = required.filter((name) => !absent.has(String(name)))
  if (needed.length > 0) schema['required'] = needed
}

export class SchemaNormaliser {
  readonly #options: NormaliserOptions
  readonly #source: NormaliserOptions['source']
  readonly #names = new Map<string, string>()
  readonly #origins = new WeakMap<object, DocumentLocation>()
  readonly #absentFlag: 'readOnly' | 'writeOnly'

  constructor(options: NormaliserOptions) {
    this.#options = options
    this.#source = options.source
    this.#absentFlag = options.direction === 'request' ? 'readOnly' : 'writeOnly'
  }

  /** The name under which the schema at this location, or behind its reference, is registered. */
  nameOf(from: DocumentLocation, use: SchemaUse = {}): string {
    const location = this.#followReferencesOnly(from)
    const absent = [...(use.absent ?? noNames)].sort()
    const key = `${use.isBase ? 'base' : ''} ${absent.join(' ')} ${locationKey(location)}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = `contract:${this.#names.size}`
    // Before its content is rewritten, which may refer to it.
    this.#names.set(key, name)
    this.#options.register(name, this.#rewritten(location, use))
    return name
  }

  /** Where in the document a rewritten schema comes from. */
  readonly originOf = (schema: object): DocumentLocation | undefined => this.#origins.get(schema)

  /** In 3.1 a reference may have keywords beside it, which hold as well. */
  #followReferencesOnly(location: DocumentLocation): DocumentLocation {
    const value = valueAtLocation(this.#source, location)
    const isAlone =
      isUnknownRecord(value) && (this.#options.version === '3.0' || Object.keys(value).length === 1)
    return isAlone ? followReferences(this.#source, location) : location
  }

  #rewritten(location: DocumentLocation, use: SchemaUse): JsonSchema {
    const value = valueAtLocation(this.#source, location)
    if (typeof value === 'boolean') return value
    if (!isUnknownRecord(value)) return true
    const schema: Record<string, unknown> = {}
    this.#origins.set(schema, location)
    if (typeof value['$ref'] === 'string') {
      this.#addReference(schema, value['$ref'], location, use)
      if (this.#options.version === '3.0') return schema
    }
    const absent = new Set([...(use.absent ?? noNames), ...this.#absentNames(location)])
    for (const keyword of plainKeywords) if (keyword in value) schema[keyword] = value[keyword]
    if (this.#options.version === '3.0') modernise(schema, value)
    addRequired(schema, value, absent)
    for (const keyword of schemaKeywords)
      if (keyword in value) schema[keyword] = this.#inner(childOf(location, keyword))
    for (const keyword of listKeywords) this.#addList(schema, keyword, location, absent)
    for (const keyword of mapKeywords) this.#addMap(schema, keyword, location)
    if (isUnknownRecord(value['discriminator']) && !use.isBase)
      this.#addDiscriminator(schema, value['discriminator'], location)
    return schema
  }

  #addReference(
    schema: Record<string, unknown>,
    reference: string,
    { file }: DocumentLocation,
    use: SchemaUse,
  ): void {
    const target = resolveReference(this.#source, reference, file)
    if (target.ok) schema['$ref'] = this.nameOf(target.value, use)
  }

  /** A schema in another one: in place, or by its name where it is only a reference. */
  #inner(location: DocumentLocation, use: SchemaUse = {}): JsonSchema {
    const value = valueAtLocation(this.#source, location)
    if (!isUnknownRecord(value) || typeof value['$ref'] !== 'string')
      return this.#rewritten(location, use)
    if (this.#followReferencesOnly(location) === location) return this.#rewritten(location, use)
    const schema = { $ref: this.nameOf(location, use) }
    this.#origins.set(schema, location)
    return schema
  }

  #addList(
    schema: Record<string, unknown>,
    keyword: (typeof listKeywords)[number],
    location: DocumentLocation,
    absent: ReadonlySet<string>,
  ): void {
    const list = valueAtLocation(this.#source, childOf(location, keyword))
    if (!Array.isArray(list)) return
    const use: SchemaUse =
      keyword === 'allOf' ? { isBase: true, ...(absent.size > 0 ? { absent } : {}) } : {}
    schema[keyword] = list.map((_, index) => this.#inner(childOf(location, keyword, index), use))
  }

  #addMap(
    schema: Record<string, unknown>,
    keyword: (typeof mapKeywords)[number],
    location: DocumentLocation,
  ): void {
    const map = valueAtLocation(this.#source, childOf(location, keyword))
    if (!isUnknownRecord(map)) return
    schema[keyword] = Object.fromEntries(
      Object.keys(map).map((name) => [name, this.#inner(childOf(location, keyword, name))]),
    )
  }

  #addDiscriminator(
    schema: Record<string, unknown>,
    discriminator: UnknownRecord,
    location: DocumentLocation,
  ): void {
    const rules = discriminatorRules({ source: this.#source, discriminator, location })
    if (!rules) return
    const { property, alternatives, isClosed } = rules
    const chosen = [...alternatives].map(([value, target]) => ({
      if: { not: { properties: { [property]: { const: value } }, required: [property] } },
      // One that extends this schema must not choose again.
      else: { $ref: this.nameOf(target, isClosed ? {} : { isBase: true }) },
    }))
    const choice = { enum: [...alternatives.keys()] }
    const values = {
      ...(isClosed ? { properties: { [property]: choice } } : {}),
      required: [property],
    }
    for (const each of [choice, values, ...chosen])
      this.#origins.set(each, childOf(location, 'discriminator'))
    // The discriminator says which alternative is meant; trying the others would only blur the message.
    if (isClosed) {
      delete schema['oneOf']
      delete schema['anyOf']
    }
    const others = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : []
    schema['allOf'] = [...others, values, ...chosen]
  }

  /** Names that this schema, or a schema that it extends, declares as absent from the direction. */
  #absentNames(from: DocumentLocation, visited: Set<string> = new Set()): ReadonlySet<string> {
    const location = followReferences(this.#source, from)
    const key = locationKey(location)
    const value = valueAtLocation(this.#source, location)
    if (visited.has(key) || !isUnknownRecord(value)) return noNames
    visited.add(key)
    const { properties, allOf } = value
    const own = isUnknownRecord(properties)
      ? Object.keys(properties).filter((name) => {
          const at = childOf(location, 'properties', name)
          return [at, followReferences(this.#source, at)].some((place) => {
            const property = valueAtLocation(this.#source, place)
            return isUnknownRecord(property) && property[this.#absentFlag] === true
          })
        })
      : []
    const above = Array.isArray(allOf)
      ? allOf.flatMap((_, index) => [
          ...this.#absentNames(childOf(location, 'allOf', index), visited),
        ])
      : []
    return new Set([...own, ...above])
  }
}

/** `nullable` and boolean bounds of 3.0 as their successors. */
function modernise(schema: Record<string, unknown>, value: UnknownRecord): void {
  // By the specification `nullable` has no effect without a type.
  if (value['nullable'] === true && typeof value['type'] === 'string')
    schema['type'] = [value['type'], 'null']
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof value[exclusive] !== 'boolean') continue
    delete schema[exclusive]
    if (!value[exclusive]) continue
    schema[exclusive] = value[bound]
    delete schema[bound]
  }
}
