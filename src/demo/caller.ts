/**
 * Calls to one host, each with a token and tried again as long as that makes sense: 5xx, time-outs and broken
 * connections by patience, 401 once with another token, Retry-After for whoever calls the same operation, and a refusal
 * not at all. Before each attempt, and after every wait, it asks whether the call is still wanted.
 */
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Wrong } from './defects.ts'
import type { Bell, Life } from './life.ts'
import type { Pace } from './pace.ts'
import { fail, forgive, freshPatience, type Patience } from './patience.ts'
import { createGates } from './retry-after.ts'
import type { Answer, Send, Sending } from './send.ts'
import type { Tokens } from './tokens.ts'

export interface Call {
  /** Its name in the protocol, which Retry-After holds for. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** X-Request-Id, the same for every attempt. */
  readonly requestId?: string
  /** 404 says that it is not there yet, not that it will never be. */
  readonly mayComeLater?: boolean
  readonly timeoutMs?: number
  readonly tooLate?: (answer: Answer) => void
}

export type Outcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** An error that another attempt would not change. */
  | { readonly kind: 'refused'; readonly answer: Answer }
  /** No answer, or one that says to try again; whether it took effect nobody knows. */
  | { readonly kind: 'failed'; readonly answer?: Answer }
  /** It is no longer wanted, or the host asked for a pause: nothing was sent. */
  | { readonly kind: 'unwanted' }

export interface Insistence {
  readonly patience?: Patience
  /** Whether there is still reason to make the call. */
  readonly wanted?: () => boolean
  /** What cuts a wait short, so that `wanted` is asked again. */
  readonly bell?: Bell
}

export interface Caller {
  /** Tries until it is answered, refused, no longer wanted, or out of patience. */
  readonly insist: (call: Call, insistence?: Insistence) => Promise<Outcome>
}

export interface CallerParts {
  readonly base: () => string
  readonly tokens: Tokens
  readonly send: Send
  readonly clock: Clock
  readonly life: Life
  readonly pace: Pace
  readonly wrong: Wrong
}

const Retryable = z.object({ retryable: z.boolean() })
/** The documents put an error into `error`; some partners do without. */
const ErrorBody = z.union([
  Retryable,
  z.object({ error: Retryable }).transform(({ error }) => error),
])

const retryableStatuses: ReadonlySet<number> = new Set([401, 408, 425, 429])

function isWorthAnother({ status, json }: Answer, { mayComeLater }: Call): boolean {
  if (status === 404 && mayComeLater) return true
  const said = ErrorBody.safeParse(json)
  if (said.success && status !== 401 && status !== 429) return said.data.retryable
  return status >= 500 || retryableStatuses.has(status)
}

const always = (): boolean => true

export function createCaller(parts: CallerParts): Caller {
  const { base, tokens, send, clock, life, wrong } = parts
  const gates = createGates(clock, wrong('retry-after-in-milliseconds') ? 1 : 1000)

  function written(call: Call, token: string, patience: Patience): Sending {
    const { method, path, headers, requestId, timeoutMs, tooLate } = call
    const nth = patience.tries + 1
    const grown = wrong('grows-body-on-retry') && nth > 1
    const body = grown ? { ...(call.body as object), attempt: nth } : call.body
    const keys = [
      ...(wrong('new-key-on-retry') && nth > 1 ? [nth] : []),
      ...(wrong('new-key-on-redrive') && patience.rounds > 0 ? [patience.rounds] : []),
    ]
    return {
      method,
      url: `${base()}${path}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(requestId === undefined ? {} : { 'x-request-id': [requestId, ...keys].join('-') }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(tooLate ? { tooLate } : {}),
    }
  }

  /** One attempt, repeated once with another token when its own was rejected. */
  async function attempt(call: Call, patience: Patience, wanted: () => boolean): Promise<Outcome> {
    // To get a token takes time: what was wanted before may not be, and the host may have asked for a pause.
    const stopped = (): boolean => !wanted() || gates.until(call.operation) > clock.now()
    const token = await tokens.get()
    if (stopped()) return { kind: 'unwanted' }
    if (token === undefined) return { kind: 'failed' }
    let answer = await send(written(call, token, patience))
    const rejected = answer?.status === 401 && !wrong('takes-401-for-refusal')
    if (answer && rejected && !(wrong('refreshes-only-at-first') && patience.tries > 0)) {
      tokens.reject(token)
      const another = await tokens.get()
      if (wrong('forgets-call-at-401')) return { kind: 'refused', answer }
      if (stopped()) return { kind: 'unwanted' }
      if (another === undefined || another === token) return { kind: 'failed', answer }
      const used = wrong('retries-with-old-token') ? token : another
      answer = await send(written(call, used, patience))
    }
    if (!answer) return { kind: 'failed' }
    const { status } = answer
    if (status >= 200 && status < 300) return { kind: 'answered', answer }
    if (!wrong('ignores-retry-after') && !wrong('retry-after-per-call'))
      gates.hear(call.operation, answer)
    if (wrong('takes-401-for-refusal') && status === 401) return { kind: 'refused', answer }
    const again = isWorthAnother(answer, call) || wrong('retries-refusals')
    return { kind: again ? 'failed' : 'refused', answer }
  }

  /** Waits for an instant; answers whether the call is still wanted then. */
  async function until(at: () => number, wanted: () => boolean, bell: Bell): Promise<boolean> {
    while (wanted()) {
      const left = at() - clock.now()
      if (left <= 0) return true
      await bell.wait(left)
    }
    return false
  }

  return {
    async insist(call, { patience = freshPatience(), wanted: asked = always, bell } = {}) {
      const wanted = (): boolean => life.running() && asked()
      const own = bell ?? life.bell()
      for (let first = true; ; first = false) {
        const still = wrong('finishes-what-it-began') && !first ? life.running : wanted
        const at = (): number => Math.max(patience.notBefore, gates.until(call.operation))
        if (!(await until(at, still, own))) return { kind: 'unwanted' }
        let outcome = await attempt(call, patience, still)
        for (let more = 2; more > 0 && wrong('retries-in-every-layer'); more--)
          if (outcome.kind === 'failed') outcome = await attempt(call, patience, still)
        if (outcome.kind === 'unwanted' && still()) continue
        if (outcome.kind === 'answered' || outcome.kind === 'refused') forgive(patience)
        if (outcome.kind !== 'failed') return outcome
        const { answer } = outcome
        const over = fail(patience, String(answer?.status), parts)
        if (answer && wrong('retry-after-per-call')) {
          const gate = createGates(clock)
          gate.hear(call.operation, answer)
          patience.notBefore = Math.max(patience.notBefore, gate.until(call.operation))
        }
        if (over) return outcome
      }
    },
  }
}
