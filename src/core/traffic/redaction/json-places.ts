/**
 * What the names in JSON documents say about the values under them, found once for each member of each place: documents
 * of one operation have the same members in the same places, and most classes depend on names alone.
 */
import type { KeyPlace, RedactionClass } from './class.ts'
import { contact, identifiesPerson } from './classes/contacts.ts'
import {
  classForKey,
  hasParts,
  isPart,
  type KeyMeaning,
  keyMeaningOf,
  soleClass,
  surroundingsIn,
} from './keys.ts'
import { ownCopy } from './known-values.ts'
import type { DocumentTopic } from './walk.ts'

/** An object or a list somewhere in a document. */
interface JsonPlace {
  readonly isList: boolean
  readonly parent?: JsonPlace
  /** Its name in a path, and the beginning of all paths in the document. */
  readonly label: string
  readonly root: string
  readonly place: KeyPlace | undefined
  readonly person: boolean | undefined
  /** The class of every string inside. */
  readonly forAll: RedactionClass | undefined
  /** The class of the parent key: `{ "email": { "value": … } }`. */
  readonly inherited: RedactionClass | undefined
  readonly members: Map<string, JsonMember>
}

/** The number of the last reading of a document that met a name. */
interface MetName {
  lastMet: number
}

/** A member of an object, or the elements of a list. */
export interface JsonMember {
  readonly within: JsonPlace
  /** In a list, the key of the list. */
  readonly key: KeyMeaning
  /** Its name in a path. */
  readonly label: string
  /** Its name and the colon, as they are written in nearly all documents. */
  readonly literal: string
  readonly met: MetName
  /** The class of any value, by the names alone. */
  readonly sole: RedactionClass | undefined
  /** Whether a value may have a class by its looks. */
  readonly isOpen: boolean
  /** Its value has no class but by what is in it, and no neighbour has one by it. */
  readonly isPlain: boolean
  path: string | undefined
  /** What is first in an object and in a list under it. */
  object: JsonMember | undefined
  list: JsonMember | undefined
  /** The member that followed it last. */
  next: JsonMember | undefined
}

const noKey = (): KeyMeaning => keyMeaningOf('')
const maxPathDepth = 60
/** Fields whose value names what `value` holds. */
export const namingKeys = new Set('type kind name key field label attribute property'.split(' '))

/** Names may be generated: so many members and names are remembered, and then begun anew. */
const maxRemembered = 20_000
const documents = new Map<string, readonly JsonMember[]>()
const names = new Map<string, MetName>()
let members = 0

/** Begins anew when there are too many; not while a document is read. */
export function forgetPlaces(): void {
  if (members < maxRemembered && names.size < maxRemembered) return
  documents.clear()
  names.clear()
  members = 0
}

function metNameOf(name: string): MetName {
  let met = names.get(name)
  if (!met) names.set(ownCopy(name), (met = { lastMet: 0 }))
  return met
}

/** Whether the end of the object may show its class. */
const mayBeDeferred = ({ name, ofPerson }: KeyMeaning): boolean =>
  name === 'value' || ofPerson?.id === 'name'

const isOfPersonsId = (key: KeyMeaning, person: boolean | undefined): boolean =>
  key.isPersonsId || (person === true && key.name === 'id')

function createMember(within: JsonPlace, name: string, key: KeyMeaning, label: string): JsonMember {
  const { place, person, forAll, inherited } = within
  const byName = (place && key.inPlace[place]) ?? soleClass(key, person)
  const byLooks = key.whenFitting !== undefined || key.whenOpaque !== undefined
  const around = (key.isId ? undefined : forAll) ?? (isPart(key) ? inherited : undefined)
  const sole = byName ?? (byLooks ? undefined : around)
  const isOpen = !sole && (byLooks || isOfPersonsId(key, person))
  return {
    within,
    key,
    label,
    literal: `${JSON.stringify(name)}:`,
    met: metNameOf(name),
    sole,
    isOpen,
    isPlain: !sole && !isOpen && !namingKeys.has(key.name) && !mayBeDeferred(key),
    path: undefined,
    object: undefined,
    list: undefined,
    next: undefined,
  }
}

