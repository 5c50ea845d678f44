/**
 * A lean HTTP client on node:net: one request under way on each of its connections, kept alive. node:http's own client
 * costs more than the servers that are measured; it would leave them idle, and an idle server looks dear.
 */
import { connect, type Socket } from 'node:net'
import type { Shot, Target } from './jobs.ts'

export interface WireReply {
  readonly status: number
  readonly body: string
}

export interface Line {
  readonly call: (shot: Shot) => Promise<WireReply>
  readonly close: () => void
}

/** A request that takes longer than this has been lost. */
const patienceMs = 10_000

const head = ({ port, token }: Target): string =>
  `HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: sparring-bench\r\naccept: application/json\r\n` +
  `authorization: Bearer ${token}\r\nconnection: keep-alive\r\n`

/** The reply in these bytes; undefined while it is not whole. */
function read(bytes: Buffer): WireReply | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const headers = bytes.toString('latin1', 0, end).toLowerCase()
  const status = Number(headers.slice(9, 12))
  const start = end + 4
  const mark = headers.indexOf('\r\ncontent-length:')
  if (mark !== -1) {
    const length = Number.parseInt(headers.slice(mark + 17), 10)
    return bytes.length < start + length
      ? undefined
      : { status, body: bytes.toString('utf8', start, start + length) }
  }
  if (!headers.includes('\r\ntransfer-encoding: chunked')) return { status, body: '' }
  const whole = bytes.toString('latin1', bytes.length - 5) === '0\r\n\r\n'
  return whole ? { status, body: bytes.toString('utf8', start) } : undefined
}

export function createLine(target: Target): Line {
  const common = head(target)
  let socket: Socket | undefined
  let pending: Buffer | undefined
  let waiting: { resolve: (reply: WireReply) => void; reject: (error: Error) => void } | undefined
  let timer: NodeJS.Timeout | undefined

  function fail(error: Error): void {
    socket?.destroy()
    socket = undefined
    pending = undefined
    clearTimeout(timer)
    timer = undefined
    const caller = waiting
    waiting = undefined
    caller?.reject(error)
  }

  function heard(chunk: Buffer): void {
    const bytes = pending ? Buffer.concat([pending, chunk]) : chunk
    const reply = read(bytes)
    pending = reply ? undefined : bytes
    if (!reply) return
    const caller = waiting
    waiting = undefined
    caller?.resolve(reply)
  }

  function open(): Socket {
    const fresh = connect(target.port, '127.0.0.1')
    fresh.setNoDelay(true)
    fresh.on('data', heard)
    fresh.on('error', fail)
    fresh.on('close', () => {
      if (fresh === socket) fail(new Error('the server closed the connection'))
    })
    return fresh
  }

  return {
    call: ({ method, path, body, requestId }) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket ??= open()
        // One timer for the line, put off by each request: a timer each would cost more than the request.
        if (timer) timer.refresh()
        else
          timer = setTimeout(() => {
            if (waiting) fail(new Error(`no reply to ${method} ${path}`))
          }, patienceMs).unref()
        const rest =
          body === undefined
            ? method === 'GET'
              ? '\r\n'
              : 'content-length: 0\r\n\r\n'
            : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
        const known = requestId === undefined ? '' : `x-request-id: ${requestId}\r\n`
        socket.write(`${method} ${path} ${common}${known}${rest}`)
      }),
    close: () => {
      clearTimeout(timer)
      waiting = undefined
      const closing = socket
      socket = undefined
      closing?.destroy()
    },
  }
}

let kept: { readonly port: number; readonly lines: Line[] } | undefined

/** Connections stay open from one job to the next on the same server: opening them is not what is measured. */
function linesTo(target: Target, count: number): readonly Line[] {
  if (kept?.port !== target.port) {
    for (const line of kept?.lines ?? []) line.close()
    kept = { port: target.port, lines: [] }
  }
  const { lines } = kept
  while (lines.length < count) lines.push(createLine(target))
  return lines.slice(0, count)
}

/** So many connections; `each` runs on all of them at once, until every one is done. */
export const withLines = async <Got>(
  target: Target,
  connections: number,
  each: (line: Line) => Promise<Got>,
): Promise<readonly Got[]> => Promise.all(linesTo(target, connections).map(each))
