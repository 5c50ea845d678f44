/**
 * The values that were redacted once in a recording, so that they are replaced wherever else they stand in it: as they
 * are, escaped as in JSON, a URL or HTML, or in the claims of a token. Memory is bounded: the newest values are known.
 */
import { textFromBase64, textToBase64 } from './base64.ts'
import type { RedactionClassId } from './class.ts'
import { standInNumber } from './digits.ts'
import { knownPatterns, type KnownValue, percentLevels } from './known-patterns.ts'
import { percentEncode } from './percent-encoding.ts'
import {
  createUnescapedBytes,
  hasManyEscapes,
  undoEscapes,
  type UnescapedBytes,
} from './undo-escapes.ts'

/**
 * Index of many byte patterns, all found in one pass that looks at every fifth byte of a text: a pattern of eight bytes or
 * more has a gram of four bytes at one of them, wherever it stands. A filter of one bit for each hash answers for nearly
 * all grams of a text, whatever the number of patterns. Its memory is a few arrays of numbers.
 */
interface PatternIndex {
  /** Adds a pattern of `minPatternBytes` or more; patterns are numbered from 0. */
  readonly add: (pattern: Uint8Array) => void
  /** Calls `found` for every occurrence within the first `length` bytes, in no order. */
  readonly search: (
    text: Uint8Array,
    length: number,
    found: (pattern: number, at: number, length: number) => void,
  ) => void
  /** The bytes of a pattern. */
  readonly patternAt: (pattern: number) => Uint8Array
}

const gramBytes = 4
const stride = 5
const minPatternBytes = stride + gramBytes - 1

const minSlotBits = 12
/** Bits of the filter for each slot: one of 64 grams that are in no pattern passes it. */
const filterBitsPerSlot = 6

/** Four bytes as one number. */
const gramAt = (text: Uint8Array, at: number): number =>
  (text[at] ?? 0) |
  ((text[at + 1] ?? 0) << 8) |
  ((text[at + 2] ?? 0) << 16) |
  ((text[at + 3] ?? 0) << 24)

/** The upper bits of it number the slot and the bit of the filter. */
const hashOf = (gram: number): number => Math.imul(gram ^ (gram >>> 15), 0x9e_37_79_b1)

/** A copy with room for `length` elements. */
function grown<Numbers extends Int32Array | Uint8Array>(numbers: Numbers, length: number): Numbers {
  if (length <= numbers.length) return numbers
  const next = numbers.constructor as new (length: number) => Numbers
  const larger = new next(Math.max(1024, length * 2))
  larger.set(numbers)
  return larger
}

