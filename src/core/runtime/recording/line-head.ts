/**
 * Extracts index data from the first bytes of a line without parsing it: our recorder writes the members of `_rec` in
 * a fixed order, so a million lines take a second. Lines in any other order or spelling are parsed as JSON.
 */
import type { HttpLine } from '../../traffic/recording/format.ts'
import { readRecordedLine, type RecordedLine } from '../../traffic/recording/reader.ts'

export const lineFlag = { open: 1, failed: 2, fault: 4, blob: 8, repeated: 16 } as const

/** One object reused for every line, to avoid a million allocations. */
export interface LineHead {
  seq: number
  /** Microseconds since t0 of the header. */
  began: number
  /** On the wall clock. */
  tookMs: number
  /** 0 when there was no reply. */
  status: number
  /** Caller, callee and operation: JSON members as latin1-decoded bytes. */
  place: string
  /** Order id as latin1-decoded bytes of its JSON string; empty when there is none. */
  order: string
  flags: number
}

export type HeadReading =
  | { readonly kind: 'exchange' }
  /** Any other line, parsed. */
  | { readonly kind: 'other'; readonly line: RecordedLine }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'empty' }

const prefix = '{"_rec":{"v":1,"type":"'
const wallNeedle = '"wall":{"q0":'
const responseNeedle = Buffer.from('"response":{"status":')
/** Prefix lengths in bytes to try in turn. */
const lengths = [768, 8192, Number.MAX_SAFE_INTEGER] as const

const exchange: HeadReading = { kind: 'exchange' }
const empty: HeadReading = { kind: 'empty' }

export const createLineHead = (): LineHead => ({
  seq: 0,
  began: 0,
  tookMs: 0,
  status: 0,
  place: '',
  order: '',
  flags: 0,
})

/** UTF-8 bytes decoded as latin1, one character per byte, so that both ways of reading give the same. */
export const utf8AsLatin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Fills a head from a parsed line. */
export function fillLineHead(head: LineHead, { _rec: rec, ...entry }: HttpLine): void {
  const { dir, from, to, via, op, t, wall, corr, wire } = rec
  const { response, time } = entry
  const status: unknown =
    typeof response === 'object' && response !== null ? Reflect.get(response, 'status') : 0
  head.seq = rec.seq
  head.began = t.q0
  const { q0, p1 } = wall ?? t
  head.tookMs = p1 === null ? (typeof time === 'number' ? time : 0) : (p1 - q0) / 1000
  head.status = typeof status === 'number' && status > 0 ? status : 0
  head.place = utf8AsLatin1(JSON.stringify({ dir, from, to, via, op }).slice(1, -1))
  head.order = corr.order === undefined ? '' : utf8AsLatin1(JSON.stringify(corr.order).slice(1, -1))
  head.flags =
    (rec.type === 'open' ? lineFlag.open | lineFlag.failed : 0) |
    (rec.err ? lineFlag.failed : 0) |
    (rec.fault === undefined ? 0 : lineFlag.fault) |
    (wire?.q?.blob === undefined && wire?.p?.blob === undefined ? 0 : lineFlag.blob) |
    (rec.rep ? lineFlag.repeated : 0)
}

