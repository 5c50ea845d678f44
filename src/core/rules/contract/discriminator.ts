/** Which schema each value of a discriminator selects. */
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

export interface DiscriminatorInput {
  readonly source: ContractSource
  readonly discriminator: UnknownRecord
  /** The schema that has it. */
  readonly location: DocumentLocation
}

export interface DiscriminatorRules {
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

export function discriminatorRules({
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
