/** Reply writer over a socket: headers, pieces of a body, and breaking off in the middle. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ReplyWriter } from './send-distorted.ts'
import { addTrailers, type OutgoingReply, trailerHeaders } from './messages.ts'

/** Resets the connection; a TLS socket cannot be reset and is destroyed instead. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Sets Content-Length, unless the reply is chunked or a 204. Trailers follow when the reply ends. */
function writeHead(
  response: ServerResponse,
  { status, headers, trailers }: OutgoingReply,
  length: number,
): void {
  if (trailers) {
    response.writeHead(status, { ...headers, ...trailerHeaders(trailers) })
    addTrailers(response, trailers)
    return
  }
  const hasNoLength = status === 204 || headers['transfer-encoding'] !== undefined
  response.writeHead(status, hasNoLength ? headers : { ...headers, 'content-length': length })
}

export function createSocketReplyWriter(response: ServerResponse): ReplyWriter {
  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort())
  return {
    clientGone: clientGone.signal,
    sendWhole(reply) {
      writeHead(response, reply, Buffer.byteLength(reply.body ?? ''))
      response.end(reply.body)
    },
    writeHead(reply, length) {
      writeHead(response, reply, length)
      response.flushHeaders()
    },
    writePiece: (bytes) =>
      new Promise((resolve) => {
        // Also called when the client has disconnected: then `clientGone` is aborted and the sending ends.
        response.write(bytes, () => resolve())
      }),
    end: () => void response.end(),
    abort() {
      const { socket } = response
      if (!socket || socket.destroyed) return
      // Bytes already written have to arrive before the end: a reset would overtake them.
      if (response.headersSent) socket.destroySoon()
      else reset(socket)
    },
  }
}
