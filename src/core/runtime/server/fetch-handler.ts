/** A host as a fetch-style handler: for in-process subjects and for the msw handlers. */
import { createFetchReplyWriter, fetchResponseOf } from './fetch-reply-writer.ts'
import { maxBodyBytes } from './limits.ts'
import { createRequestAnswerer, type RequestAnswererOptions } from './request-answerer.ts'
import { sendDistorted, type SendOutcome } from './send-distorted.ts'

export function createFetchHandler(
  options: RequestAnswererOptions,
): (request: Request) => Promise<Response> {
  const answer = createRequestAnswerer(options)
  return async (request) => {
    // As fetch does: a request that is already aborted is never sent.
    request.signal.throwIfAborted()
    const { method, url } = request
    // As the server reads it: text() would drop a byte order mark, and a signature covers every byte. A body that
    // breaks off is the caller's own failure: no exchange is logged.
    const bytes = Buffer.from(await request.arrayBuffer())
    const isTooLarge = bytes.length > maxBodyBytes
    const body = isTooLarge ? '' : bytes.toString('utf8')
    const answered = answer({
      request: { method, url, headers: [...request.headers], ...(body === '' ? {} : { body }) },
      header: (name) => request.headers.get(name) ?? undefined,
      isTooLarge,
    })
    // No turn is lost where nothing is waited for: in virtual time the order of turns decides what comes first.
    const { served, log } = answered instanceof Promise ? await answered : answered
    if (served.distortion) {
      const writer = createFetchReplyWriter(request)
      const onSent = (outcome: SendOutcome): void => void log(outcome)
      sendDistorted(served.reply, served.distortion, writer, onSent).catch(options.onBug)
      return writer.response
    }
    log()
    return fetchResponseOf(served.reply)
  }
}
