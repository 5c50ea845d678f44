/** The line to a client over a socket: headers, pieces of a body, and the ways to break off in the middle. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Line } from './send-distorted.ts'
import type { Outgoing } from './messages.ts'

/** A connection under encryption has no reset of its own: it just ends. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

/** The length is said, unless the answer says that it comes in chunks. */
function head(response: ServerResponse, { status, headers }: Outgoing, length: number): void {
  const sized = status === 204 || headers['transfer-encoding'] !== undefined
  response.writeHead(status, sized ? headers : { ...headers, 'content-length': length })
}

export function socketLine(response: ServerResponse): Line {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return {
    gone: gone.signal,
    whole(reply) {
      head(response, reply, Buffer.byteLength(reply.body ?? ''))
      response.end(reply.body)
    },
    begin(reply, length) {
      head(response, reply, length)
      response.flushHeaders()
    },
    piece: (bytes) =>
      new Promise((resolve) => {
        // It is told as well when the client is no longer there: then the line is gone, and nobody waits for more.
        response.write(bytes, () => resolve())
      }),
    end: () => void response.end(),
    breakOff() {
      const { socket } = response
      if (!socket || socket.destroyed) return
      // What was begun has to arrive before the end does: a reset would overtake it.
      if (response.headersSent) socket.destroySoon()
      else reset(socket)
    },
  }
}
