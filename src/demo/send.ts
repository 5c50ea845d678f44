/** One HTTP request with a timeout; no retries. */
import { type Clock, withTimeout } from './clock.ts'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Timeout in ms, when it is not the default. */
  readonly timeoutMs?: number
  /** Called with a reply that arrives after the timeout. */
  readonly tooLate?: (answer: Answer) => void
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is JSON. */
  readonly json: unknown
}

/** `undefined`: network failure or timeout; whether the request took effect is unknown. */
export type Send = (sending: OutgoingRequest) => Promise<Answer | undefined>

export type Fetch = (request: Request) => Promise<Response>

export function parseJson(text: string): unknown {
  // Most answers have no body: an exception for each takes longer than the rest of the call.
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface SendParts {
  readonly fetch: Fetch
  readonly clock: Clock
  readonly timeoutMs: number
  /** Aborted at shutdown: pending requests end. */
  readonly enough: AbortSignal
}

export function createSend({ fetch, clock, timeoutMs: defaultTimeoutMs, enough }: SendParts): Send {
  /** An abort reaches a pending request only as long as something refers to it: a collected one would hang for ever. */
  const pendingRequests = new Set<Request>()

  async function exchange(
    { method, url, headers, body }: OutgoingRequest,
    signal: AbortSignal,
  ): Promise<Answer> {
    const init = { method, signal, redirect: 'manual' as const, ...(headers && { headers }) }
    const request = new Request(url, body === undefined ? init : { ...init, body })
    pendingRequests.add(request)
    try {
      const response = await fetch(request)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: parseJson(text) }
    } finally {
      pendingRequests.delete(request)
    }
  }

  return async (sending) => {
    const stop = new AbortController()
    const pending = exchange(sending, stop.signal)
    try {
      const answer = await withTimeout(
        pending,
        sending.timeoutMs ?? defaultTimeoutMs,
        clock,
        enough,
      )
      if (answer !== 'late') return answer
    } catch {
      return undefined
    }
    if (sending.tooLate) pending.then(sending.tooLate, () => undefined)
    else {
      pending.catch(() => undefined)
      stop.abort()
    }
    return undefined
  }
}
