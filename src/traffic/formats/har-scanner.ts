/**
 * Finds the entries of an HTTP archive in its bytes, which come in pieces of any size: nothing but the entry that is
 * being read is held, so no archive is too large. It knows brackets, strings and escapes, and no more of JSON; what is
 * in an entry is looked at by who takes it.
 */
import { joinedBytes } from './byte-queue.ts'
import {
  backslash,
  byteOrderMark,
  closeList,
  closeObject,
  colon,
  comma,
  isBlank,
  openList,
  openObject,
  quote,
  shown,
} from './json-bytes.ts'

/** A stretch of bytes, and where it begins in the file. */
export interface Span {
  readonly bytes: Uint8Array
  readonly at: number
}

export interface ScanSink {
  /** A member of `log` beside its entries, in order. */
  readonly member: (name: string, value: Span) => void
  /** A member of the document beside `log`. */
  readonly beside: (name: string, value: Span) => void
  /** The list of entries begins. */
  readonly entriesBegin: () => void
  readonly entry: (value: Span) => void
  /** An entry or member that was passed over, because it is too large or too deep. */
  readonly skipped: (at: number, message: string, member?: string) => void
}

export interface ScanBreak {
  readonly at: number
  readonly message: string
  /** What there is of the value in which it broke off. */
  readonly inside?: Span
}

export interface HarScanner {
  readonly feed: (bytes: Uint8Array) => void
  /** Says that nothing follows; answers where and why the file broke, if it did. */
  readonly finish: () => ScanBreak | undefined
}

export interface ScanLimits {
  readonly bytes: number
  readonly depth: number
}

export const harLimits: ScanLimits = { bytes: 64 * 1024 * 1024, depth: 200 }

/** Where in the document: outside, among the members of the document or of `log`, or in the list of entries. */
type Level = 'document' | 'top' | 'log' | 'entries' | 'done'

/** What may come next at that level. */
type Expected = 'value' | 'key' | 'colon' | 'separator'

const text = new TextDecoder()

