/**
 * Incremental parser of one direction of an HTTP/1.x connection (RFC 9112): splits its bytes into heads, content and
 * framing. Every byte comes out once, in order and unchanged; a proxy decides what to do with heads and passes the rest.
 */
import type { HeaderPairs } from '../../core/traffic/exchange.ts'

/** Start lines and body lengths of HTTP/1.x messages (RFC 9112, sections 3, 4 and 6). */
export interface RequestLine {
  readonly method: string
  readonly target: string
  /** `1.1` */
  readonly version: string
}

export interface StatusLine {
  readonly status: number
  readonly version: string
}

/** The target is all between the first and the last blank: some clients do not encode it. */
export function parseRequestLine(line: string): RequestLine | undefined {
  const first = line.indexOf(' ')
  const last = line.lastIndexOf(' ')
  const target = line.slice(first + 1, last).trim()
  const version = /^HTTP\/(\d\.\d)$/.exec(line.slice(last + 1))?.[1]
  if (first < 1 || target === '' || version === undefined) return undefined
  return { method: line.slice(0, first), target, version }
}

export function parseStatusLine(line: string): StatusLine | undefined {
  const [, version, status] = /^HTTP\/(1\.\d) (\d{3})(?: .*)?$/.exec(line) ?? []
  return version === undefined ? undefined : { version, status: Number(status) }
}

/** Members of a header that is a comma-separated list, over all its lines, in lower case. */
export const listedValues = (headers: HeaderPairs, name: string): readonly string[] =>
  headers
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((each) => each.trim())

/** Undefined when the length is unknown: what follows is no message. */
export function requestFraming(headers: HeaderPairs): Framing | undefined {
  const codings = listedValues(headers, 'transfer-encoding')
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? 'chunked' : undefined
  return contentLength(headers, 0)
}

export function responseFraming(
  { status }: Pick<StatusLine, 'status'>,
  headers: HeaderPairs,
  method: string,
): Framing | undefined {
  if (method === 'HEAD' || status === 204 || status === 304 || (status >= 100 && status < 200))
    return 0
  const codings = listedValues(headers, 'transfer-encoding')
  if (codings.length > 0) return codings.at(-1) === 'chunked' ? 'chunked' : 'close'
  return contentLength(headers, 'close')
}

