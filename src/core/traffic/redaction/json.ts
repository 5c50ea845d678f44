/**
 * Redacts a JSON text in place: only changed values are rewritten, so white space, number spellings and duplicate
 * keys stay. It scans tokens without parsing or recursion: incomplete or invalid JSON is redacted as far as it goes,
 * at any depth.
 */
import { endOfJsonString } from '../json/json-string.ts'
import { classOfType } from './catalogue.ts'
import type { KeyPlace, RedactionClass } from './class.ts'
import { contact, identifiesPerson } from './classes/contacts.ts'
import { document, isEvidentDocument } from './classes/documents.ts'
import { card, isCardNumber } from './classes/payments.ts'
import { personName } from './classes/persons.ts'
import { isFullNumber, phone } from './classes/phones.ts'
import { needsNoRedaction } from './fast-path.ts'
import {
  classForKey,
  evidenceOfClass,
  hasParts,
  isPart,
  isQuiet,
  keyMeaningOf,
  normaliseKey,
  soleClass,
  surroundingsIn,
  type KeyMeaning,
} from './keys.ts'
import { lengthPlaceholder, isPlaceholder } from './pseudonyms.ts'
import {
  costs,
  withDeeperNotation,
  replaceNumberByClass,
  replaceByEvidence,
  type DocumentTopic,
  type RedactionWalk,
  redactValue,
} from './walk.ts'

const noKey = (): KeyMeaning => keyMeaningOf('')
const maxPathDepth = 60

const emptyFrame = {
  personal: false,
  type: undefined,
  named: undefined,
  names: undefined,
  value: undefined,
}

/** Fields whose value names what `value` holds. */
const namingKeys = new Set([
  'type',
  'kind',
  'name',
  'key',
  'field',
  'label',
  'attribute',
  'property',
])
const placesKeyedByContacts = new Set<KeyPlace>(['phone', 'contact', 'document'])

const rootFrame = ({ person, place }: DocumentTopic): JsonFrame => ({
  ...emptyFrame,
  isList: false,
  label: '',
  key: noKey(),
  keyLabel: '',
  place,
  person,
  forAll: undefined,
  inherited: undefined,
})

/** The class inherited from the parent key. */
function inheritedBy({ key, isList, inherited, person }: JsonFrame): RedactionClass | undefined {
  const sole = soleClass(key, person)
  if (sole) return hasParts(sole) ? sole : undefined
  return isList ? inherited : undefined
}

function openFrame(parent: JsonFrame, isList: boolean): JsonFrame {
  const { key } = parent
  if (key.opens === 'phone' || key.opens === 'contact') parent.personal = true
  return {
    ...emptyFrame,
    isList,
    parent,
    label: parent.isList ? '*' : parent.keyLabel,
    // A nested list keeps the key; an object in a list starts without one.
    key: isList ? key : noKey(),
    keyLabel: isList ? '*' : '',
    ...surroundingsIn(key, parent),
    inherited: inheritedBy(parent),
  }
}

function pathOf({ path }: Scan, frame: JsonFrame): string {
  let tail = `/${frame.keyLabel}`
  let steps = 0
  // The root object has no key and no part in the path.
  for (let at: JsonFrame | undefined = frame; at?.parent?.parent; at = at.parent) {
    if (++steps > maxPathDepth) return `${path}/…${tail}`
    tail = `/${at.label}${tail}`
  }
  return `${path}${tail}`
}

/** The text of a string literal; an incomplete or invalid one is taken as it is. */
function literalText(literal: string, broken: boolean): string {
  const inner = literal.slice(1, broken ? undefined : -1)
  if (!inner.includes('\\')) return inner
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

function writeText(scan: Scan, at: DeferredValue, next: string): void {
  if (next === at.value) return
  const literal = JSON.stringify(next)
  scan.edits.push({
    from: at.from,
    to: at.to,
    text: at.broken ? literal.slice(0, -1) : literal,
  })
}

/** The classes of a key are found by its words, which takes long for keys that do not recur. */
function spendKey({ walk, keys }: Scan, key: string): void {
  if (!walk.spend || keys.has(key)) return
  keys.add(key)
  walk.spend(costs.newKey)
}

function takeKey(scan: Scan, frame: JsonFrame, at: DeferredValue): void {
  spendKey(scan, at.value)
  frame.key = keyMeaningOf(at.value)
  frame.keyLabel = at.value
  if (frame.key.isPlain) return
  // Objects may be keyed by people: by e-mail addresses or telephone numbers.
  const ofPeople = frame.person === true || (frame.place && placesKeyedByContacts.has(frame.place))
  const definition = ofPeople && identifiesPerson(at.value) ? contact : undefined
  const place = { path: `${scan.path}/*`, quiet: true }
  const next = redactValue(scan.walk, definition, at.value, place)
  // The redacted key must give the same meaning on a second pass.
  frame.key = keyMeaningOf(next)
  frame.keyLabel = next.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 80)
  writeText(scan, at, next)
}

