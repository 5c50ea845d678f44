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
} from '../../core/traffic/json/json-bytes.ts'
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

export function createHarScanner(
  sink: HarScanHandlers,
  limits: HarScanLimits = defaultHarScanLimits,
) {
  let level: Level = 'document'
  let expected: Expected = 'value'
  /** Just behind an opening bracket, where the closing one is allowed. */
  let isFirst = false
  let key = ''
  let broken: HarScanError | undefined
  /** File offset of the current chunk. */
  let chunkOffset = 0

  // State of the value or key being buffered.
  let taking: 'nothing' | 'key' | 'value' = 'nothing'
  let buffered: Uint8Array[] = []
  let bufferedBytes = 0
  let startedAt = 0
  let depth = 0
  let inString = false
  /** The previous chunk ended in a backslash that escapes the next byte. */
  let escaping = false
  let inLiteral = false
  let limitExceeded: string | undefined

  function fail(at: number, message: string): void {
    broken ??= { at, message }
  }

  function begin(what: 'key' | 'value', at: number): void {
    taking = what
    buffered = []
    bufferedBytes = 0
    startedAt = chunkOffset + at
    depth = 0
    inString = false
    escaping = false
    inLiteral = false
    limitExceeded = undefined
  }

  function buffer(piece: Uint8Array): void {
    if (limitExceeded !== undefined) return
    bufferedBytes += piece.length
    if (bufferedBytes > limits.maxBytes)
      limitExceeded = `it is larger than ${limits.maxBytes} bytes`
    if (limitExceeded === undefined) buffered.push(piece)
    else buffered = []
  }

  const joined = (): Uint8Array => joinedBytes(buffered)

  function endValue(): void {
    const finished = taking
    taking = 'nothing'
    if (finished === 'key') {
      key = nameOf(joined())
      expected = 'colon'
    } else {
      expected = 'separator'
      if (limitExceeded === undefined) emit({ bytes: joined(), at: startedAt })
      else sink.skipped(startedAt, limitExceeded, level === 'entries' ? undefined : key)
    }
    buffered = []
  }

  function emit(span: ByteSpan): void {
    if (level === 'entries') sink.entry(span)
    else if (level === 'log') sink.logMember(key, span)
    else sink.documentMember(key, span)
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

  /** Offset behind the current string; the chunk length when it continues in the next chunk. */
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

  /** Buffers the value or key as far as this chunk has it; returns the offset to continue at. */
  function takeValue(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (inString) {
        at = endOfString(bytes, at)
        if (inString) break
        if (depth === 0) return endAt(bytes, from, at)
        continue
      }
      const byte = bytes[at] ?? 0
      if (byte === quote && !inLiteral) {
        inString = true
        at++
      } else if (byte === openObject || byte === openList) {
        if (++depth > limits.maxDepth)
          limitExceeded ??= `it is nested deeper than ${limits.maxDepth}`
        at++
      } else if (byte === closeObject || byte === closeList) {
        // A bare literal also ends at the closing bracket of its container.
        if (depth === 0) return endAt(bytes, from, at)
        depth--
        at++
        if (depth === 0) return endAt(bytes, from, at)
      } else if (depth === 0) {
        if (byte === comma || isJsonWhitespace(byte)) return endAt(bytes, from, at)
        inLiteral = true
        at++
      } else at++
    }
    buffer(bytes.subarray(from))
    return bytes.length
  }

  function endAt(bytes: Uint8Array, from: number, to: number): number {
    buffer(bytes.subarray(from, to))
    endValue()
    return to
  }

  /** Start of a value: true when it is descended into, false when it is buffered whole. */
  function openValue(byte: number, at: number): boolean {
    if (level === 'document') {
      if (byte !== openObject)
        fail(chunkOffset + at, `${describeByte(byte)} where an object should begin`)
      level = 'top'
    } else if (level === 'top' && key === 'log' && byte === openObject) level = 'log'
    else if (level === 'log' && key === 'entries' && byte === openList) {
      level = 'entries'
      expected = 'value'
      isFirst = true
      sink.entriesStart()
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
    const expectedClose = level === 'entries' ? closeList : closeObject
    if (byte !== expectedClose)
      return fail(chunkOffset + at, `${describeByte(byte)} in the wrong place`)
    level = level === 'entries' ? 'log' : level === 'log' ? 'top' : 'done'
    expected = 'separator'
  }

  const isClosing = (byte: number): boolean => byte === closeObject || byte === closeList

  /** Handles a byte between values; returns whether it is consumed. */
  function between(byte: number, at: number): boolean {
    if (level === 'done') {
      fail(chunkOffset + at, `${describeByte(byte)} behind the end of the document`)
      return true
    }
    if (expected === 'separator') {
      if (byte === comma) {
        expected = level === 'entries' ? 'value' : 'key'
        isFirst = false
      } else if (isClosing(byte)) close(byte, at)
      else fail(chunkOffset + at, `${describeByte(byte)} where a comma or an end should be`)
      return true
    }
    if (expected === 'colon') {
      if (byte !== colon) fail(chunkOffset + at, `${describeByte(byte)} where a colon should be`)
      expected = 'value'
      return true
    }
    if (isFirst && isClosing(byte) && level !== 'document') {
      isFirst = false
      close(byte, at)
      return true
    }
    if (expected === 'key') {
      if (byte === quote) begin('key', at)
      else fail(chunkOffset + at, `${describeByte(byte)} where the name of a member should be`)
      return byte !== quote
    }
    if (byte === comma || byte === colon || isClosing(byte)) {
      fail(chunkOffset + at, `${describeByte(byte)} where a value should be`)
      return true
    }
    return openValue(byte, at)
  }

  function feed(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length && !broken) {
      if (taking !== 'nothing') {
        at = takeValue(bytes, at)
        continue
      }
      const byte = bytes[at] ?? 0
      const isMark = chunkOffset + at < 3 && byte === byteOrderMark[chunkOffset + at]
      if (isJsonWhitespace(byte) || isMark || between(byte, at)) at++
    }
    chunkOffset += bytes.length
  }

  function finish(): HarScanError | undefined {
    if (broken) return broken
    if (level === 'done') return undefined
    if (chunkOffset === 0) return { at: 0, message: 'it is empty' }
    const inside =
      taking === 'value' && limitExceeded === undefined
        ? { bytes: joined(), at: startedAt }
        : undefined
    const where = { document: 'the document', top: 'the document', log: 'log', entries: 'an entry' }
    const message = `it ends in the middle of ${taking === 'nothing' && level === 'entries' ? 'the list of entries' : where[level]}`
    return { at: chunkOffset, message, ...compact({ inside }) }
  }

  return {
    feed,
    /** Ends the input; returns the syntax error or truncation, if any. */
    finish,
  }
}
