/**
 * A minimal HTTP client on node:net: one request in flight per keep-alive connection. The client of node:http costs
 * more CPU than the measured servers; it would leave them idle, and an idle server looks expensive per request.
 */
import { connect, type Socket } from 'node:net'
import type { LoadRequest, LoadTarget } from './jobs.ts'

export interface RawReply {
  readonly status: number
  readonly body: string
}

export interface RawConnection {
  readonly call: (shot: LoadRequest) => Promise<RawReply>
  readonly close: () => void
}

/** Timeout of a request in milliseconds. */
const timeoutMs = 10_000

const headerLines = ({ port, token }: LoadTarget): string =>
  `HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nuser-agent: sparring-bench\r\naccept: application/json\r\n` +
  `authorization: Bearer ${token}\r\nconnection: keep-alive\r\n`

/** Parses a reply; undefined while it is incomplete. */
function parseReply(bytes: Buffer): RawReply | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const headers = bytes.toString('latin1', 0, end).toLowerCase()
  const status = Number(headers.slice(9, 12))
  const start = end + 4
  const lengthHeader = headers.indexOf('\r\ncontent-length:')
  if (lengthHeader !== -1) {
    const length = Number.parseInt(headers.slice(lengthHeader + 17), 10)
    return bytes.length < start + length
      ? undefined
      : { status, body: bytes.toString('utf8', start, start + length) }
  }
  if (!headers.includes('\r\ntransfer-encoding: chunked')) return { status, body: '' }
  const whole = bytes.toString('latin1', bytes.length - 5) === '0\r\n\r\n'
  return whole ? { status, body: bytes.toString('utf8', start) } : undefined
}

export function createRawConnection(target: LoadTarget): RawConnection {
  const common = headerLines(target)
  let socket: Socket | undefined
  let pending: Buffer | undefined
  let waiting: { resolve: (reply: RawReply) => void; reject: (error: Error) => void } | undefined
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

  function onData(chunk: Buffer): void {
    const bytes = pending ? Buffer.concat([pending, chunk]) : chunk
    const reply = parseReply(bytes)
    pending = reply ? undefined : bytes
    if (!reply) return
    const caller = waiting
    waiting = undefined
    caller?.resolve(reply)
  }

  function open(): Socket {
    const opened = connect(target.port, '127.0.0.1')
    opened.setNoDelay(true)
    opened.on('data', onData)
    opened.on('error', fail)
    opened.on('close', () => {
      if (opened === socket) fail(new Error('the server closed the connection'))
    })
    return opened
  }

  return {
    call: ({ method, path, body, requestId }) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket ??= open()
        // One timer per connection, refreshed by each request: a timer per request would cost more than the request.
        if (timer) timer.refresh()
        else
          timer = setTimeout(() => {
            if (waiting) fail(new Error(`no reply to ${method} ${path}`))
          }, timeoutMs).unref()
        const bodyPart =
          body === undefined
            ? method === 'GET'
              ? '\r\n'
              : 'content-length: 0\r\n\r\n'
            : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
        const requestIdHeader = requestId === undefined ? '' : `x-request-id: ${requestId}\r\n`
        socket.write(`${method} ${path} ${common}${requestIdHeader}${bodyPart}`)
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

let pool: { readonly port: number; readonly lines: RawConnection[] } | undefined

/** Connections stay open between jobs on the same server: opening them is not measured. */
function pooledConnections(target: LoadTarget, count: number): readonly RawConnection[] {
  if (pool?.port !== target.port) {
    for (const line of pool?.lines ?? []) line.close()
    pool = { port: target.port, lines: [] }
  }
  const { lines } = pool
  while (lines.length < count) lines.push(createRawConnection(target))
  return lines.slice(0, count)
}

/** Runs `each` concurrently on a number of connections until all are done. */
export const withConnections = async <Got>(
  target: LoadTarget,
  connections: number,
  each: (line: RawConnection) => Promise<Got>,
): Promise<readonly Got[]> => Promise.all(pooledConnections(target, connections).map(each))