function takeBareKey(frame: JsonFrame, key: string): void {
  frame.key = keyMeaningOf(key)
  frame.keyLabel = key
}

/** The class of a value: by its key, by inheritance, or because an id identifies a person. */
function classOfValue(frame: JsonFrame, value: string): RedactionClass | undefined {
  const { key, inherited } = frame
  const own = classForKey(key, value, frame) ?? (key.isId ? undefined : frame.forAll)
  if (own) return own
  if (inherited && isPart(key)) return inherited
  const isPersonsId = key.isPersonsId || (frame.person === true && key.name === 'id')
  return isPersonsId && identifiesPerson(value) ? contact : undefined
}

function takeString(
  scan: Scan,
  frame: JsonFrame,
  { from, to, isKey }: { from: number; to: number; isKey: boolean },
): void {
  const literal = scan.text.slice(from, to)
  const broken = literal.length < 2 || !literal.endsWith('"')
  const value = literalText(literal, broken)
  if (isKey) {
    takeKey(scan, frame, { from, to, value, broken, path: '' })
    return
  }
  const { key } = frame
  if (key.name === 'type' || key.name === 'kind') frame.type = normaliseKey(value)
  if (namingKeys.has(key.name) && value.length <= 40 && !frame.named?.always)
    frame.named = keyMeaningOf(value)
  const definition = classOfValue(frame, value)
  const isDeferred = key.name === 'value' || key.ofPerson?.id === 'name'
  // Fast path: no path is built for harmless values.
  if (!definition && !isDeferred && needsNoRedaction(value)) return
  const at: DeferredValue = { from, to, value, broken, path: pathOf(scan, frame) }
  if (definition) {
    if (definition.identifiesPerson && !key.isId) frame.personal = true
    const evidence = frame.forAll && !key.always ? 'placed' : evidenceOfClass(key, definition)
    writeText(
      scan,
      at,
      replaceByEvidence(scan.walk, definition, value, { path: at.path, evidence }),
    )
  } else if (key.ofPerson?.id === 'name' && frame.person === undefined && !frame.isList) {
    ;(frame.names ??= []).push(at)
  } else if (key.name === 'value' && !frame.value) frame.value = at
  else {
    const quiet = isQuiet(key, value)
    writeText(scan, at, scan.walk.text(withDeeperNotation(scan.walk), value, at.path, quiet))
  }
}

/** An integer without fraction or exponent; any other number unchanged. */
function wholeNumber(literal: string): string {
  if (/^\d+$/.test(literal)) return literal
  const number = Number(literal)
  return Number.isSafeInteger(number) && number > 0 ? String(number) : literal
}

/** The class of a number by its digits (check digits, issuers), which other numbers have only by chance. */
function classByDigits(digits: string): RedactionClass | undefined {
  if (/^\d{11}$|^\d{14}$/.test(digits) && isEvidentDocument(digits)) return document
  if (!/^\d{13,19}$/.test(digits)) return undefined
  return isFullNumber(digits) ? phone : isCardNumber(digits) ? card : undefined
}

/** A CPF or CNPJ as a number has lost its leading zeros: with them its check digits are valid. */
function withLeadingZeros(digits: string): string {
  if (!/^(?:\d{8,10}|1?\d{12})$/.test(digits)) return digits
  const whole = digits.padStart(digits.length > 11 ? 14 : 11, '0')
  return isEvidentDocument(whole) ? whole : digits
}

