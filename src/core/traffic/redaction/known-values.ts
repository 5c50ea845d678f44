/**
 * The values that were redacted once in a recording, so that they are replaced wherever else they stand in it: as they
 * are, escaped in any way, in base64 at any alignment, in hexadecimal. Memory is bounded: the newest values are known.
 */
import {
  editForMatch,
  isCutOff,
  offsetOf,
  type KnownEdit,
  type KnownMatch,
  type ReportKnown,
  type SearchWindow,
} from './known-edits.ts'
import {
  encodedPatterns,
  type KnownPattern,
  type KnownValue,
  plainPatterns,
  rarePatterns,
} from './known-patterns.ts'
import { createPatternIndex, minPatternBytes } from './pattern-index.ts'
import {
  createUnescapedBytes,
  hasManyEscapes,
  undoEscapes,
  type UnescapedBytes,
} from './undo-escapes.ts'

/**
 * `secret`: a credential, in every encoding and known for long. `signature`: in every encoding, known among the last.
 * `personal`: a number of a person, as it is or escaped, known among the last.
 */
export type KnownKind = 'secret' | 'signature' | 'personal'

export interface KnownValues {
  readonly learn: (kind: KnownKind, known: KnownValue) => void
  /** Whether the value is known; the oldest are forgotten. */
  readonly has: (kind: KnownKind, value: string) => boolean
  /** The replacement of a secret that was redacted before, under any class. */
  readonly replacementOf: (secret: string) => string | undefined
  /** The text with all known values replaced. */
  readonly replaceInText: (text: string, report: ReportKnown) => string
  /** The same for UTF-8; undefined when nothing had to be replaced. */
  readonly replaceInBytes: (bytes: Uint8Array, report: ReportKnown) => Uint8Array | undefined
  /** Number of secrets learned so far. */
  readonly secrets: () => number
  /** Number of secrets that are no longer known, since there were more than are kept. */
  readonly forgotten: () => number
}

