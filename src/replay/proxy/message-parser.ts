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

export function createMessageParser(handler: MessageHandler) {
  let state: State = 'head'
  let chunk: Buffer = noBytes
  /** Place in the chunk; bytes before `passed` have been handed on. */
  let at = 0
  let passed = 0
  /** Bytes left of a body with a length, or of a chunk. */
  let left = 0
  /** The beginning of a line that goes on in the next chunk of bytes. */
  let line = ''
  let lines: string[] = []
  /** Length of `lines`, with their ends; of a head also their text. */
  let length = 0
  let text = ''
  let held: Buffer[] | undefined

  /** The next line with its end; undefined when it goes on in the next chunk of bytes. */
  function takeLine(): string | undefined {
    const found = chunk.indexOf(lineFeed, at)
    const next = found < 0 ? chunk.length : found + 1
    line += chunk.toString('latin1', at, next)
    at = next
    if (length + line.length > maxHeadBytes) {
      giveUp(`a line or a head of it is longer than ${maxHeadBytes / 1024} KiB`)
      return undefined
    }
    if (found < 0) return undefined
    const whole = line
    line = ''
    return whole
  }

  function passOn(): void {
    if (at > passed) handler.pass(chunk.subarray(passed, at))
    passed = at
  }

  function giveUp(reason: string): void {
    passHeadSoFar()
    state = 'tunnel'
    handler.unreadable(reason)
  }

  /** The bytes of an incomplete head were kept back. */
  function passHeadSoFar(): void {
    if (state !== 'head' || !isInHead()) return
    handler.pass(Buffer.from(text + line, 'latin1'))
    passed = at
    text = ''
    line = ''
  }

  const isInHead = (): boolean => state === 'head' && (text !== '' || line !== '')

  function beginLines(next: 'head' | 'trailers'): void {
    state = next
    lines = []
    length = 0
    text = ''
  }

  function endMessage(trailers: HeaderPairs): void {
    passOn()
    beginLines('head')
    handler.end(trailers)
  }

  function beginBody(framing: Framing): void {
    if (framing === 0) endMessage([])
    else if (framing === 'chunked') state = 'size'
    else if (typeof framing === 'string') state = framing
    else {
      left = framing
      state = 'content'
    }
  }

  /** Content up to the end of the body or of a chunk. */
  function takeContent(): void {
    const to = Math.min(chunk.length, at + left)
    left -= to - at
    handler.content(chunk.subarray(at, to))
    at = to
  }

  const steps: Readonly<Record<State, () => void>> = {
    head() {
      const next = takeLine()
      if (state !== 'head') return
      passed = at
      if (next === undefined) return
      // Empty lines before a message are ignored (RFC 9112, 2.2).
      if (text === '' && bare(next) === '') {
        handler.pass(Buffer.from(next, 'latin1'))
        return
      }
      text += next
      length += next.length
      if (bare(next) !== '') {
        lines.push(bare(next))
        // A client that waits for something else would wait for the end of the head, too.
        if (lines.length === 1 && !handler.isStartLine(bare(next))) giveUp('it is no HTTP/1.x')
        return
      }
      const [startLine = '', ...fields] = lines
      const head = { text, startLine, headers: parseFields(fields) }
      beginLines('head')
      beginBody(handler.head(head))
    },
    content() {
      takeContent()
      if (left === 0) endMessage([])
    },
    size() {
      const next = takeLine()
      if (next === undefined) return
      const size = /^([\da-f]{1,13})[ \t]*(?:;.*)?$/i.exec(bare(next))?.[1]
      if (size === undefined) {
        giveUp('a chunk of its body has no size')
        return
      }
      left = Number.parseInt(size, 16)
      if (left === 0) beginLines('trailers')
      else state = 'chunk'
    },
    chunk() {
      takeContent()
      if (left === 0) state = 'chunk-end'
    },
    'chunk-end'() {
      const next = takeLine()
      if (next === undefined) return
      if (bare(next) === '') state = 'size'
      else giveUp('a chunk of its body is longer than it says')
    },
    trailers() {
      const next = takeLine()
      if (next === undefined) return
      length += next.length
      if (bare(next) === '') endMessage(parseFields(lines))
      else lines.push(bare(next))
    },
    close() {
      handler.content(chunk.subarray(at))
      at = chunk.length
    },
    tunnel() {
      at = chunk.length
    },
  }

  function feed(bytes: Buffer): void {
    if (!held) parse(bytes)
    else held.push(bytes)
  }

  function parse(bytes: Buffer): void {
    chunk = bytes
    at = 0
    passed = 0
    while (at < chunk.length && !held) steps[state]()
    passOn()
    if (at < bytes.length) held?.push(bytes.subarray(at))
    chunk = noBytes
    at = 0
    passed = 0
  }

  return {
    feed,
    /** Stops at the end of the current message, until `release`. */
    hold: () => void (held ??= []),
    release(as: 'message' | 'tunnel') {
      if (as === 'tunnel') {
        passHeadSoFar()
        state = 'tunnel'
      }
      const waiting = held ?? []
      held = undefined
      for (const bytes of waiting) feed(bytes)
    },
    /** The connection has ended: bytes of an incomplete head go to `pass`. */
    finish() {
      passHeadSoFar()
      if (state === 'close') endMessage([])
    },
    /** Some bytes of a head have been read. */
    isInHead,
    /** Bytes that wait for `release`. */
    heldBytes: () => held?.reduce((sum, { length: size }) => sum + size, 0) ?? 0,
  }
}
