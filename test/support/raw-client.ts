/**
 * A raw HTTP client: writes a request to a socket and reports every received byte and how the connection ended, without
 * the repairs that HTTP libraries make.
 */
import { connect } from 'node:net'

export interface RawAnswer {
  /** All received bytes. */
  readonly bytes: string
  /** 0 when nothing was received. */
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The decoded body. */
  readonly text: string
  /** Complete on an open connection, or broken off by FIN or by RST. */
  readonly end: 'whole' | 'closed' | 'reset'
}

export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RawClient {
  readonly ask: (request: RawRequest) => Promise<RawAnswer>
  /** The part of the pending reply received so far. */
  readonly heard: () => string
  /** Whether the connection is still open. */
  readonly open: () => boolean
  /** Closes the connection. */
  readonly leave: () => void
}

interface Parts {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly whole: boolean
}

/** The joined chunks; undefined until the last one has arrived. */
function unchunked(text: string): string | undefined {
  let body = ''
  for (let at = 0; ;) {
    const line = text.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(text.slice(at, line), 16)
    if (size === 0) return text.endsWith('\r\n\r\n') ? body : undefined
    body += text.slice(line + 2, line + 2 + size)
    at = line + 2 + size + 2
    if (at > text.length) return undefined
  }
}

function read(bytes: string): Parts {
  const split = bytes.indexOf('\r\n\r\n')
  if (split === -1) return { status: 0, headers: {}, body: '', whole: false }
  const [first = '', ...lines] = bytes.slice(0, split).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const status = Number(first.split(' ')[1])
  const rest = bytes.slice(split + 4)
  if (headers['transfer-encoding'] === 'chunked') {
    const body = unchunked(rest)
    return { status, headers, body: body ?? rest, whole: body !== undefined }
  }
  const length = status === 204 ? 0 : Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return { status, headers, body: rest, whole: rest.length >= length }
}

export function openRawClient(base: string): RawClient {
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let heard = ''
  let over: ((end: RawAnswer['end']) => void) | undefined
  let ended = false
  // latin1: one character per byte.
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    heard += text
    if (read(heard).whole) over?.('whole')
  })
  socket.on('error', () => undefined)
  socket.on('close', (failed) => {
    ended = true
    over?.(failed ? 'reset' : 'closed')
  })

  return {
    ask: ({ method = 'GET', path, headers = {}, body = '' }) =>
      new Promise((resolve) => {
        heard = ''
        over = (end) => {
          over = undefined
          const { whole: _whole, ...parts } = read(heard)
          const text = Buffer.from(parts.body, 'latin1').toString('utf8')
          resolve({ bytes: heard, ...parts, text, end })
        }
        const all = {
          host: `${hostname}:${port}`,
          'content-length': Buffer.byteLength(body),
          ...headers,
        }
        const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
        socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
      }),
    heard: () => heard,
    open: () => !ended,
    leave: () => socket.destroy(),
  }
}
