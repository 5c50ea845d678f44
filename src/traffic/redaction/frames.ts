/**
 * What the JSON walker knows while it stands inside an object or a list: the key it hangs on, what it is about, and
 * what can be decided only when the object ends, because keys come in any order: whether a `name` is a person's (an
 * e-mail address stands beside it), and what a `value` is (its `type` says so).
 */
import { classOfType } from './catalogue.ts'
import type { Place, RedactionClass } from './class.ts'
import { contact, identifiesPerson } from './classes/contacts.ts'
import { document, isValidDocument } from './classes/documents.ts'
import { card, isCardNumber } from './classes/payments.ts'
import { personName } from './classes/persons.ts'
import { isFullNumber, phone } from './classes/phones.ts'
import { isHarmless } from './fast-path.ts'
import { classOf, type KeyMeaning, meaningOf, normalKey } from './keys.ts'
import { deeper, replaceNumberWith, replaceWith, type Root, type Walk } from './walk.ts'

interface Waiting {
  readonly from: number
  readonly to: number
  readonly value: string
  readonly broken: boolean
  readonly path: string
  /** It was written as a number, and stays one. */
  readonly isNumber?: true
}

export interface Frame {
  readonly isList: boolean
  readonly parent?: Frame
  /** How it is called in a path. */
  readonly label: string
  /** The key that is read; a list has the key that it hangs on. */
  key: KeyMeaning
  keyLabel: string
  readonly place: Place | undefined
  readonly person: boolean | undefined
  /** Every text inside is of this class. */
  readonly forAll: RedactionClass | undefined
  /** A field beside the others tells about a person. */
  personal: boolean
  type: string | undefined
  /** What a field calls itself: `{ "name": "phone", "value": … }`. */
  named: KeyMeaning | undefined
  /** Of the key that it hangs on: `{ "email": { "value": … } }`. */
  readonly inherited: RedactionClass | undefined
  names: Waiting[] | undefined
  value: Waiting | undefined
}

interface Scan {
  readonly walk: Walk
  readonly text: string
  readonly path: string
  readonly edits: { readonly from: number; readonly to: number; readonly text: string }[]
}

const noKey = meaningOf('')
const deepestPath = 60

const fresh = {
  personal: false,
  type: undefined,
  named: undefined,
  names: undefined,
  value: undefined,
}

/** Fields that name the field which their `value` is. */
const naming = new Set(['type', 'kind', 'name', 'key', 'field', 'label', 'attribute', 'property'])
/** Parts of what a key means that say nothing of their own. */
const parts = new Set(
  (
    'value text raw full formatted display first last middle given family local international national ' +
    'year month day primary secondary'
  ).split(' '),
)
/** Classes whose parts are of the class as well. */
const inParts = new Set(['name', 'email', 'phone', 'document', 'birth', 'address', 'card', 'pix'])
const keyedByContacts = new Set<Place>(['phone', 'contact', 'document'])
const customerIds = /^(?:customer|consumer|client|cliente|user)id$/

export const rootFrame = ({ person, place }: Root): Frame => ({
  ...fresh,
  isList: false,
  label: '',
  key: noKey,
  keyLabel: '',
  place,
  person,
  forAll: undefined,
  inherited: undefined,
})

/** What an object or a list hangs on, where parts of that would tell it. */
function inheritedBy({ key, isList, inherited, person }: Frame): RedactionClass | undefined {
  const sole = key.always ?? (person === true ? key.ofPerson : undefined)
  if (sole) return inParts.has(sole.id) ? sole : undefined
  return isList ? inherited : undefined
}

export function openFrame(parent: Frame, isList: boolean): Frame {
  const { key } = parent
  const forAll = key.always?.forAll ? key.always : parent.forAll
  if (key.opens === 'phone' || key.opens === 'contact') parent.personal = true
  return {
    ...fresh,
    isList,
    parent,
    label: parent.isList ? '*' : parent.keyLabel,
    // A list of a list still hangs on the key; an object in a list begins anew.
    key: isList ? key : noKey,
    keyLabel: isList ? '*' : '',
    place: key.opens ?? (key.person === undefined ? parent.place : undefined),
    person: key.person ?? (key.opens === 'contact' ? true : parent.person),
    forAll,
    inherited: inheritedBy(parent),
  }
}

function pathOf({ path }: Scan, frame: Frame): string {
  let tail = `/${frame.keyLabel}`
  let steps = 0
  // The outermost object hangs on nothing: it has no place in the path.
  for (let at: Frame | undefined = frame; at?.parent?.parent; at = at.parent) {
    if (++steps > deepestPath) return `${path}/…${tail}`
    tail = `/${at.label}${tail}`
  }
  return `${path}${tail}`
}

/** The text of a string literal; one that breaks off or has a wrong escape stands for itself. */
function textOf(literal: string, broken: boolean): string {
  const inner = literal.slice(1, broken ? undefined : -1)
  if (!inner.includes('\\')) return inner
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

function write(scan: Scan, at: Waiting, next: string): void {
  if (next === at.value) return
  const literal = JSON.stringify(next)
  scan.edits.push({
    from: at.from,
    to: at.to,
    text: at.broken ? literal.slice(0, -1) : literal,
  })
}

function takeKey(scan: Scan, frame: Frame, at: Waiting): void {
  frame.key = meaningOf(at.value)
  frame.keyLabel = at.value
  if (frame.key.isPlain) return
  // Objects are keyed by people too: by their e-mail addresses, by their numbers.
  const ofPeople = frame.person === true || (frame.place && keyedByContacts.has(frame.place))
  const next =
    ofPeople && identifiesPerson(at.value)
      ? replaceWith(scan.walk, contact, at.value, `${scan.path}/*`)
      : scan.walk.text(deeper(scan.walk), at.value, `${scan.path}/*`, true)
  // A key says what it says of its value before as after.
  frame.key = meaningOf(next)
  frame.keyLabel = next.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 80)
  write(scan, at, next)
}

