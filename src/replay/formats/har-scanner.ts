/**
 * Incremental scanner that finds the entries of a HAR in chunks of bytes, buffering only the current entry, so archives
 * of any size can be read. Tracks brackets, strings and escapes only; the caller parses the entries.
 */
import { compact } from '../../core/base/compact.ts'
import {
  backslash,
  byteOrderMark,
  closeList,
  closeObject,
  colon,
  comma,
  isJsonWhitespace,
  openList,
  openObject,
  quote,
  describeByte,
} from '../../core/traffic/json/json-string.ts'
import { joinedBytes } from './byte-queue.ts'

/** A byte range with its file offset. */
export interface ByteSpan {
  readonly bytes: Uint8Array
  readonly at: number
}

interface HarScanHandlers {
  /** A member of `log` other than `entries`, in file order. */
  readonly logMember: (name: string, value: ByteSpan) => void
  /** A member of the document other than `log`. */
  readonly documentMember: (name: string, value: ByteSpan) => void
  /** Called at the start of `log.entries`. */
  readonly entriesStart: () => void
  readonly entry: (value: ByteSpan) => void
  /** An entry or member was skipped: too large or nested too deep. */
  readonly skipped: (at: number, message: string, member?: string) => void
}

interface HarScanError {
  readonly at: number
  readonly message: string
  /** The incomplete value at the break. */
  readonly inside?: ByteSpan
}

export interface HarScanLimits {
  readonly maxBytes: number
  readonly maxDepth: number
}

export const defaultHarScanLimits: HarScanLimits = { maxBytes: 64 * 1024 * 1024, maxDepth: 200 }

/** Position in the document: before it, in its members, in those of `log`, in `log.entries`, behind it. */
type Level = 'document' | 'top' | 'log' | 'entries' | 'done'

/** Next token expected at that level. */
type Expected = 'value' | 'key' | 'colon' | 'separator'

const text = new TextDecoder()

const isClosing = (byte: number): boolean => byte === closeObject || byte === closeList

export class HarScanner {
  readonly #sink: HarScanHandlers
  readonly #limits: HarScanLimits
  #level: Level = 'document'
  #expected: Expected = 'value'
  /** Just behind an opening bracket, where the closing one is allowed. */
  #isFirst = false
  #key = ''
  #broken: HarScanError | undefined
  /** File offset of the current chunk. */
  #chunkOffset = 0
  // State of the value or key being buffered.
  #taking: 'nothing' | 'key' | 'value' = 'nothing'
  #buffered: Uint8Array[] = []
  #bufferedBytes = 0
  #startedAt = 0
  #depth = 0
  #inString = false
  /** The previous chunk ended in a backslash that escapes the next byte. */
  #escaping = false
  #inLiteral = false
  #limitExceeded: string | undefined

  constructor(sink: HarScanHandlers, limits: HarScanLimits = defaultHarScanLimits) {
    this.#sink = sink
    this.#limits = limits
  }

  feed(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length && !this.#broken) {
      if (this.#taking !== 'nothing') {
        at = this.#takeValue(bytes, at)
        continue
      }
      const byte = bytes[at] ?? 0
      const isMark = this.#chunkOffset + at < 3 && byte === byteOrderMark[this.#chunkOffset + at]
      if (isJsonWhitespace(byte) || isMark || this.#between(byte, at)) at++
    }
    this.#chunkOffset += bytes.length
  }

