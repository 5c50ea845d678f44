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
import { isUuidLiteral, minLength, needsNoRedaction } from './fast-path.ts'
import {
  classOfValue,
  documentAt,
  forgetPlaces,
  type JsonMember,
  listUnder,
  memberNamed,
  namingKeys,
  objectUnder,
  pathOf,
  unusualMember,
} from './json-places.ts'
import {
  classForKey,
  evidenceOfClass,
  isQuiet,
  type KeyMeaning,
  keyMeaningOf,
  normaliseKey,
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

const placesKeyedByContacts = new Set<KeyPlace>(['phone', 'contact', 'document'])

/** The text of a string literal without its quotes; an invalid one is taken as it is. */
function literalText(inner: string): string {
  if (!inner.includes('\\')) return inner
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

function stringAt({ text, frame: { member } }: Scan, from: number, to: number): ScannedValue {
  const broken = to === text.length && (to - from < 2 || text.charCodeAt(to - 1) !== 34)
  const value = literalText(text.slice(from + 1, broken ? to : to - 1))
  return { from, to, value, broken, member }
}

function writeText(scan: Scan, at: ScannedValue, next: string): void {
  if (next === at.value) return
  const literal = JSON.stringify(next)
  scan.edits.push({
    from: at.from,
    to: at.to,
    text: at.broken ? literal.slice(0, -1) : literal,
  })
}

/** The classes of a key are found by its words, which takes long for keys that do not recur. */
function enterMember(scan: Scan, member: JsonMember): void {
  scan.frame.member = member
  if (member.met.lastMet === scan.number) return
  member.met.lastMet = scan.number
  scan.walk.spend?.(costs.newKey)
}

function takeKey(scan: Scan, from: number, to: number): void {
  const at = stringAt(scan, from, to)
  const { within } = at.member
  const plain = memberNamed(within, at.value)
  if (plain) {
    at.member.next = plain
    enterMember(scan, plain)
    return
  }
  // Objects may be keyed by people: by e-mail addresses or telephone numbers.
  const ofPeople =
    within.person === true || (within.place && placesKeyedByContacts.has(within.place))
  const definition = ofPeople && identifiesPerson(at.value) ? contact : undefined
  const place = { path: `${scan.path}/*`, quiet: true }
  const next = redactValue(scan.walk, definition, at.value, place)
  // The redacted key must give the same meaning on a second pass.
  enterMember(scan, unusualMember(within, at.value, next))
  writeText(scan, at, next)
}

function takeString(scan: Scan, from: number, to: number): void {
  const { frame, walk } = scan
  const { member } = frame
  // Fast path: nothing is copied of a value that says nothing.
  if (member.isPlain && (to - from - 1 < minLength || isUuidLiteral(scan.text, from, to))) return
  const at = stringAt(scan, from, to)
  const { value } = at
  if (member.isPlain && needsNoRedaction(value)) return
  const { key, within } = member
  if (key.name === 'type' || key.name === 'kind') frame.type = value
  if (namingKeys.has(key.name) && value.length <= 40) (frame.naming ??= []).push(value)
  const definition = classOfValue(member, value)
  if (definition) {
    if (definition.identifiesPerson && !key.isId) frame.personal = true
    const evidence = within.forAll && !key.always ? 'placed' : evidenceOfClass(key, definition)
    writeText(
      scan,
      at,
      replaceByEvidence(walk, definition, value, { path: pathOf(member), evidence }),
    )
  } else if (key.ofPerson?.id === 'name' && within.person === undefined && !within.isList)
    (frame.names ??= []).push(at)
  else if (key.name === 'value' && !frame.value) frame.value = at
  else if (!needsNoRedaction(value))
    writeText(
      scan,
      at,
      walk.text(withDeeperNotation(walk), value, pathOf(member), isQuiet(key, value)),
    )
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

const maxShortDigits = 7

/** Whether a number without sign and exponent stands there that is too short to be a person's, whatever it says. */
function isShortNumber(text: string, from: number, to: number): boolean {
  if (to - from > maxShortDigits) return false
  let dots = 0
  for (let at = from; at < to; at++) {
    const char = text.charCodeAt(at)
    if (char === 46 && at > from && at < to - 1) dots++
    else if (char < 48 || char > 57) return false
  }
  return dots < 2
}

function takeNumber(scan: Scan, from: number, literal: string): void {
  const { frame } = scan
  const { member } = frame
  const { key, within } = member
  const at = { from, to: from + literal.length, value: literal, broken: false, member }
  const whole = withLeadingZeros(literal)
  const own = classForKey(key, whole, within)
  if (!own && key.name === 'value' && !within.isList && !frame.value) {
    frame.value = { ...at, isNumber: true }
    return
  }
  const digits = wholeNumber(literal)
  const looks = key.isId || key.isNumbering ? undefined : classByDigits(digits)
  const definition = own ?? looks ?? classOfValue(member, withLeadingZeros(digits))
  if (!definition || (!own && !looks && definition === within.forAll)) return
  if (definition.identifiesPerson && !key.isId) frame.personal = true
  writeNumber(scan, at, definition, own ? literal : digits)
}

function writeNumber(
  scan: Scan,
  at: ScannedValue,
  definition: RedactionClass,
  digits: string,
): void {
  const next = replaceNumberByClass(scan.walk, definition, digits, pathOf(at.member))
  if (next !== digits) scan.edits.push({ from: at.from, to: at.to, text: next })
}

/** The key that is named by fields of an object: the first that says a class in any context, else the last. */
function namedKey(naming: readonly string[] = []): KeyMeaning | undefined {
  let named: KeyMeaning | undefined
  for (const name of naming) if (!named?.always) named = keyMeaningOf(name)
  return named
}

/** The class of `value` by the fields next to it, else inherited. */
function classByNeighbours(
  { type, naming, member: { within } }: JsonFrame,
  value: string,
): RedactionClass | undefined {
  const typed = type === undefined ? undefined : classOfType.get(normaliseKey(type))
  if (typed) return typed
  const named = namedKey(naming)
  return (named && classForKey(named, value, within)) ?? within.inherited
}

/** Redacts the values deferred to the end of the object. */
function closeFrame(scan: Scan, frame: JsonFrame): void {
  const { walk } = scan
  for (const at of frame.names ?? [])
    if (frame.personal || !needsNoRedaction(at.value))
      writeText(
        scan,
        at,
        redactValue(walk, frame.personal ? personName : undefined, at.value, {
          path: pathOf(at.member),
          quiet: false,
        }),
      )
  const { value } = frame
  if (!value) return
  const definition = classByNeighbours(frame, value.value)
  if (value.isNumber && !definition && isShortNumber(value.value, 0, value.value.length)) return
  if (value.isNumber) {
    const digits = wholeNumber(value.value)
    const looks = definition ?? classByDigits(digits)
    if (looks) writeNumber(scan, value, looks, definition ? value.value : digits)
  } else if (definition || !needsNoRedaction(value.value)) {
    const place = { path: pathOf(value.member), quiet: false }
    writeText(scan, value, redactValue(walk, definition, value.value, place))
  }
}

interface ScannedValue {
  readonly from: number
  readonly to: number
  readonly value: string
  /** The text ends within it. */
  readonly broken: boolean
  readonly member: JsonMember
  /** Written as a number, and stays one. */
  readonly isNumber?: true
}

/** An open object or list. */
interface JsonFrame {
  /** The current one. */
  member: JsonMember
  /** A field of the object identifies a person. */
  personal: boolean
  type: string | undefined
  /** The keys named by fields: `{ "name": "phone", "value": … }`. */
  naming: string[] | undefined
  names: ScannedValue[] | undefined
  value: ScannedValue | undefined
}

const frameAt = (first: JsonMember): JsonFrame => ({
  member: first,
  personal: false,
  type: undefined,
  naming: undefined,
  names: undefined,
  value: undefined,
})

function openFrame({ frame }: Scan, isList: boolean): JsonFrame {
  const { member } = frame
  const { opens } = member.key
  if (opens === 'phone' || opens === 'contact') frame.personal = true
  return frameAt(isList ? listUnder(member) : objectUnder(member))
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
 * State of the JSON redactor per open object or list: its current member, and the values that can be decided only
 * at the end of the object, because keys come in any order: whether a `name` is a person's (next to an e-mail
 * address), and the class of a `value` (by its `type`).
 */
interface Scan {
  readonly walk: RedactionWalk
  readonly text: string
  readonly path: string
  /** Invalid tokens: blanked in a document, since their meaning is unknown; kept within a sentence. */
  readonly bare: 'blank' | 'keep'
  readonly number: number
  readonly edits: TextEdit[]
  /** The innermost one, and those around it. */
  frame: JsonFrame
  readonly around: JsonFrame[]
}

let scans = 0

const scanOf = (
  part: Pick<Scan, 'walk' | 'text' | 'path' | 'bare'>,
  root: DocumentTopic,
): Scan => ({
  ...part,
  number: ++scans,
  frame: frameAt(documentAt(part.path, root)),
  around: [],
  edits: [],
})

const opensObject = ({ text, bare }: Scan, end: number): boolean =>
  bare === 'keep' && /^\s*\{/.test(text.slice(end, end + 20))

export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

function takeBare(scan: Scan, from: number, to: number): void {
  if (scan.frame.member.isPlain && isShortNumber(scan.text, from, to)) return
  const literal = scan.text.slice(from, to)
  if (plainKey.test(literal) && (isKey(scan.text, to) || opensObject(scan, to))) {
    // An unquoted key, as in JavaScript; or, within a query, a field with its arguments or members.
    const { within } = scan.frame.member
    enterMember(scan, memberNamed(within, literal) ?? unusualMember(within, literal, literal))
  } else if (jsonNumber.test(literal)) takeNumber(scan, from, literal)
  else if (scan.bare === 'blank' && !jsonWord.test(literal) && !isPlaceholder(literal)) {
    scan.edits.push({ from, to, text: lengthPlaceholder(literal) })
    scan.walk.report(scan.path, 'text')
  }
}

/** Takes a string; most are the name that was last behind the one before. Returns its end. */
function takeQuoted(scan: Scan, at: number): number {
  const { text, frame } = scan
  const { next } = frame.member
  if (next && text.startsWith(next.literal, at)) {
    enterMember(scan, next)
    scan.walk.spend?.(costs.token)
    return at + next.literal.length
  }
  const closed = endOfJsonString(text, at)
  const end = closed < 0 ? text.length : closed
  if (isKey(text, end)) takeKey(scan, at, end)
  else takeString(scan, at, end)
  return end
}

/** Scans from `start` to the end, or only to the end of the value that begins there when `whole` is false. */
function scanTokens(scan: Scan, start: number, whole: boolean): number {
  const { text, around, walk } = scan
  let at = start
  while (at < text.length) {
    const char = text.charCodeAt(at)
    const isOpening = char === 123 || char === 91
    walk.spend?.(isOpening ? costs.bracket : costs.token)
    let end = at + 1
    if (char === 34) end = takeQuoted(scan, at)
    else if (isOpening) {
      around.push(scan.frame)
      scan.frame = openFrame(scan, char === 91)
    } else if (char === 125 || char === 93) {
      const outer = around.pop()
      if (outer) {
        closeFrame(scan, scan.frame)
        scan.frame = outer
      }
      if (!whole && around.length === 0) return end
    } else if (char > 32 && char !== 44 && char !== 58 && char !== byteOrderMark) {
      end = Math.max(end, endOfBare(text, at))
      takeBare(scan, at, end)
    }
    at = end
  }
  // An incomplete text leaves objects open.
  for (let open: JsonFrame | undefined = scan.frame; open; open = around.pop())
    closeFrame(scan, open)
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
  if (walk.depth === 0) forgetPlaces()
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