function takeNumber(scan: Scan, frame: JsonFrame, from: number, literal: string): void {
  const { key } = frame
  const whole = withLeadingZeros(literal)
  const own = classForKey(key, whole, frame)
  if (!own && key.name === 'value' && !frame.isList && !frame.value) {
    const path = pathOf(scan, frame)
    const to = from + literal.length
    frame.value = { from, to, value: literal, broken: false, path, isNumber: true }
    return
  }
  const digits = wholeNumber(literal)
  const looks = key.isId || key.isNumbering ? undefined : classByDigits(digits)
  const definition = own ?? looks ?? classOfValue(frame, withLeadingZeros(digits))
  if (!definition || (!own && !looks && definition === frame.forAll)) return
  if (definition.identifiesPerson && !key.isId) frame.personal = true
  const at = { from, to: from + literal.length, value: literal, broken: false }
  const located = { ...at, path: pathOf(scan, frame) }
  writeNumber(scan, located, definition, own ? literal : digits)
}

function writeNumber(
  scan: Scan,
  at: DeferredValue,
  definition: RedactionClass,
  digits: string,
): void {
  const next = replaceNumberByClass(scan.walk, definition, digits, at.path)
  if (next !== digits) scan.edits.push({ from: at.from, to: at.to, text: next })
}

/** The class of `value` by the fields next to it, else inherited. */
function classByNeighbours(frame: JsonFrame, value: string): RedactionClass | undefined {
  const typed = frame.type === undefined ? undefined : classOfType.get(frame.type)
  return typed ?? (frame.named && classForKey(frame.named, value, frame)) ?? frame.inherited
}

/** Redacts the values deferred to the end of the object. */
function closeFrame(scan: Scan, frame: JsonFrame): void {
  const { walk } = scan
  for (const at of frame.names ?? [])
    writeText(
      scan,
      at,
      redactValue(walk, frame.personal ? personName : undefined, at.value, {
        path: at.path,
        quiet: false,
      }),
    )
  const { value } = frame
  if (!value) return
  const definition = classByNeighbours(frame, value.value)
  if (value.isNumber) {
    const digits = wholeNumber(value.value)
    const looks = definition ?? classByDigits(digits)
    if (looks) writeNumber(scan, value, looks, definition ? value.value : digits)
    return
  }
  const place = { path: value.path, quiet: false }
  writeText(scan, value, redactValue(walk, definition, value.value, place))
}

interface DeferredValue {
  readonly from: number
  readonly to: number
  readonly value: string
  readonly broken: boolean
  readonly path: string
  /** Written as a number, and stays one. */
  readonly isNumber?: true
}

interface JsonFrame {
  readonly isList: boolean
  readonly parent?: JsonFrame
  /** Its name in a path. */
  readonly label: string
  /** The current key; in a list, the key of the list. */
  key: KeyMeaning
  keyLabel: string
  readonly place: KeyPlace | undefined
  readonly person: boolean | undefined
  /** The class of every string inside. */
  readonly forAll: RedactionClass | undefined
  /** A field of the object identifies a person. */
  personal: boolean
  type: string | undefined
  /** The key named by a field: `{ "name": "phone", "value": … }`. */
  named: KeyMeaning | undefined
  /** The class of the parent key: `{ "email": { "value": … } }`. */
  readonly inherited: RedactionClass | undefined
  names: DeferredValue[] | undefined
  value: DeferredValue | undefined
}

const jsonNumber = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const jsonWord = /^(?:true|false|null|NaN|-?Infinity|undefined|True|False|None)$/

const plainKey = /^[A-Za-z_$][\w$-]{0,40}$/

const isKey = (text: string, end: number): boolean => {
  let at = end
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return text.charCodeAt(at) === 58
}

/** The end of a bare word: anything up to white space, brackets, comma, colon or quote. */
function endOfBare(text: string, start: number): number {
  let at = start
  while (at < text.length && !isStructural(text.charCodeAt(at))) at++
  return at
}

const isStructural = (char: number): boolean =>
  char <= 32 ||
  char === 34 ||
  char === 44 ||
  char === 58 ||
  char === 91 ||
  char === 93 ||
  char === 123 ||
  char === 125

/** May precede a document. */
const byteOrderMark = 0xfeff

