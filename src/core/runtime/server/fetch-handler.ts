/** A host as a fetch-style handler: for in-process subjects and for the msw handlers. */
import { maxBodyBytes } from './limits.ts'
import { createRequestAnswerer, type RequestAnswererOptions } from './request-answerer.ts'
import { type ReplyWriter, sendDistorted, type SendOutcome } from './send-distorted.ts'
import {
  contentOf,
  fieldPairs,
  loggedContent,
  type OutgoingReply,
  type MessageContent,
  receivedContent,
} from './messages.ts'

// Reply writer for an in-process client: a fetch Response whose body may come in pieces, break off,
// or never begin.

/** The TypeError with which `fetch` rejects when the network fails, with its cause. */
function networkError(message: string, code: string, because: string): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(because), { code }) })
}

type Part = Uint8Array | 'end' | Error

/** A pull stream: parts sent before the body breaks off are read before the error. */
function createBodyStream(cancelled: () => void): {
  readonly stream: ReadableStream<Uint8Array>
  readonly put: (part: Part) => void
} {
  const parts: Part[] = []
  let resume: (() => void) | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (parts.length === 0) await new Promise<void>((resolve) => (resume = resolve))
        const part = parts.shift()
        if (part === 'end') controller.close()
        else if (part instanceof Error) controller.error(part)
        else if (part) controller.enqueue(part)
      },
      cancel: cancelled,
    },
    { highWaterMark: 0 },
  )
  return {
    stream,
    put(part) {
      parts.push(part)
      resume?.()
      resume = undefined
    },
  }
}

const fetchResponseOf = (reply: OutgoingReply): Response =>
  new Response(blobPartOf(contentOf(reply)), initOf(reply))

/** A copy: a Response takes no bytes of memory that may be shared. */
const blobPartOf = (
  content: string | Uint8Array | undefined,
): string | Uint8Array<ArrayBuffer> | null =>
  typeof content === 'object' ? new Uint8Array(content) : (content ?? null)

const initOf = ({ status, headers }: OutgoingReply): ResponseInit => ({
  status,
  headers: fieldPairs(headers).map(([name, value]): [string, string] => [name, value]),
})

interface FetchReplyWriter extends ReplyWriter {
  /** Resolves with the headers; rejects as `fetch` does when they never come. */
  readonly response: Promise<Response>
}

function createFetchReplyWriter({ signal }: Request): FetchReplyWriter {
  const gone = new AbortController()
  const body = createBodyStream(() => gone.abort())
  let begun = false
  const { promise, resolve, reject } = Promise.withResolvers<Response>()

  function onAbort(): void {
    // As in `fetch`, an abort takes effect at once, not at the next write.
    if (begun) body.put(asError(signal.reason))
    else reject(asError(signal.reason))
    gone.abort()
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const stopListening = (): void => signal.removeEventListener('abort', onAbort)

  return {
    response: promise,
    clientGone: gone.signal,
    async sendWhole(reply) {
      stopListening()
      resolve(fetchResponseOf(reply))
    },
    writeHead({ status, headers }, length) {
      begun = true
      const sized = { ...headers, 'content-length': String(length) }
      resolve(new Response(body.stream, initOf({ status, headers: sized })))
    },
    async writePiece(bytes) {
      body.put(new Uint8Array(bytes))
    },
    end() {
      stopListening()
      body.put('end')
    },
    abort() {
      stopListening()
      if (begun) body.put(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed'))
      else reject(networkError('fetch failed', 'ECONNRESET', 'read ECONNRESET'))
    },
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))

/** The request by which fetch follows a redirect; undefined for any other answer. */
function followingRequest(
  { method, url, headers, redirect, signal }: Request,
  { status, headers: fields }: OutgoingReply,
  bytes: Buffer,
): Request | undefined {
  const { location } = fields
  if (![301, 302, 307, 308].includes(status) || redirect !== 'follow') return undefined
  if (typeof location !== 'string') return undefined
  const isKept = status >= 307 || method !== 'POST'
  const body = isKept && bytes.length > 0 ? new Uint8Array(bytes) : null
  return new Request(new URL(location, url), {
    method: isKept ? method : 'GET',
    headers,
    body,
    signal,
  })
}

export function createFetchHandler(
  options: RequestAnswererOptions,
): (request: Request) => Promise<Response> {
  const answer = createRequestAnswerer(options)
  return async function handle(request: Request): Promise<Response> {
    // As fetch does: a request that is already aborted is never sent.
    request.signal.throwIfAborted()
    const { method, url } = request
    // As the server reads it: text() would drop a byte order mark, and a signature covers every byte. A body that
    // breaks off is the caller's own failure: no exchange is logged.
    const bytes = Buffer.from(await request.arrayBuffer())
    const isTooLarge = bytes.length > maxBodyBytes
    const content: MessageContent = isTooLarge || bytes.length === 0 ? {} : receivedContent(bytes)
    const answered = answer({
      request: { method, url, headers: [...request.headers], ...loggedContent(content) },
      header: (name) => request.headers.get(name) ?? undefined,
      isTooLarge,
    })
    // No turn is lost where nothing is waited for: in virtual time the order of turns decides what comes first.
    const { served, log } = answered instanceof Promise ? await answered : answered
    const following = followingRequest(request, served.reply, bytes)
    if (following) {
      log()
      return handle(following)
    }
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
