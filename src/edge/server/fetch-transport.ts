/** The line to a client in this process: a response whose body may come in pieces, break off, or never begin. */
import type { Line } from './send-distorted.ts'
import type { Outgoing } from './messages.ts'

/** As `fetch` rejects when the network fails: what happened is its cause. */
function networkError(message: string, code: string, because: string): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(because), { code }) })
}

type Part = Uint8Array | 'end' | Error

/** A body that is pulled as it is read, so that what was sent before it breaks off is read before that is seen. */
function bodyOf(cancelled: () => void): {
  readonly stream: ReadableStream<Uint8Array>
  readonly put: (part: Part) => void
} {
  const parts: Part[] = []
  let wanted: (() => void) | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (parts.length === 0) await new Promise<void>((resolve) => (wanted = resolve))
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
      wanted?.()
      wanted = undefined
    },
  }
}

export const responseOf = ({ status, headers, body }: Outgoing): Response =>
  new Response(body ?? null, { status, headers })

export interface FetchLine extends Line {
  /** Resolves when the headers are there; rejects as `fetch` does when they never come. */
  readonly response: Promise<Response>
}

export function fetchLine({ signal }: Request): FetchLine {
  const gone = new AbortController()
  const body = bodyOf(() => gone.abort())
  let begun = false
  const { promise, resolve, reject } = Promise.withResolvers<Response>()

  function leave(): void {
    // Whoever gives up hears so at once, not when we find out.
    if (begun) body.put(asError(signal.reason))
    else reject(asError(signal.reason))
    gone.abort()
  }
  if (signal.aborted) leave()
  else signal.addEventListener('abort', leave, { once: true })
  const finish = (): void => signal.removeEventListener('abort', leave)

  return {
    response: promise,
    gone: gone.signal,
    whole(reply) {
      finish()
      resolve(responseOf(reply))
    },
    begin({ status, headers }, length) {
      begun = true
      const sized = { ...headers, 'content-length': String(length) }
      resolve(new Response(body.stream, { status, headers: sized }))
    },
    async piece(bytes) {
      body.put(new Uint8Array(bytes))
    },
    end() {
      finish()
      body.put('end')
    },
    breakOff() {
      finish()
      if (begun) body.put(networkError('terminated', 'UND_ERR_SOCKET', 'other side closed'))
      else reject(networkError('fetch failed', 'ECONNRESET', 'read ECONNRESET'))
    },
  }
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason))
