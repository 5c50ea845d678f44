/**
 * Lingering close (RFC 9112, 9.6): a client that still sends its request would lose the answer to a reset if the
 * connection were closed at once. So the rest of the request is read and discarded, up to a bound.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Maximum of bytes that are read and discarded after an answer. */
const maxDiscardedBytes = 64 * 1024 * 1024
/** Maximum time for it on the wall clock, and maximum time in which nothing comes. */
const maxLingerMs = 20_000
const maxIdleMs = 1000

/**
 * Sends the body of an answer whose head, with `Connection: close` and a Content-Length, is written; ends it, and so
 * closes the connection, when the request has come whole.
 */
export function sendBodyAndLinger(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): void {
  let left = maxDiscardedBytes
  const timer = setTimeout(end, maxLingerMs).unref()
  const idle = setTimeout(end, maxIdleMs).unref()
  function end(): void {
    clearTimeout(timer)
    clearTimeout(idle)
    response.end()
  }
  response.write(body)
  request.on('data', ({ length }: Buffer) => {
    left -= length
    idle.refresh()
    if (left < 0) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()
}
