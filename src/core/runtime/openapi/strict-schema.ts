/**
 * The schema of a request as `conduct.bodies: strict` takes it: with the fields, words and forms that every partner requires.
 * What depends on other fields of the same body no schema says; it is described in the text of the operation.
 */
import type { PartnerRequirement } from '../../protocol/partner-requirements/requirement.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'
import {
  alternativesOf,
  type Dereference,
  propertiesOf,
  memberSchema,
  requiredOf,
  throughParts,
} from './edit-schema.ts'
import type { Json } from './json.ts'

/** The value with what is expected of it. A union is replaced: only one of its alternatives is expected. */
export function narrowed(
  original: Json,
  { expects }: PartnerRequirement,
  deref: Dereference,
): Json {
  const { schema: expected } = expects
  const { 'x-extensible-enum': words, ...existing } = deref(original)
  const { description } = existing
  if (alternativesOf(existing).length > 0)
    return { ...expected, ...(description === undefined ? {} : { description }) }
  const open = words === undefined || 'enum' in expected ? {} : { 'x-extensible-enum': words }
  return { ...existing, ...open, ...expected }
}

/** Whether a schema names a member: an object, one of its alternatives, or the entries of a list. */
function names(original: Json, name: string, deref: Dereference): boolean {
  const schema = deref(original)
  const { items, type } = schema
  return (
    (name === '*' ? type === 'array' : name in propertiesOf(schema)) ||
    alternativesOf(schema).some((each) => names(each, name, deref)) ||
    (name !== '*' && isUnknownRecord(items) && names(items, name, deref))
  )
}

/**
 * The path of a requirement, `*` for the entries of a list, and members whose objects hold what is meant further below.
 */
interface Place {
  readonly path: readonly string[]
  readonly holders: readonly string[]
}

interface Editing {
  readonly requirement: PartnerRequirement
  readonly deref: Dereference
}

const withRequired = (schema: Json, name: string): Json => ({
  ...schema,
  required: [...new Set([...requiredOf(schema), name])],
})

/** An object in which the member, or what is below it, is as required. */
function atMember(
  schema: Json,
  [name = '', ...rest]: readonly string[],
  { requirement, deref, isHolder }: Editing & { readonly isHolder: boolean },
): Json {
  const properties = propertiesOf(schema)
  const value = memberSchema(properties, name)
  const changed =
    rest.length > 0
      ? atPath(value, { path: rest, holders: [], requirement, deref })
      : narrowed(value, requirement, deref)
  const whole = { ...schema, properties: { ...properties, [name]: changed } }
  // One object may have the member itself, or another one that has it.
  const isRequired = rest.length === 0 && !requirement.optional && !isHolder
  return isRequired ? withRequired(whole, name) : whole
}

/** Through lists, and through those alternatives that have the member, if one has it. */
function atPath(original: Json, place: Place & Editing): Json {
  const { holders, requirement, deref } = place
  const schema = deref(original)
  const [first, ...rest] = place.path
  const alternatives = alternativesOf(schema)
  if (alternatives.length > 0) {
    const isNamed = (each: Json): boolean => first !== undefined && names(each, first, deref)
    const isOfOne = alternatives.some(isNamed)
    return (
      throughParts(schema, (each) => (isOfOne && !isNamed(each) ? each : atPath(each, place))) ??
      schema
    )
  }
  const isList = schema['type'] === 'array'
  const below = { ...place, path: rest, holders: [] }
  if (first === undefined) {
    const isOfLists = 'minItems' in requirement.expects.schema
    return isOfLists === isList ? narrowed(schema, requirement, deref) : schema
  }
  if (first === '*') {
    const isOpen = schema['type'] === undefined && !('properties' in schema)
    return isList || isOpen
      ? { ...schema, items: atPath(memberSchema(schema, 'items'), below) }
      : schema
  }
  // The records of a body may be a list.
  if (isList) return { ...schema, items: atPath(memberSchema(schema, 'items'), place) }
  const { type = 'object' } = schema
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return original
  const isHolder = holders.some((name) => name in propertiesOf(schema))
  if (isHolder && !(first in propertiesOf(schema))) return original
  return atMember(schema, place.path, { requirement, deref, isHolder })
}

function placesOf({ within, at }: PartnerRequirement): readonly Place[] {
  const path = at === '' ? [] : at.split('.')
  const members = within?.members ?? ['']
  return members.map((member) => ({
    path: member === '' ? path : [member, ...path],
    holders: member === '' ? members.filter((each) => each !== '') : [],
  }))
}

/** The schema of a body that meets these requirements. */
export const strictSchema = (
  schema: Json,
  requirements: readonly PartnerRequirement[],
  deref: Dereference,
): Json =>
  requirements
    .filter(({ of, when }) => of === undefined && (when === undefined || when.isOfConduct))
    .reduce(
      (whole, requirement) =>
        placesOf(requirement).reduce(
          (changed, place) => atPath(changed, { ...place, requirement, deref }),
          whole,
        ),
      schema,
    )

/** What of the requirements no schema says, as sentences. */
export const strictTexts = (requirements: readonly PartnerRequirement[]): readonly string[] =>
  requirements.flatMap(({ of, at, within, when, expects, optional }) => {
    const isConditional = when !== undefined && !when.isOfConduct
    // It stands in a member of the body, or in the body itself.
    const isMovable = within !== undefined && !optional && /^[^.]+$/.test(at)
    if (of === 'query' || (of !== 'order' && !isConditional && !isMovable)) return []
    const where = of === 'order' ? `${at} of the order` : at
    const condition = isConditional ? ` ${when.says}` : ''
    return [`${optional ? 'Where it is there, ' : ''}${where} is ${expects.says}${condition}.`]
  })