export function createPatternIndex(): PatternIndex {
  let slotBits = minSlotBits
  /** The first gram of each slot, counted from 1; grams of one slot are chained. */
  let heads = new Int32Array(2 ** slotBits)
  let filter = new Int32Array(2 ** (slotBits + filterBitsPerSlot - 5))
  let chain = new Int32Array(0)
  let grams = new Int32Array(0)
  /** The pattern of each gram, and its offset there. */
  let owners = new Int32Array(0)
  let offsets = new Int32Array(0)
  let gramCount = 1
  let bytes = new Uint8Array(0)
  /** Where each pattern begins in `bytes`, and after the last one the end. */
  let starts = new Int32Array(1)
  let count = 0

  const patternAt = (pattern: number): Uint8Array =>
    bytes.subarray(starts[pattern] ?? 0, starts[pattern + 1] ?? 0)

  function chainGram(number: number): void {
    const hash = hashOf(grams[number] ?? 0)
    const bit = hash >>> (32 - slotBits - filterBitsPerSlot)
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
    const slot = hash >>> (32 - slotBits)
    chain[number] = heads[slot] ?? 0
    heads[slot] = number
  }

  /** As many slots as grams, so that chains stay short. */
  function addSlots(): void {
    slotBits++
    heads = new Int32Array(2 ** slotBits)
    filter = new Int32Array(2 ** (slotBits + filterBitsPerSlot - 5))
    for (let number = 1; number < gramCount; number++) chainGram(number)
  }

  const mayHaveGram = (gram: number): boolean => {
    const bit = hashOf(gram) >>> (32 - slotBits - filterBitsPerSlot)
    return ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }

  /** Numbers begin alike and addresses end alike: the grams of a pattern are taken where few others have them. */
  function startOfGrams(pattern: Uint8Array): number {
    const last = pattern.length - minPatternBytes
    const common = (from: number): number => {
      let found = 0
      for (let at = from; at < from + stride; at++) if (mayHaveGram(gramAt(pattern, at))) found++
      return found
    }
    const parts = [0, last, last >> 1].map((from) => [from, common(from)] as const)
    return parts.reduce((best, each) => (each[1] < best[1] ? each : best))[0]
  }

  function addGram(gram: number, offset: number): void {
    chain = grown(chain, gramCount + 1)
    grams = grown(grams, gramCount + 1)
    owners = grown(owners, gramCount + 1)
    offsets = grown(offsets, gramCount + 1)
    grams[gramCount] = gram
    owners[gramCount] = count
    offsets[gramCount] = offset
    chainGram(gramCount++)
    if (gramCount > heads.length) addSlots()
  }

  function add(pattern: Uint8Array): void {
    const start = starts[count] ?? 0
    bytes = grown(bytes, start + pattern.length)
    bytes.set(pattern, start)
    const first = startOfGrams(pattern)
    for (let offset = first; offset < first + stride; offset++)
      addGram(gramAt(pattern, offset), offset)
    starts = grown(starts, ++count + 1)
    starts[count] = start + pattern.length
  }

  /** The length of the pattern when it stands at `at`, otherwise 0. */
  function lengthAt(text: Uint8Array, length: number, pattern: number, at: number): number {
    const start = starts[pattern] ?? 0
    const size = (starts[pattern + 1] ?? 0) - start
    if (at < 0 || at + size > length) return 0
    for (let index = 0; index < size; index++)
      if (text[at + index] !== bytes[start + index]) return 0
    return size
  }

  return {
    add,
    search(text, length, found) {
      if (count === 0) return
      const bitShift = 32 - slotBits - filterBitsPerSlot
      for (let at = 0; at + gramBytes <= length; at += stride) {
        const gram = gramAt(text, at)
        const hash = hashOf(gram)
        const bit = hash >>> bitShift
        if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue
        for (let next = heads[hash >>> (32 - slotBits)] ?? 0; next !== 0; next = chain[next] ?? 0) {
          if (grams[next] !== gram) continue
          const pattern = owners[next] ?? 0
          const from = at - (offsets[next] ?? 0)
          const size = lengthAt(text, length, pattern, from)
          if (size > 0) found(pattern, from, size)
        }
      }
    },
    patternAt,
  }
}

type ReportKnown = (id: RedactionClassId) => void

/** A part of a text, and the same without its escapes. */
interface SearchWindow {
  readonly text: Uint8Array
  readonly plain: Pick<UnescapedBytes, 'bytes' | 'length'>
  /** Where each byte of `plain` begins in the text; undefined: at the same place. */
  readonly from: Uint32Array | undefined
  /** Where the part ends in the text. */
  readonly end: number
  readonly report: ReportKnown
}

/** A value that was found, from `at` to `end` in the text without escapes. */
interface KnownMatch {
  readonly known: KnownValue
  /** The number of its pattern. */
  readonly number: number
  readonly at: number
  readonly end: number
}

interface KnownEdit {
  /** In the text. */
  readonly from: number
  readonly to: number
  readonly bytes: Uint8Array
  /** Where it ends in the text without escapes. */
  readonly end: number
}

/** Shorter values are replaced only as whole words. */
const minPartLength = 16

const isDigits = (text: string): boolean => /^\d+$/.test(text)

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 48 && byte < 58) || (byte >= 65 && byte < 91) || (byte >= 97 && byte < 123))

const offsetOf = ({ plain, from, end }: SearchWindow, at: number): number =>
  at < plain.length ? (from ? (from[at] ?? end) : at) : end

/** Percent-encodes a replacement as often as the original was. */
function encodedLike(original: Uint8Array, replacement: string): Uint8Array {
  let text = replacement
  for (let level = percentLevels(original); level > 0; level--) text = percentEncode(text)
  return encoder.encode(text)
}

const isOneOf = (characters: string, byte: number | undefined): boolean =>
  byte !== undefined && characters.includes(String.fromCharCode(byte))

/** Whether a number stands there that is no string: `"pin":1234`, `[1,1234]`. */
function isBareNumber({ plain: { bytes, length } }: SearchWindow, match: KnownMatch): boolean {
  let before = match.at - 1
  while (bytes[before] === 32) before--
  let after = match.end
  while (after < length && bytes[after] === 32) after++
  return isOneOf(':[,', bytes[before]) && after < length && isOneOf(',]}', bytes[after])
}