function contentLength(headers: HeaderPairs, otherwise: Framing): Framing | undefined {
  const [length, ...more] = new Set(listedValues(headers, 'content-length'))
  if (length === undefined) return otherwise
  return more.length === 0 && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

export interface MessageHead {
  /** As on the wire, decoded as latin1, with the empty line that ends it. */
  readonly text: string
  readonly startLine: string
  readonly headers: HeaderPairs
}

/**
 * How the end of a body is recognised: after so many bytes, by its chunks, or by the end of the connection. After
 * `tunnel` come bytes that are no HTTP messages.
 */
export type Framing = number | 'chunked' | 'close' | 'tunnel'

export interface MessageHandler {
  /** Whether a message may begin so. */
  readonly isStartLine: (line: string) => boolean
  /** A complete head: its bytes do not go to `pass`. */
  readonly head: (head: MessageHead) => Framing
  /** Bytes of a body, without their framing. */
  readonly content: (bytes: Buffer) => void
  /** All bytes but those of heads, as on the wire. */
  readonly pass: (bytes: Buffer) => void
  readonly end: (trailers: HeaderPairs) => void
  /** The bytes are no HTTP/1.x: from here on they only go to `pass`. */
  readonly unreadable: (reason: string) => void
}

type State = 'head' | 'content' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'close' | 'tunnel'

/** Maximum length of a head, a line of framing, or the trailers, in bytes. */
const maxHeadBytes = 256 * 1024
const lineFeed = 10
const noBytes = Buffer.alloc(0)

/** Fields by line; a line that begins with a blank continues the one before (RFC 9112, 5.2). */
function parseFields(lines: readonly string[]): HeaderPairs {
  const fields: [string, string][] = []
  for (const line of lines) {
    const last = fields.at(-1)
    const cut = line.indexOf(':')
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]} ${line.trim()}`.trim()
    else if (cut < 0) fields.push([line, ''])
    else fields.push([line.slice(0, cut), line.slice(cut + 1).trim()])
  }
  return fields
}

const bare = (line: string): string => line.replace(/\r?\n$/, '')

export class MessageParser {
  readonly #handler: MessageHandler
  #state: State = 'head'
  #chunk: Buffer = noBytes
  /** Place in the chunk; bytes before `passed` have been handed on. */
  #at = 0
  #passed = 0
  /** Bytes left of a body with a length, or of a chunk. */
  #left = 0
  /** The beginning of a line that goes on in the next chunk of bytes. */
  #line = ''
  #lines: string[] = []
  /** Length of `lines`, with their ends; of a head also their text. */
  #length = 0
  #text = ''
  #held: Buffer[] | undefined
  readonly #steps: Readonly<Record<State, () => void>> = {
    head: () => {
      const next = this.#takeLine()
      if (this.#state !== 'head') return
      this.#passed = this.#at
      if (next === undefined) return
      // Empty lines before a message are ignored (RFC 9112, 2.2).
      if (this.#text === '' && bare(next) === '') {
        this.#handler.pass(Buffer.from(next, 'latin1'))
        return
      }
      this.#text += next
      this.#length += next.length
      if (bare(next) !== '') {
        this.#lines.push(bare(next))
        // A client that waits for something else would wait for the end of the head, too.
        if (this.#lines.length === 1 && !this.#handler.isStartLine(bare(next)))
          this.#giveUp('it is no HTTP/1.x')
        return
      }
      const [startLine = '', ...fields] = this.#lines
      const head = { text: this.#text, startLine, headers: parseFields(fields) }
      this.#beginLines('head')
      this.#beginBody(this.#handler.head(head))
    },
    content: () => {
      this.#takeContent()
      if (this.#left === 0) this.#endMessage([])
    },
    size: () => {
      const next = this.#takeLine()
      if (next === undefined) return
      const size = /^([\da-f]{1,13})[ \t]*(?:;.*)?$/i.exec(bare(next))?.[1]
      if (size === undefined) {
        this.#giveUp('a chunk of its body has no size')
        return
      }
      this.#left = Number.parseInt(size, 16)
      if (this.#left === 0) this.#beginLines('trailers')
      else this.#state = 'chunk'
    },
    chunk: () => {
      this.#takeContent()
      if (this.#left === 0) this.#state = 'chunk-end'
    },
    'chunk-end': () => {
      const next = this.#takeLine()
      if (next === undefined) return
      if (bare(next) === '') this.#state = 'size'
      else this.#giveUp('a chunk of its body is longer than it says')
    },
    trailers: () => {
      const next = this.#takeLine()
      if (next === undefined) return
      this.#length += next.length
      if (bare(next) === '') this.#endMessage(parseFields(this.#lines))
      else this.#lines.push(bare(next))
    },
    close: () => {
      this.#handler.content(this.#chunk.subarray(this.#at))
      this.#at = this.#chunk.length
    },
    tunnel: () => {
      this.#at = this.#chunk.length
    },
  }

  constructor(handler: MessageHandler) {
    this.#handler = handler
  }

  feed(bytes: Buffer): void {
    if (!this.#held) this.#parse(bytes)
    else this.#held.push(bytes)
  }

  /** Stops at the end of the current message, until `release`. */
  hold(): void {
    this.#held ??= []
  }

  release(as: 'message' | 'tunnel'): void {
    if (as === 'tunnel') {
      this.#passHeadSoFar()
      this.#state = 'tunnel'
    }
    const waiting = this.#held ?? []
    this.#held = undefined
    for (const bytes of waiting) this.feed(bytes)
  }

  /** The connection has ended: bytes of an incomplete head go to `pass`. */
  finish(): void {
    this.#passHeadSoFar()
    if (this.#state === 'close') this.#endMessage([])
  }

  /** Some bytes of a head have been read. */
  isInHead(): boolean {
    return this.#state === 'head' && (this.#text !== '' || this.#line !== '')
  }

  /** Bytes that wait for `release`. */
  heldBytes(): number {
    return this.#held?.reduce((sum, { length: size }) => sum + size, 0) ?? 0
  }

  /** The next line with its end; undefined when it goes on in the next chunk of bytes. */
  #takeLine(): string | undefined {
    const found = this.#chunk.indexOf(lineFeed, this.#at)
    const next = found < 0 ? this.#chunk.length : found + 1
    this.#line += this.#chunk.toString('latin1', this.#at, next)
    this.#at = next
    if (this.#length + this.#line.length > maxHeadBytes) {
      this.#giveUp(`a line or a head of it is longer than ${maxHeadBytes / 1024} KiB`)
      return undefined
    }
    if (found < 0) return undefined
    const whole = this.#line
    this.#line = ''
    return whole
  }

  #passOn(): void {
    if (this.#at > this.#passed) this.#handler.pass(this.#chunk.subarray(this.#passed, this.#at))
    this.#passed = this.#at
  }

  #giveUp(reason: string): void {
    this.#passHeadSoFar()
    this.#state = 'tunnel'
    this.#handler.unreadable(reason)
  }

  /** The bytes of an incomplete head were kept back. */
  #passHeadSoFar(): void {
    if (this.#state !== 'head' || !this.isInHead()) return
    this.#handler.pass(Buffer.from(this.#text + this.#line, 'latin1'))
    this.#passed = this.#at
    this.#text = ''
    this.#line = ''
  }

  #beginLines(next: 'head' | 'trailers'): void {
    this.#state = next
    this.#lines = []
    this.#length = 0
    this.#text = ''
  }

  #endMessage(trailers: HeaderPairs): void {
    this.#passOn()
    this.#beginLines('head')
    this.#handler.end(trailers)
  }

  #beginBody(framing: Framing): void {
    if (framing === 0) this.#endMessage([])
    else if (framing === 'chunked') this.#state = 'size'
    else if (typeof framing === 'string') this.#state = framing
    else {
      this.#left = framing
      this.#state = 'content'
    }
  }

  /** Content up to the end of the body or of a chunk. */
  #takeContent(): void {
    const to = Math.min(this.#chunk.length, this.#at + this.#left)
    this.#left -= to - this.#at
    this.#handler.content(this.#chunk.subarray(this.#at, to))
    this.#at = to
  }

  #parse(bytes: Buffer): void {
    this.#chunk = bytes
    this.#at = 0
    this.#passed = 0
    while (this.#at < this.#chunk.length && !this.#held) this.#steps[this.#state]()
    this.#passOn()
    if (this.#at < bytes.length) this.#held?.push(bytes.subarray(this.#at))
    this.#chunk = noBytes
    this.#at = 0
    this.#passed = 0
  }
}