/** The member of a name; undefined for one that is no plain name. */
export function memberNamed(within: JsonPlace, name: string): JsonMember | undefined {
  const before = within.members.get(name)
  if (before) return before
  const key = keyMeaningOf(name)
  if (!key.isPlain) return undefined
  const own = ownCopy(name)
  const fresh = createMember(within, own, key, own)
  if (members++ < maxRemembered) within.members.set(own, fresh)
  return fresh
}

/** A member whose name is no plain one, by what becomes of the name. */
export function unusualMember(within: JsonPlace, name: string, redacted: string): JsonMember {
  const label = redacted.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 80)
  return createMember(within, name, keyMeaningOf(redacted), label)
}

/** The class of a value: by its key, by inheritance, or because an id identifies a person. */
export function classOfValue(member: JsonMember, value: string): RedactionClass | undefined {
  const { sole, isOpen, key, within } = member
  if (!isOpen) return sole
  const own = classForKey(key, value, within) ?? (key.isId ? undefined : within.forAll)
  if (own) return own
  if (within.inherited && isPart(key)) return within.inherited
  return isOfPersonsId(key, within.person) && identifiesPerson(value) ? contact : undefined
}

/** The class inherited from the parent key. */
function inheritedBy({ key, within: { isList, inherited, person } }: JsonMember) {
  const sole = soleClass(key, person)
  if (sole) return hasParts(sole) ? sole : undefined
  return isList ? inherited : undefined
}

/**
 * Whether `items` of a whole document is a page of what was asked for, such as `{ "items": […], "page": 1 }`: of customers
 * as well as of dishes.
 */
function isPage({ key, within }: JsonMember): boolean {
  const document = within.isList ? within.parent : within
  return (
    key.name === 'items' && document?.parent !== undefined && document.parent.parent === undefined
  )
}

/** What is first in the object or list that is the value of a member. */
function opened(member: JsonMember, isList: boolean): JsonMember {
  const { key, within } = member
  const place: JsonPlace = {
    isList,
    parent: within,
    label: within.isList ? '*' : member.label,
    root: within.root,
    ...surroundingsIn(key, within),
    ...(isPage(member) ? { person: within.person } : {}),
    inherited: inheritedBy(member),
    members: new Map(),
  }
  // A nested list keeps the key; an object in a list starts without one.
  members++
  return createMember(place, '', isList ? key : noKey(), isList ? '*' : '')
}

export const objectUnder = (member: JsonMember): JsonMember =>
  (member.object ??= opened(member, false))
export const listUnder = (member: JsonMember): JsonMember => (member.list ??= opened(member, true))

/** What is first in a document. */
export function documentAt(path: string, { person, place }: DocumentTopic): JsonMember {
  const others = documents.get(path) ?? []
  const before = others.find(({ within }) => within.person === person && within.place === place)
  if (before) return before
  const whole: JsonPlace = {
    isList: false,
    label: '',
    root: path,
    place,
    person,
    forAll: undefined,
    inherited: undefined,
    members: new Map(),
  }
  const fresh = createMember(whole, '', noKey(), '')
  if (members++ < maxRemembered) documents.set(path, [...others, fresh])
  return fresh
}

function createPath({ within, label }: JsonMember): string {
  let tail = `/${label}`
  let steps = 0
  // The root object has no key and no part in the path.
  for (let at = within; at.parent?.parent; at = at.parent) {
    if (++steps > maxPathDepth) return `${within.root}/…${tail}`
    tail = `/${at.label}${tail}`
  }
  return within.root + tail
}

export const pathOf = (member: JsonMember): string => (member.path ??= createPath(member))