export function createHarScanner(sink: ScanSink, limits: ScanLimits = harLimits): HarScanner {
  let level: Level = 'document'
  let expected: Expected = 'value'
  /** A list or object has just begun: it may end at once. */
  let isFirst = false
  let key = ''
  let broken: ScanBreak | undefined
  /** Bytes of the pieces before this one. */
  let passed = 0

  // The value or key that is being taken.
  let taking: 'nothing' | 'key' | 'value' = 'nothing'
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let startedAt = 0
  let depth = 0
  let inString = false
  /** The last byte of the piece before was a backslash that escapes what comes. */
  let escaping = false
  let isBare = false
  let tooMuch: string | undefined

  function fail(at: number, message: string): void {
    broken ??= { at, message }
  }

  function begin(what: 'key' | 'value', at: number): void {
    taking = what
    kept = []
    keptBytes = 0
    startedAt = passed + at
    depth = 0
    inString = false
    escaping = false
    isBare = false
    tooMuch = undefined
  }

  function keep(piece: Uint8Array): void {
    if (tooMuch !== undefined) return
    keptBytes += piece.length
    if (keptBytes > limits.bytes) tooMuch = `it is larger than ${limits.bytes} bytes`
    if (tooMuch === undefined) kept.push(piece)
    else kept = []
  }

  const whole = (): Uint8Array => joinedBytes(kept)

  function ended(): void {
    const was = taking
    taking = 'nothing'
    if (was === 'key') {
      key = nameOf(whole())
      expected = 'colon'
    } else {
      expected = 'separator'
      if (tooMuch === undefined) hand({ bytes: whole(), at: startedAt })
      else sink.skipped(startedAt, tooMuch, level === 'entries' ? undefined : key)
    }
    kept = []
  }

  function hand(span: Span): void {
    if (level === 'entries') sink.entry(span)
    else if (level === 'log') sink.member(key, span)
    else sink.beside(key, span)
  }

  function nameOf(literal: Uint8Array): string {
    const name = text.decode(literal)
    try {
      return String(JSON.parse(name))
    } catch {
      fail(startedAt, 'a member whose name is no JSON text')
      return name
    }
  }

  /** Behind the string that this place is in; the piece's length when it goes on in the next. */
  function endOfString(bytes: Uint8Array, from: number): number {
    let at = from
    if (escaping && at < bytes.length) {
      escaping = false
      at++
    }
    while (at < bytes.length) {
      const byte = bytes[at]
      if (byte === quote) {
        inString = false
        return at + 1
      }
      if (byte === backslash) {
        if (at + 1 === bytes.length) escaping = true
        at += 2
      } else at++
    }
    return bytes.length
  }

  /** Takes the value or key as far as it goes in this piece; answers where to go on. */
  function take(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (inString) {
        at = endOfString(bytes, at)
        if (inString) break
        if (depth === 0) return closed(bytes, from, at)
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte === quote && !isBare) {
        inString = true
        at++
      } else if (byte === openObject || byte === openList) {
        if (++depth > limits.depth) tooMuch ??= `it is nested deeper than ${limits.depth}`
        at++
      } else if (byte === closeObject || byte === closeList) {
        // A bare word ends where what is around it ends.
        if (depth === 0) return closed(bytes, from, at)
        depth--
        at++
        if (depth === 0) return closed(bytes, from, at)
      } else if (depth === 0) {
        if (byte === comma || isBlank(byte)) return closed(bytes, from, at)
        isBare = true
        at++
      } else at++
    }
    keep(bytes.subarray(from))
    return bytes.length
  }

  function closed(bytes: Uint8Array, from: number, to: number): number {
    keep(bytes.subarray(from, to))
    ended()
    return to
  }

  /** What begins a value here: its members are looked into, or it is taken whole. */
  function openValue(byte: number, at: number): boolean {
    if (level === 'document') {
      if (byte !== openObject) fail(passed + at, `${shown(byte)} where an object should begin`)
      level = 'top'
    } else if (level === 'top' && key === 'log' && byte === openObject) level = 'log'
    else if (level === 'log' && key === 'entries' && byte === openList) {
      level = 'entries'
      expected = 'value'
      isFirst = true
      sink.entriesBegin()
      return true
    } else {
      begin('value', at)
      return false
    }
    expected = 'key'
    isFirst = true
    return true
  }

  function close(byte: number, at: number): void {
    const wanted = level === 'entries' ? closeList : closeObject
    if (byte !== wanted) return fail(passed + at, `${shown(byte)} in the wrong place`)
    level = level === 'entries' ? 'log' : level === 'log' ? 'top' : 'done'
    expected = 'separator'
  }

  const atEnd = (byte: number): boolean => byte === closeObject || byte === closeList

  /** One byte between values; answers whether it is done with. */
  function between(byte: number, at: number): boolean {
    if (level === 'done') {
      fail(passed + at, `${shown(byte)} behind the end of the document`)
      return true
    }
    if (expected === 'separator') {
      if (byte === comma) {
        expected = level === 'entries' ? 'value' : 'key'
        isFirst = false
      } else if (atEnd(byte)) close(byte, at)
      else fail(passed + at, `${shown(byte)} where a comma or an end should be`)
      return true
    }
    if (expected === 'colon') {
      if (byte !== colon) fail(passed + at, `${shown(byte)} where a colon should be`)
      expected = 'value'
      return true
    }
    if (isFirst && atEnd(byte) && level !== 'document') {
      isFirst = false
      close(byte, at)
      return true
    }
    if (expected === 'key') {
      if (byte === quote) begin('key', at)
      else fail(passed + at, `${shown(byte)} where the name of a member should be`)
      return byte !== quote
    }
    if (byte === comma || byte === colon || atEnd(byte)) {
      fail(passed + at, `${shown(byte)} where a value should be`)
      return true
    }
    return openValue(byte, at)
  }

  function feed(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length && !broken) {
      if (taking !== 'nothing') {
        at = take(bytes, at)
        continue
      }
      const byte = bytes[at] ?? 0
      const isMark = passed + at < 3 && byte === byteOrderMark[passed + at]
      if (isBlank(byte) || isMark || between(byte, at)) at++
    }
    passed += bytes.length
  }

  function finish(): ScanBreak | undefined {
    if (broken) return broken
    if (level === 'done') return undefined
    if (passed === 0) return { at: 0, message: 'it is empty' }
    const inside =
      taking === 'value' && tooMuch === undefined ? { bytes: whole(), at: startedAt } : undefined
    const where = { document: 'the document', top: 'the document', log: 'log', entries: 'an entry' }
    const message = `it ends in the middle of ${taking === 'nothing' && level === 'entries' ? 'the list of entries' : where[level]}`
    return { at: passed, message, ...(inside ? { inside } : {}) }
  }

  return { feed, finish }
}