function isWhole({ plain: { bytes, length } }: SearchWindow, match: KnownMatch): boolean {
  const { known, at, end } = match
  if (known.value.length >= minPartLength && !isDigits(known.value)) return true
  // The letter of a line feed (`\\n`) is no part of a word.
  const isBegun = isWordByte(bytes[at - 1]) && bytes[at - 2] !== 92
  return !isBegun && !(end < length && isWordByte(bytes[end]))
}

/** The edit for a match; undefined when it is part of another word. */
function editForMatch(window: SearchWindow, match: KnownMatch): KnownEdit | undefined {
  if (!isWhole(window, match)) return undefined
  const { known, at, end } = match
  const from = offsetOf(window, at)
  const to = offsetOf(window, end)
  const isNumber = isDigits(known.value) && !isDigits(known.replacement)
  const replacement =
    isNumber && isBareNumber(window, match) ? standInNumber(known.replacement) : known.replacement
  window.report(known.id)
  return { from, to, end, bytes: encodedLike(window.text.subarray(from, to), replacement) }
}

/**
 * `secret`: a credential, known for long. `signature`, and `personal`, a number of a person: known among the last.
 */
export type KnownKind = 'secret' | 'signature' | 'personal'

const maxKnown: Readonly<Record<KnownKind, number>> = {
  secret: 8192,
  signature: 2048,
  personal: 8192,
}
const maxValueLength = 8192
const windowBytes = 256 * 1024
/** A text is encoded into one buffer again and again up to this length, in characters. */
const maxBufferedLength = 1024 * 1024
/** No byte of a value takes more bytes of a text. */
const maxBytesPerByte = 12
/** A token in the claims of a token. */
const maxDepth = 4
/** The header and the claims of a token whose signature was redacted. */
const redactedToken = /\be[yw][\w-]{6,}\.[\w-]+(?=\.~sig_)/g

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Every replacement fits into a JSON string as it is. */
const isSafe = (replacement: string): boolean => !/["\\\p{Cc}]/u.test(replacement)

/** A copy that does not keep the text alive that it was cut from. */
export const ownCopy = (text: string): string => decoder.decode(encoder.encode(text))

function applyKnownEdits(text: Uint8Array, edits: readonly KnownEdit[]): Uint8Array {
  const removed = edits.reduce((sum, { from, to, bytes }) => sum + (to - from) - bytes.length, 0)
  const result = new Uint8Array(text.length - removed)
  let done = 0
  let length = 0
  for (const { from, to, bytes } of edits) {
    result.set(text.subarray(done, from), length)
    length += from - done
    result.set(bytes, length)
    length += bytes.length
    done = to
  }
  result.set(text.subarray(done), length)
  return result
}

export class KnownValues {
  readonly #bounds: typeof maxKnown
  readonly #known = {
    secret: new Map<string, KnownValue>(),
    signature: new Map<string, KnownValue>(),
    personal: new Map<string, KnownValue>(),
  }
  #index = createPatternIndex()
  /** The value of each pattern of the index. */
  #patterns: KnownValue[] = []
  #longest = 0
  /** Whether a value is written otherwise in every JSON text. */
  #hasEscaped = false
  #secrets = 0
  #forgottenSecrets = 0
  #buffer = new Uint8Array(0)
  readonly #plain: UnescapedBytes = createUnescapedBytes()

  constructor(bounds = maxKnown) {
    this.#bounds = bounds
  }

  learn(kind: KnownKind, { value, replacement, id }: KnownValue): void {
    if (this.#known[kind].has(value) || value.length > maxValueLength || !isSafe(replacement))
      return
    if (this.#known[kind].size >= this.#bounds[kind]) this.#forget(kind)
    const own: KnownValue = { value: ownCopy(value), replacement: ownCopy(replacement), id }
    this.#known[kind].set(own.value, own)
    this.#longest = Math.max(this.#longest, encoder.encode(value).length)
    this.#hasEscaped ||= JSON.stringify(value).length !== value.length + 2
    for (const bytes of knownPatterns(own)) this.#addPattern(own, bytes)
    if (kind === 'secret') this.#secrets++
  }

  /** Whether the value is known; the oldest are forgotten. */
  has(kind: KnownKind, value: string): boolean {
    return this.#known[kind].has(value)
  }

  /** The replacement of a secret that was redacted before, under any class. */
  replacementOf(secret: string): string | undefined {
    return this.#known.secret.get(secret)?.replacement
  }

  /** The text with all known values replaced. */
  replaceInText(text: string, report: ReportKnown): string {
    return this.#replaceToDepth(text, report, 0)
  }

  /** The same for UTF-8; undefined when nothing had to be replaced. */
  replaceInBytes(text: Uint8Array, report: ReportKnown): Uint8Array | undefined {
    if (this.#patterns.length === 0) return undefined
    const edits: KnownEdit[] = []
    for (let start = 0; start < text.length;) {
      const end = Math.min(text.length, start + windowBytes + this.#longest * maxBytesPerByte)
      const isLast = end === text.length
      undoEscapes(text, start, end, this.#plain)
      const limit = isLast ? text.length : start + windowBytes
      edits.push(
        ...this.#editsIn({ text, plain: this.#plain, from: this.#plain.from, end, report }, limit),
      )
      start = isLast ? text.length : Math.max(limit, edits.at(-1)?.to ?? 0)
    }
    return edits.length === 0 ? undefined : applyKnownEdits(text, edits)
  }

  /** Number of secrets learned so far. */
  secrets(): number {
    return this.#secrets
  }

  /** Number of secrets that are no longer known, since there were more than are kept. */
  forgotten(): number {
    return this.#forgottenSecrets
  }

  #addPattern(own: KnownValue, bytes: Uint8Array): void {
    if (bytes.length < minPatternBytes) return
    this.#patterns.push(own)
    this.#index.add(bytes)
  }

  /** Forgets the older half of a kind. */
  #forget(kind: KnownKind): void {
    const values = this.#known[kind]
    let rest = values.size / 2
    const forgotten = new Set<KnownValue>()
    for (const [value, each] of values) {
      if (rest-- <= 0) break
      values.delete(value)
      forgotten.add(each)
    }
    if (kind === 'secret') this.#forgottenSecrets += forgotten.size
    const before = { index: this.#index, patterns: this.#patterns }
    this.#index = createPatternIndex()
    this.#patterns = []
    for (const [number, each] of before.patterns.entries())
      if (!forgotten.has(each)) this.#addPattern(each, before.index.patternAt(number))
  }

  #matchesIn({ bytes, length }: SearchWindow['plain']): readonly KnownMatch[] {
    const found: KnownMatch[] = []
    this.#index.search(bytes, length, (number, at, size) => {
      const own = this.#patterns[number]
      if (own) found.push({ known: own, number, at, end: at + size })
    })
    // Of equal patterns the newest.
    return found.sort((a, b) => a.at - b.at || b.end - a.end || b.number - a.number)
  }

  /** The edits of what begins before `limit`. */
  #editsIn(window: SearchWindow, limit: number): readonly KnownEdit[] {
    const edits: KnownEdit[] = []
    let done = 0
    for (const match of this.#matchesIn(window.plain)) {
      if (match.at < done) continue
      if (offsetOf(window, match.at) >= limit) break
      const edit = editForMatch(window, match)
      if (!edit) continue
      edits.push(edit)
      done = edit.end
    }
    return edits
  }

  /** Most texts are searched as they are: nothing in them is escaped that could be part of a value. */
  #replaceInSimple(text: Uint8Array, report: ReportKnown): Uint8Array | undefined {
    const { length } = text
    const window = { text, plain: { bytes: text, length }, from: undefined, end: length, report }
    const edits = this.#editsIn(window, length)
    return edits.length > 0 ? applyKnownEdits(text, edits) : undefined
  }

  /** Redaction reads the claims of a token, and encodes them again. */
  #replaceInTokens(text: string, report: ReportKnown, depth: number): string {
    if (depth > maxDepth || !text.includes('.~sig_')) return text
    return text.replaceAll(redactedToken, (token) =>
      token
        .split('.')
        .map((part) => {
          const claims = textFromBase64(part)
          const next = claims && this.#replaceToDepth(claims, report, depth + 1)
          return next === claims || next === undefined ? part : textToBase64(next, 'url')
        })
        .join('.'),
    )
  }

  #replaceToDepth(whole: string, report: ReportKnown, depth: number): string {
    if (this.#patterns.length === 0) return whole
    const text = this.#replaceInTokens(whole, report, depth)
    const bytes = this.#bytesOf(text)
    const next =
      this.#hasEscaped || hasManyEscapes(text)
        ? this.replaceInBytes(bytes, report)
        : this.#replaceInSimple(bytes, report)
    return next ? decoder.decode(next) : text
  }

  #bytesOf(text: string): Uint8Array {
    if (text.length > maxBufferedLength) return encoder.encode(text)
    if (this.#buffer.length < text.length * 3) this.#buffer = new Uint8Array(text.length * 3)
    return this.#buffer.subarray(0, encoder.encodeInto(text, this.#buffer).written)
  }
}