/** Reads line heads one after the other; `head` holds the last one. */
export function createLineHeadReader(head: LineHead) {
  let text = ''
  let at = 0

  function eat(literal: string): boolean {
    if (!text.startsWith(literal, at)) return false
    at += literal.length
    return true
  }

  /** Reads an integer; NaN when there is none. */
  function number(): number {
    let value = 0
    const isNegative = text.charCodeAt(at) === 45
    if (isNegative) at++
    const from = at
    for (;;) {
      const digit = text.charCodeAt(at) - 48
      if (!(digit >= 0 && digit <= 9)) break
      value = value * 10 + digit
      at++
    }
    return at === from ? Number.NaN : isNegative ? -value : value
  }

  /** Cached next match: a block without one is not searched again for each of its lines. */
  const found: { bytes: Buffer; at: number; from: number } = {
    bytes: Buffer.alloc(0),
    at: -1,
    from: 0,
  }

  function responseAt(bytes: Buffer, from: number, end: number): number {
    if (found.bytes !== bytes || found.at < from || from < found.from) {
      const next = bytes.indexOf(responseNeedle, from)
      found.bytes = bytes
      found.from = from
      found.at = next < 0 ? Number.MAX_SAFE_INTEGER : next
    }
    return found.at < end ? found.at + responseNeedle.length : -1
  }

  function statusAt(bytes: Buffer, from: number, end: number): number {
    let value = 0
    let place = from
    for (; place < end; place++) {
      const digit = (bytes[place] ?? 0) - 48
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    return place === from ? -1 : value
  }

  /** Fast path; false when the line is spelled differently, or more bytes are needed. */
  function quick(bytes: Buffer, start: number, end: number): boolean {
    at = prefix.length
    const isOpen = eat('open"')
    if (!isOpen && !eat('http"')) return false
    if (!eat(',"id":"')) return false
    at = text.indexOf('"', at) + 1
    if (at === 0 || !eat(',"seq":')) return false
    head.seq = number()
    if (!eat(',"t":{"q0":')) return false
    head.began = number()
    if (!eat(',"q1":') || Number.isNaN(number()) || !eat(',"p0":')) return false
    if (!eat('null') && Number.isNaN(number())) return false
    if (!eat(',"p1":')) return false
    const replied = number()
    if (Number.isNaN(replied) && !eat('null')) return false
    if (!eat('},"lt":') || Number.isNaN(number()) || !eat(',"dir":"')) return false
    const from = at - '"dir":"'.length
    at = text.indexOf(',"route":', at)
    if (at < 0) return false
    head.place = text.slice(from, at)
    at = text.indexOf(',"corr":{', at)
    if (at < 0) return false
    at += ',"corr":{'.length
    head.order = ''
    if (eat('"order":"')) {
      const close = text.indexOf('"', at)
      // An escaped quote in an id is rare: take the slow path.
      if (close < 0 || text.charCodeAt(close - 1) === 92) return false
      head.order = text.slice(at, close)
      at = close
    }
    const after = text.indexOf('},"startedDateTime":"', at)
    if (after < 0) return false
    head.flags = (isOpen ? lineFlag.open | lineFlag.failed : 0) | flagsIn(at, after)
    const tookOnWall = wallDurationBetween(at, after)
    if (tookOnWall !== undefined) head.tookMs = tookOnWall
    else head.tookMs = Number.isNaN(replied) ? timeBehind(after) : (replied - head.began) / 1000
    const response = responseAt(bytes, start + after, end)
    if (response < 0) return false
    head.status = statusAt(bytes, response, end)
    return head.status >= 0 && !Number.isNaN(head.seq) && !Number.isNaN(head.tookMs)
  }

  function flagsIn(from: number, to: number): number {
    // Most lines have no further members.
    if (to - from < 12) return 0
    const between = text.slice(from, to)
    return (
      (between.includes('"err":{') ? lineFlag.failed : 0) |
      (between.includes('"fault":"') ? lineFlag.fault : 0) |
      (between.includes('"blob":"') ? lineFlag.blob : 0) |
      (between.includes('"rep":{') ? lineFlag.repeated : 0)
    )
  }

  /** The duration in `"wall":{"q0":1,"p1":2}`, in milliseconds; undefined where there is none. */
  function wallDurationBetween(from: number, to: number): number | undefined {
    const place = text.indexOf(wallNeedle, from)
    if (place < 0 || place >= to) return undefined
    at = place + wallNeedle.length
    const q0 = number()
    return eat(',"p1":') ? (number() - q0) / 1000 : Number.NaN
  }

  function timeBehind(from: number): number {
    const place = text.indexOf('"time":', from) + '"time":'.length
    // Without a comma the number may continue beyond this prefix.
    const comma = text.indexOf(',', place)
    return place < from || comma < 0 ? Number.NaN : Number.parseFloat(text.slice(place, comma))
  }

  function slow(bytes: Buffer, start: number, end: number): HeadReading {
    const read = readRecordedLine(
      bytes
        .toString('utf8', start, end)
        .replace(/^\uFEFF/, '')
        .trim(),
    )
    if (!read.ok) return { kind: 'wrong', message: read.error }
    const line = read.value
    if (line.kind !== 'exchange' && line.kind !== 'open') return { kind: 'other', line }
    fillLineHead(head, line.line)
    return exchange
  }

  return (bytes: Buffer, start: number, end: number): HeadReading => {
    for (const length of lengths) {
      const stop = Math.min(end, start + length)
      text = bytes.toString('latin1', start, stop)
      if (!text.startsWith(prefix)) break
      const kind = text.charCodeAt(prefix.length)
      // Neither http nor open: rare.
      if (kind !== 104 && kind !== 111) break
      if (quick(bytes, start, end)) return exchange
      if (stop === end) break
    }
    return bytes.subarray(start, end).every((byte) => byte <= 32) ? empty : slow(bytes, start, end)
  }
}
