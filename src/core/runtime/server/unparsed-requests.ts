/**
 * Answers what cannot be parsed as a request, cannot be waited for, or asks for a tunnel: node would answer without a
 * body, or not at all.
 */
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '../../protocol/errors.ts'
import type { UnparsedRequest } from '../../rules/diagnosis/requests/unparsed-request.ts'
import type { OutgoingReply } from './messages.ts'

/** Timeout for receiving a whole request. */
export const requestTimeoutMs = 30_000

/** Why a request is refused before it is read. */
export interface RequestFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly status: number
}

/** Failures of the parser, by the code of its error. */
const failures: Readonly<Record<string, Omit<RequestFailure, 'code'>>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'the headers are over 16 KB, or the path is' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'the chunk extensions are over 16 KB' },
  HPE_INVALID_VERSION: { status: 505, message: 'the request is no HTTP/1.1 or HTTP/1.0' },
  HPE_PAUSED_H2_UPGRADE: { status: 505, message: 'the request is HTTP/2; send HTTP/1.1' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    message: `the request did not come whole within ${requestTimeoutMs / 1000} s`,
  },
}

const malformed = { status: 400, message: 'the request is no HTTP/1.1' }
const tunnel = {
  code: 'METHOD_NOT_ALLOWED',
  status: 405,
  message: 'CONNECT asks for a tunnel, and this is no proxy',
} as const

function closeWith(socket: Duplex, { status, headers, body = '' }: OutgoingReply): void {
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** A connection on which no request came that could be parsed. */
export type UnparsedConnection = Omit<UnparsedRequest, 'url'>

export interface UnparsedRequestOptions {
  /** The reply to a failure. */
  readonly replyTo: (failure: RequestFailure) => OutgoingReply
  /** Called with each; there is no reply to a handshake that failed. */
  readonly onUnparsed?: (unparsed: UnparsedConnection, reply?: OutgoingReply) => void
}

/** The first byte of a TLS record that holds a handshake. */
const handshakeByte = 0x16

const isHandshake = (packet: unknown): boolean =>
  packet instanceof Uint8Array && packet[0] === handshakeByte

/** An error of the parser, with what it could not parse. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown
}

/** Answers the failures of a server's connections. */
export function answerUnparsedRequests(
  server: Server,
  { replyTo, onUnparsed }: UnparsedRequestOptions,
): void {
  /** The last response of each connection. */
  const responses = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => void responses.set(socket, response))
  server.on('clientError', (error: ParserError, socket) => {
    const code = error.code ?? ''
    // A handshake that failed, or a client that refused our certificate when our part of it was over.
    if (code.startsWith('ERR_SSL_')) {
      socket.destroy()
      onUnparsed?.({ code, message: error.message, isHandshake: true })
      return
    }
    const last = responses.get(socket)
    // A second answer would be read as a part of the first one.
    const isAnswering = last?.headersSent === true && !last.writableFinished
    if (!socket.writable || isAnswering) {
      socket.destroy()
      return
    }
    const failure = failures[code] ?? malformed
    const reply = replyTo({ code: 'INVALID_PAYLOAD', ...failure })
    closeWith(socket, reply)
    const { message } = failure
    onUnparsed?.({ code, message, isHandshake: isHandshake(error.rawPacket) }, reply)
  })
  server.on('connect', (_request, socket: Duplex) => closeWith(socket, replyTo(tunnel)))
}