/** A secret takes some kilobytes, in all its encodings. */
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
/** Base64 in base64 in base64. */
const maxDepth = 4

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Every replacement fits into a JSON string as it is. */
const isSafe = (replacement: string): boolean => !/["\\\p{Cc}]/u.test(replacement)

/** A copy that does not keep the text alive that it was cut from. */
const ownCopy = (text: string): string => decoder.decode(encoder.encode(text))

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

export function createKnownValues(bounds = maxKnown): KnownValues {
  const known = {
    secret: new Map<string, KnownValue>(),
    signature: new Map<string, KnownValue>(),
    personal: new Map<string, KnownValue>(),
  }
  let index = createPatternIndex()
  let patterns: KnownPattern[] = []
  let longest = 0
  /** Whether a value is written otherwise in every JSON text. */
  let hasEscaped = false
  let secrets = 0
  let forgottenSecrets = 0
  let buffer = new Uint8Array(0)
  const scratch: UnescapedBytes[] = []

  function addPattern(pattern: KnownPattern, bytes: Uint8Array): void {
    if (bytes.length < minPatternBytes) return
    patterns.push(pattern)
    index.add(bytes)
  }

  /** Forgets the older half of a kind. */
  function forget(kind: KnownKind): void {
    const values = known[kind]
    let rest = values.size / 2
    const forgotten = new Set<KnownValue>()
    for (const [value, each] of values) {
      if (rest-- <= 0) break
      values.delete(value)
      forgotten.add(each)
    }
    if (kind === 'secret') forgottenSecrets += forgotten.size
    const before = { index, patterns }
    index = createPatternIndex()
    patterns = []
    for (const [number, each] of before.patterns.entries())
      if (!forgotten.has(each.known)) addPattern(each, before.index.patternAt(number))
  }

  function learn(kind: KnownKind, { value, replacement, id }: KnownValue): void {
    if (known[kind].has(value) || value.length > maxValueLength || !isSafe(replacement)) return
    if (known[kind].size >= bounds[kind]) forget(kind)
    const own: KnownValue = { value: ownCopy(value), replacement: ownCopy(replacement), id }
    known[kind].set(own.value, own)
    longest = Math.max(longest, encoder.encode(value).length)
    hasEscaped ||= JSON.stringify(value).length !== value.length + 2
    for (const each of plainPatterns(own)) addPattern(...each)
    if (kind === 'personal') return
    for (const each of [...encodedPatterns(own), ...rarePatterns(own)]) addPattern(...each)
    if (kind === 'secret') secrets++
  }

  function matchesIn({ bytes, length }: SearchWindow['plain']): readonly KnownMatch[] {
    const found: KnownMatch[] = []
    index.search(bytes, length, (number, at, size) => {
      const pattern = patterns[number]
      if (pattern) found.push({ ...pattern, at, end: at + size })
    })
    return found.sort((a, b) => a.at - b.at || b.end - a.end)
  }

  /** The edits of what begins before `limit`; undefined when something may go on behind the window. */
  function editsIn(window: SearchWindow, limit: number): readonly KnownEdit[] | undefined {
    const edits: KnownEdit[] = []
    let done = 0
    for (const match of matchesIn(window.plain)) {
      if (match.at < done) continue
      if (offsetOf(window, match.at) >= limit) break
      if (window.end < window.text.length && isCutOff(window, match)) return undefined
      const edit = editForMatch(window, match)
      if (!edit) continue
      edits.push(edit)
      done = edit.end
    }
    return edits
  }

  /** Most texts are searched as they are: nothing in them is escaped that could be part of a value. */
  function replaceInSimple(text: Uint8Array, report: ReportKnown): Uint8Array | undefined {
    const replaceInside = (bytes: Uint8Array) => replaceInBytes(bytes, report, 1)
    const { length } = text
    const plain = { bytes: text, length }
    const edits = editsIn(
      { text, plain, from: undefined, end: length, report, replaceInside },
      length,
    )
    return edits && edits.length > 0 ? applyKnownEdits(text, edits) : undefined
  }

  function replaceInBytes(
    text: Uint8Array,
    report: ReportKnown,
    depth = 0,
  ): Uint8Array | undefined {
    if (patterns.length === 0 || depth > maxDepth) return undefined
    const plain = (scratch[depth] ??= createUnescapedBytes())
    const replaceInside = (bytes: Uint8Array) => replaceInBytes(bytes, report, depth + 1)
    const edits: KnownEdit[] = []
    let size = windowBytes
    for (let start = 0; start < text.length;) {
      const end = Math.min(text.length, start + size + longest * maxBytesPerByte)
      const isLast = end === text.length
      undoEscapes(text, start, end, plain)
      const limit = isLast ? text.length : start + size
      const found = editsIn({ text, plain, from: plain.from, end, report, replaceInside }, limit)
      if (!found) {
        size *= 2
        continue
      }
      edits.push(...found)
      start = isLast ? text.length : Math.max(limit, edits.at(-1)?.to ?? 0)
      size = windowBytes
    }
    return edits.length === 0 ? undefined : applyKnownEdits(text, edits)
  }

  function bytesOf(text: string): Uint8Array {
    if (text.length > maxBufferedLength) return encoder.encode(text)
    if (buffer.length < text.length * 3) buffer = new Uint8Array(text.length * 3)
    return buffer.subarray(0, encoder.encodeInto(text, buffer).written)
  }

  return {
    learn,
    has: (kind, value) => known[kind].has(value),
    replacementOf: (secret) => known.secret.get(secret)?.replacement,
    replaceInText(text, report) {
      if (patterns.length === 0) return text
      const bytes = bytesOf(text)
      const next =
        hasEscaped || hasManyEscapes(text)
          ? replaceInBytes(bytes, report)
          : replaceInSimple(bytes, report)
      return next ? decoder.decode(next) : text
    },
    replaceInBytes: (bytes, report) => replaceInBytes(bytes, report),
    secrets: () => secrets,
    forgotten: () => forgottenSecrets,
  }
}
