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
export class LineHeadReader {
  readonly #head: LineHead
  #text = ''
  #at = 0
  /** Cached next match: a block without one is not searched again for each of its lines. */
  readonly #found = { bytes: Buffer.alloc(0) as Buffer, at: -1, from: 0 }

  constructor(head: LineHead) {
    this.#head = head
  }

  read(bytes: Buffer, start: number, end: number): HeadReading {
    for (const length of lengths) {
      const stop = Math.min(end, start + length)
      this.#text = bytes.toString('latin1', start, stop)
      if (!this.#text.startsWith(prefix)) break
      const kind = this.#text.charCodeAt(prefix.length)
      // Neither http nor open: rare.
      if (kind !== 104 && kind !== 111) break
      if (this.#quick(bytes, start, end)) return exchange
      if (stop === end) break
    }
    return bytes.subarray(start, end).every((byte) => byte <= 32)
      ? empty
      : this.#slow(bytes, start, end)
  }

  #eat(literal: string): boolean {
    if (!this.#text.startsWith(literal, this.#at)) return false
    this.#at += literal.length
    return true
  }

  /** Reads an integer; NaN when there is none. */
  #number(): number {
    let value = 0
    const isNegative = this.#text.charCodeAt(this.#at) === 45
    if (isNegative) this.#at++
    const from = this.#at
    for (;;) {
      const digit = this.#text.charCodeAt(this.#at) - 48
      if (!(digit >= 0 && digit <= 9)) break
      value = value * 10 + digit
      this.#at++
    }
    return this.#at === from ? Number.NaN : isNegative ? -value : value
  }

  #responseAt(bytes: Buffer, from: number, end: number): number {
    const found = this.#found
    if (found.bytes !== bytes || found.at < from || from < found.from) {
      const next = bytes.indexOf(responseNeedle, from)
      found.bytes = bytes
      found.from = from
      found.at = next < 0 ? Number.MAX_SAFE_INTEGER : next
    }
    return found.at < end ? found.at + responseNeedle.length : -1
  }

  #statusAt(bytes: Buffer, from: number, end: number): number {
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
  #quick(bytes: Buffer, start: number, end: number): boolean {
    const head = this.#head
    this.#at = prefix.length
    const isOpen = this.#eat('open"')
    if (!isOpen && !this.#eat('http"')) return false
    if (!this.#eat(',"id":"')) return false
    this.#at = this.#text.indexOf('"', this.#at) + 1
    if (this.#at === 0 || !this.#eat(',"seq":')) return false
    head.seq = this.#number()
    if (!this.#eat(',"t":{"q0":')) return false
    head.began = this.#number()
    if (!this.#eat(',"q1":') || Number.isNaN(this.#number()) || !this.#eat(',"p0":')) return false
    if (!this.#eat('null') && Number.isNaN(this.#number())) return false
    if (!this.#eat(',"p1":')) return false
    const replied = this.#number()
    if (Number.isNaN(replied) && !this.#eat('null')) return false
    if (!this.#eat('},"lt":') || Number.isNaN(this.#number()) || !this.#eat(',"dir":"'))
      return false
    const from = this.#at - '"dir":"'.length
    this.#at = this.#text.indexOf(',"route":', this.#at)
    if (this.#at < 0) return false
    head.place = this.#text.slice(from, this.#at)
    this.#at = this.#text.indexOf(',"corr":{', this.#at)
    if (this.#at < 0) return false
    this.#at += ',"corr":{'.length
    head.order = ''
    if (this.#eat('"order":"')) {
      const close = this.#text.indexOf('"', this.#at)
      // An escaped quote in an id is rare: take the slow path.
      if (close < 0 || this.#text.charCodeAt(close - 1) === 92) return false
      head.order = this.#text.slice(this.#at, close)
      this.#at = close
    }
    const after = this.#text.indexOf('},"startedDateTime":"', this.#at)
    if (after < 0) return false
    head.flags = (isOpen ? lineFlag.open | lineFlag.failed : 0) | this.#flagsIn(this.#at, after)
    const tookOnWall = this.#wallDurationBetween(this.#at, after)
    if (tookOnWall !== undefined) head.tookMs = tookOnWall
    else
      head.tookMs = Number.isNaN(replied) ? this.#timeBehind(after) : (replied - head.began) / 1000
    const response = this.#responseAt(bytes, start + after, end)
    if (response < 0) return false
    head.status = this.#statusAt(bytes, response, end)
    return head.status >= 0 && !Number.isNaN(head.seq) && !Number.isNaN(head.tookMs)
  }

  #flagsIn(from: number, to: number): number {
    // Most lines have no further members.
    if (to - from < 12) return 0
    const between = this.#text.slice(from, to)
    return (
      (between.includes('"err":{') ? lineFlag.failed : 0) |
      (between.includes('"fault":"') ? lineFlag.fault : 0) |
      (between.includes('"blob":"') ? lineFlag.blob : 0) |
      (between.includes('"rep":{') ? lineFlag.repeated : 0)
    )
  }

  /** The duration in `"wall":{"q0":1,"p1":2}`, in milliseconds; undefined where there is none. */
  #wallDurationBetween(from: number, to: number): number | undefined {
    const place = this.#text.indexOf(wallNeedle, from)
    if (place < 0 || place >= to) return undefined
    this.#at = place + wallNeedle.length
    const q0 = this.#number()
    return this.#eat(',"p1":') ? (this.#number() - q0) / 1000 : Number.NaN
  }

  #timeBehind(from: number): number {
    const place = this.#text.indexOf('"time":', from) + '"time":'.length
    // Without a comma the number may continue beyond this prefix.
    const comma = this.#text.indexOf(',', place)
    return place < from || comma < 0
      ? Number.NaN
      : Number.parseFloat(this.#text.slice(place, comma))
  }

  #slow(bytes: Buffer, start: number, end: number): HeadReading {
    const read = readRecordedLine(
      bytes
        .toString('utf8', start, end)
        .replace(/^\uFEFF/, '')
        .trim(),
    )
    if (!read.ok) return { kind: 'wrong', message: read.error }
    const line = read.value
    if (line.kind !== 'exchange' && line.kind !== 'open') return { kind: 'other', line }
    fillLineHead(this.#head, line.line)
    return exchange
  }
}