/**
 * State of the JSON redactor per open object or list: its key, its context, and the values that can be decided only
 * at the end of the object, because keys come in any order: whether a `name` is a person's (next to an e-mail
 * address), and the class of a `value` (by its `type`).
 */
interface Scan {
  readonly walk: RedactionWalk
  readonly text: string
  readonly path: string
  /** Invalid tokens: blanked in a document, since their meaning is unknown; kept within a sentence. */
  readonly bare: 'blank' | 'keep'
  readonly frames: JsonFrame[]
  readonly edits: TextEdit[]
  /** The keys that were met. */
  readonly keys: Set<string>
}

const scanOf = (
  part: Pick<Scan, 'walk' | 'text' | 'path' | 'bare'>,
  root: DocumentTopic,
): Scan => ({ ...part, frames: [rootFrame(root)], edits: [], keys: new Set() })

const opensObject = ({ text, bare }: Scan, end: number): boolean =>
  bare === 'keep' && /^\s*\{/.test(text.slice(end, end + 20))

export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function takeBare(scan: Scan, from: number, to: number): void {
  const literal = scan.text.slice(from, to)
  const frame = scan.frames.at(-1)
  if (frame && plainKey.test(literal) && (isKey(scan.text, to) || opensObject(scan, to))) {
    // An unquoted key, as in JavaScript; or, within a query, a field with its arguments or members.
    spendKey(scan, literal)
    takeBareKey(frame, literal)
  } else if (jsonNumber.test(literal)) {
    if (frame) takeNumber(scan, frame, from, literal)
  } else if (scan.bare === 'blank' && !jsonWord.test(literal) && !isPlaceholder(literal)) {
    scan.edits.push({ from, to, text: lengthPlaceholder(literal) })
    scan.walk.report(scan.path, 'text')
  }
}

/** Scans from `start` to the end, or only to the end of the value that begins there when `whole` is false. */
function scanTokens(scan: Scan, start: number, whole: boolean): number {
  const { text, frames } = scan
  const roots = frames.length
  let at = start
  while (at < text.length) {
    const char = text.charCodeAt(at)
    let end = at + 1
    const frame = frames.at(-1)
    scan.walk.spend?.(char === 123 || char === 91 ? costs.bracket : costs.token)
    if (char === 34 && frame) {
      const closed = endOfJsonString(text, at)
      end = closed < 0 ? text.length : closed
      takeString(scan, frame, { from: at, to: end, isKey: isKey(text, end) })
    } else if ((char === 123 || char === 91) && frame) {
      frames.push(openFrame(frame, char === 91))
    } else if (char === 125 || char === 93) {
      const closed = frames.length > roots ? frames.pop() : undefined
      if (closed) closeFrame(scan, closed)
      if (!whole && frames.length === roots) return end
    } else if (char > 32 && char !== 44 && char !== 58 && char !== byteOrderMark) {
      end = Math.max(end, endOfBare(text, at))
      takeBare(scan, at, end)
    }
    at = end
  }
  // An incomplete text leaves objects open.
  for (let open = frames.pop(); open; open = frames.pop()) closeFrame(scan, open)
  return text.length
}

function applyEdits(text: string, edits: TextEdit[], from: number, to: number): string {
  if (edits.length === 0) return text.slice(from, to)
  edits.sort((a, b) => a.from - b.from)
  let result = ''
  let done = from
  for (const edit of edits) {
    result += text.slice(done, edit.from) + edit.text
    done = edit.to
  }
  return result + text.slice(done, to)
}

export function redactJson(
  walk: RedactionWalk,
  text: string,
  path: string,
  root: DocumentTopic,
): string {
  const scan = scanOf({ walk, text, path, bare: 'blank' }, root)
  scanTokens(scan, 0, true)
  return applyEdits(text, scan.edits, 0, text.length)
}

/** Redacts the JSON value that begins at `start` within a text; returns it and where it ends. */
export function redactEmbeddedJson(
  walk: RedactionWalk,
  text: string,
  start: number,
  path: string,
): { readonly text: string; readonly end: number } {
  const scan = scanOf({ walk, text, path, bare: 'keep' }, {})
  const end = scanTokens(scan, start, false)
  return { text: applyEdits(text, scan.edits, start, end), end }
}
