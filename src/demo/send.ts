/** One HTTP request and what came of it: an answer, or no answer in time. Nothing here tries again. */
import { type Clock, within } from './clock.ts'

export interface Sending {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** How long an answer is waited for, where that is not the usual time. */
  readonly timeoutMs?: number
  /** Hears of an answer that came when nobody waited for it any longer. */
  readonly tooLate?: (answer: Answer) => void
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, where it is JSON. */
  readonly json: unknown
}

/** `undefined`: the network failed, or the answer took too long. Whether it took effect nobody knows. */
export type Send = (sending: Sending) => Promise<Answer | undefined>

export type Fetch = (request: Request) => Promise<Response>

export function parsed(text: string): unknown {
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
  /** Aborted when nobody waits for any answer any more. */
  readonly enough: AbortSignal
}

export function createSend({ fetch, clock, timeoutMs: usual, enough }: SendParts): Send {
  async function exchange(
    { method, url, headers, body }: Sending,
    signal: AbortSignal,
  ): Promise<Answer> {
    const init = { method, signal, redirect: 'manual' as const, ...(headers && { headers }) }
    const response = await fetch(new Request(url, body === undefined ? init : { ...init, body }))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  return async (sending) => {
    const stop = new AbortController()
    const work = exchange(sending, stop.signal)
    try {
      const answer = await within(work, sending.timeoutMs ?? usual, clock, enough)
      if (answer !== 'late') return answer
    } catch {
      return undefined
    }
    if (sending.tooLate) work.then(sending.tooLate, () => undefined)
    else {
      work.catch(() => undefined)
      stop.abort()
    }
    return undefined
  }
}