  /** Ends the input; returns the syntax error or truncation, if any. */
  finish(): HarScanError | undefined {
    if (this.#broken) return this.#broken
    if (this.#level === 'done') return undefined
    if (this.#chunkOffset === 0) return { at: 0, message: 'it is empty' }
    const inside =
      this.#taking === 'value' && this.#limitExceeded === undefined
        ? { bytes: this.#joined(), at: this.#startedAt }
        : undefined
    const where = { document: 'the document', top: 'the document', log: 'log', entries: 'an entry' }
    const message = `it ends in the middle of ${this.#taking === 'nothing' && this.#level === 'entries' ? 'the list of entries' : where[this.#level]}`
    return { at: this.#chunkOffset, message, ...compact({ inside }) }
  }

  #fail(at: number, message: string): void {
    this.#broken ??= { at, message }
  }

  #begin(what: 'key' | 'value', at: number): void {
    this.#taking = what
    this.#buffered = []
    this.#bufferedBytes = 0
    this.#startedAt = this.#chunkOffset + at
    this.#depth = 0
    this.#inString = false
    this.#escaping = false
    this.#inLiteral = false
    this.#limitExceeded = undefined
  }

  #buffer(piece: Uint8Array): void {
    if (this.#limitExceeded !== undefined) return
    this.#bufferedBytes += piece.length
    if (this.#bufferedBytes > this.#limits.maxBytes)
      this.#limitExceeded = `it is larger than ${this.#limits.maxBytes} bytes`
    if (this.#limitExceeded === undefined) this.#buffered.push(piece)
    else this.#buffered = []
  }

  #joined(): Uint8Array {
    return joinedBytes(this.#buffered)
  }

  #endValue(): void {
    const finished = this.#taking
    this.#taking = 'nothing'
    if (finished === 'key') {
      this.#key = this.#nameOf(this.#joined())
      this.#expected = 'colon'
    } else {
      this.#expected = 'separator'
      if (this.#limitExceeded === undefined)
        this.#emit({ bytes: this.#joined(), at: this.#startedAt })
      else
        this.#sink.skipped(
          this.#startedAt,
          this.#limitExceeded,
          this.#level === 'entries' ? undefined : this.#key,
        )
    }
    this.#buffered = []
  }

  #emit(span: ByteSpan): void {
    if (this.#level === 'entries') this.#sink.entry(span)
    else if (this.#level === 'log') this.#sink.logMember(this.#key, span)
    else this.#sink.documentMember(this.#key, span)
  }

  #nameOf(literal: Uint8Array): string {
    const name = text.decode(literal)
    try {
      return String(JSON.parse(name))
    } catch {
      this.#fail(this.#startedAt, 'a member whose name is no JSON text')
      return name
    }
  }

  /** Offset behind the current string; the chunk length when it continues in the next chunk. */
  #endOfString(bytes: Uint8Array, from: number): number {
    let at = from
    if (this.#escaping && at < bytes.length) {
      this.#escaping = false
      at++
    }
    while (at < bytes.length) {
      const byte = bytes[at]
      if (byte === quote) {
        this.#inString = false
        return at + 1
      }
      if (byte === backslash) {
        if (at + 1 === bytes.length) this.#escaping = true
        at += 2
      } else at++
    }
    return bytes.length
  }

  /** Buffers the value or key as far as this chunk has it; returns the offset to continue at. */
  #takeValue(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (this.#inString) {
        at = this.#endOfString(bytes, at)
        if (this.#inString) break
        if (this.#depth === 0) return this.#endAt(bytes, from, at)
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte === quote && !this.#inLiteral) {
        this.#inString = true
        at++
      } else if (byte === openObject || byte === openList) {
        if (++this.#depth > this.#limits.maxDepth)
          this.#limitExceeded ??= `it is nested deeper than ${this.#limits.maxDepth}`
        at++
      } else if (byte === closeObject || byte === closeList) {
        // A bare literal also ends at the closing bracket of its container.
        if (this.#depth === 0) return this.#endAt(bytes, from, at)
        this.#depth--
        at++
        if (this.#depth === 0) return this.#endAt(bytes, from, at)
      } else if (this.#depth === 0) {
        if (byte === comma || isJsonWhitespace(byte)) return this.#endAt(bytes, from, at)
        this.#inLiteral = true
        at++
      } else at++
    }
    this.#buffer(bytes.subarray(from))
    return bytes.length
  }

  #endAt(bytes: Uint8Array, from: number, to: number): number {
    this.#buffer(bytes.subarray(from, to))
    this.#endValue()
    return to
  }

  /** Start of a value: true when it is descended into, false when it is buffered whole. */
  #openValue(byte: number, at: number): boolean {
    if (this.#level === 'document') {
      if (byte !== openObject)
        this.#fail(this.#chunkOffset + at, `${describeByte(byte)} where an object should begin`)
      this.#level = 'top'
    } else if (this.#level === 'top' && this.#key === 'log' && byte === openObject)
      this.#level = 'log'
    else if (this.#level === 'log' && this.#key === 'entries' && byte === openList) {
      this.#level = 'entries'
      this.#expected = 'value'
      this.#isFirst = true
      this.#sink.entriesStart()
      return true
    } else {
      this.#begin('value', at)
      return false
    }
    this.#expected = 'key'
    this.#isFirst = true
    return true
  }

  #close(byte: number, at: number): void {
    const expectedClose = this.#level === 'entries' ? closeList : closeObject
    if (byte !== expectedClose)
      return this.#fail(this.#chunkOffset + at, `${describeByte(byte)} in the wrong place`)
    this.#level = this.#level === 'entries' ? 'log' : this.#level === 'log' ? 'top' : 'done'
    this.#expected = 'separator'
  }

  /** Handles a byte between values; returns whether it is consumed. */
  #between(byte: number, at: number): boolean {
    if (this.#level === 'done') {
      this.#fail(this.#chunkOffset + at, `${describeByte(byte)} behind the end of the document`)
      return true
    }
    if (this.#expected === 'separator') {
      if (byte === comma) {
        this.#expected = this.#level === 'entries' ? 'value' : 'key'
        this.#isFirst = false
      } else if (isClosing(byte)) this.#close(byte, at)
      else
        this.#fail(
          this.#chunkOffset + at,
          `${describeByte(byte)} where a comma or an end should be`,
        )
      return true
    }
    if (this.#expected === 'colon') {
      if (byte !== colon)
        this.#fail(this.#chunkOffset + at, `${describeByte(byte)} where a colon should be`)
      this.#expected = 'value'
      return true
    }
    if (this.#isFirst && isClosing(byte) && this.#level !== 'document') {
      this.#isFirst = false
      this.#close(byte, at)
      return true
    }
    if (this.#expected === 'key') {
      if (byte === quote) this.#begin('key', at)
      else
        this.#fail(
          this.#chunkOffset + at,
          `${describeByte(byte)} where the name of a member should be`,
        )
      return byte !== quote
    }
    if (byte === comma || byte === colon || isClosing(byte)) {
      this.#fail(this.#chunkOffset + at, `${describeByte(byte)} where a value should be`)
      return true
    }
    return this.#openValue(byte, at)
  }
}