export function takeBareKey(frame: Frame, key: string): void {
  frame.key = meaningOf(key)
  frame.keyLabel = key
}

/** The class of a value: by its key, by what its object hangs on, or as an identifier that a person goes by elsewhere. */
function classIn(frame: Frame, value: string): RedactionClass | undefined {
  const { key, inherited } = frame
  const own = classOf(key, value, frame) ?? (key.isId ? undefined : frame.forAll)
  if (own) return own
  if (inherited && parts.has(key.name)) return inherited
  const isPersonsId = customerIds.test(key.name) || (frame.person === true && key.name === 'id')
  return isPersonsId && identifiesPerson(value) ? contact : undefined
}

export function takeString(
  scan: Scan,
  frame: Frame,
  { from, to, isKey }: { from: number; to: number; isKey: boolean },
): void {
  const literal = scan.text.slice(from, to)
  const broken = literal.length < 2 || !literal.endsWith('"')
  const value = textOf(literal, broken)
  if (isKey) {
    takeKey(scan, frame, { from, to, value, broken, path: '' })
    return
  }
  const { key } = frame
  if (key.name === 'type' || key.name === 'kind') frame.type = normalKey(value)
  if (naming.has(key.name) && value.length <= 40 && !frame.named?.always)
    frame.named = meaningOf(value)
  const definition = classIn(frame, value)
  const mayWait = key.name === 'value' || key.ofPerson?.id === 'name'
  // Most values are harmless: no path is spelled for them.
  if (!definition && !mayWait && isHarmless(value)) return
  const at: Waiting = { from, to, value, broken, path: pathOf(scan, frame) }
  if (definition) {
    if (definition.personal && !key.isId) frame.personal = true
    write(scan, at, replaceWith(scan.walk, definition, value, at.path))
  } else if (key.ofPerson?.id === 'name' && frame.person === undefined && !frame.isList) {
    ;(frame.names ??= []).push(at)
  } else if (key.name === 'value' && !frame.value) frame.value = at
  else write(scan, at, scan.walk.text(deeper(scan.walk), value, at.path, key.isId))
}

/** A whole number without its fraction or exponent; anything else as it is. */
function wholeNumber(literal: string): string {
  if (/^\d+$/.test(literal)) return literal
  const number = Number(literal)
  return Number.isSafeInteger(number) && number > 0 ? String(number) : literal
}

/** What a number is by its looks, which a number that is something else has only by chance. */
function looksOf(digits: string): RedactionClass | undefined {
  if (/^\d{11}$|^\d{14}$/.test(digits) && isValidDocument(digits)) return document
  if (!/^\d{13,19}$/.test(digits)) return undefined
  return isFullNumber(digits) ? phone : isCardNumber(digits) ? card : undefined
}

export function takeNumber(scan: Scan, frame: Frame, from: number, literal: string): void {
  const { key } = frame
  const own = classOf(key, literal, frame)
  if (!own && key.name === 'value' && !frame.isList && !frame.value) {
    const path = pathOf(scan, frame)
    const to = from + literal.length
    frame.value = { from, to, value: literal, broken: false, path, isNumber: true }
    return
  }
  const digits = wholeNumber(literal)
  const looks = key.isId ? undefined : looksOf(digits)
  const definition = own ?? looks ?? classIn(frame, digits)
  if (!definition || (!own && !looks && definition === frame.forAll)) return
  if (definition.personal && !key.isId) frame.personal = true
  const at = { from, to: from + literal.length, value: literal, broken: false }
  const is = { ...at, path: pathOf(scan, frame) }
  writeNumber(scan, is, definition, own ? literal : digits)
}

function writeNumber(scan: Scan, at: Waiting, definition: RedactionClass, digits: string): void {
  const next = replaceNumberWith(scan.walk, definition, digits, at.path)
  if (next !== digits) scan.edits.push({ from: at.from, to: at.to, text: next })
}

/** What a field that says its own name or type holds. */
function saidOf(frame: Frame, value: string): RedactionClass | undefined {
  const typed = frame.type === undefined ? undefined : classOfType.get(frame.type)
  return typed ?? (frame.named && classOf(frame.named, value, frame)) ?? frame.inherited
}

/** Decides what had to wait for the end of the object. */
export function closeFrame(scan: Scan, frame: Frame): void {
  const { walk } = scan
  for (const at of frame.names ?? [])
    write(
      scan,
      at,
      frame.personal
        ? replaceWith(walk, personName, at.value, at.path)
        : walk.text(deeper(walk), at.value, at.path, false),
    )
  const { value } = frame
  if (!value) return
  const definition = saidOf(frame, value.value)
  if (value.isNumber) {
    const digits = wholeNumber(value.value)
    const looks = definition ?? looksOf(digits)
    if (looks) writeNumber(scan, value, looks, definition ? value.value : digits)
    return
  }
  const next = definition
    ? replaceWith(walk, definition, value.value, value.path)
    : walk.text(deeper(walk), value.value, value.path, false)
  write(scan, value, next)
}
