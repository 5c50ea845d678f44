/**
 * HTTP calls to one host with a bearer token and retries: 5xx, timeouts and broken connections by backoff, 401 once
 * with a new token, Retry-After per operation, other 4xx not at all. Before every attempt and after every wait it
 * checks that the call is still wanted.
 */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { DefectSwitch } from './defects.ts'
import type { WakeSignal, Lifetime } from './lifetime.ts'
import type { Pace } from './pace.ts'
import { recordFailure, resetRetries, createRetryState, type RetryState } from './retry-state.ts'
import { createRetryAfterLimits, type RetryAfterLimits } from './retry-after.ts'
import type { Answer, Send, OutgoingRequest } from './send.ts'
import type { TokenCache } from './token-cache.ts'

export interface Call {
  /** The operation name; Retry-After applies per operation. */
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** X-Request-Id (idempotency key), the same for every attempt. */
  readonly requestId?: string
  /** A 404 is retried: the resource may appear later. */
  readonly mayComeLater?: boolean
  readonly timeoutMs?: number
  readonly tooLate?: (answer: Answer) => void
}

export type CallOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** An error reply that a retry would not change. */
  | { readonly kind: 'refused'; readonly answer: Answer }
  /** No reply, or a retryable one; whether the call took effect is unknown. */
  | { readonly kind: 'failed'; readonly answer?: Answer }
  /** The call is no longer wanted, or the host asked for a pause: nothing was sent. */
  | { readonly kind: 'unwanted' }

export interface RetryOptions {
  readonly retry?: RetryState
  /** Whether there is still a reason to make the call. */
  readonly wanted?: () => boolean
  /** Interrupts a wait, so that `wanted` is checked again. */
  readonly bell?: WakeSignal
}

export interface CallerParts {
  readonly base: () => string
  readonly tokens: TokenCache
  readonly send: Send
  readonly clock: Clock
  readonly life: Lifetime
  readonly pace: Pace
  readonly wrong: DefectSwitch
}

const Retryable = z.object({ retryable: z.boolean() })
/** The protocol wraps an error in `error`; some partners do not. */
const ErrorBody = z.union([
  Retryable,
  z.object({ error: Retryable }).transform(({ error }) => error),
])

const retryableStatuses: ReadonlySet<number> = new Set([401, 408, 425, 429])

function isRetryable({ status, json }: Answer, { mayComeLater }: Call): boolean {
  if (status === 404 && mayComeLater) return true
  const errorBody = ErrorBody.safeParse(json)
  if (errorBody.success && status !== 401 && status !== 429) return errorBody.data.retryable
  return status >= 500 || retryableStatuses.has(status)
}

const always = (): boolean => true

/** A UUID for this text, always the same. */
const uuidOf = (text: string): string =>
  hash('sha256', text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/s, '$1-$2-4$3-8$4-$5')

export class Caller {
  readonly #parts: CallerParts
  readonly #wrong: CallerParts['wrong']
  readonly #retryAfter: RetryAfterLimits
  #reads = 0

  constructor(parts: CallerParts) {
    this.#parts = parts
    this.#wrong = parts.wrong
    this.#retryAfter = createRetryAfterLimits(
      parts.clock,
      parts.wrong('retry-after-in-milliseconds') ? 1 : 1000,
    )
  }

  /** Retries until the call is answered, refused, no longer wanted, or out of attempts. */
  async callWithRetry(
    call: Call,
    { retry = createRetryState(), wanted: asked = always, bell }: RetryOptions = {},
  ): Promise<CallOutcome> {
    const wanted = (): boolean => this.#parts.life.isRunning() && asked()
    const own = bell ?? this.#parts.life.createSignal()
    for (let first = true; ; first = false) {
      const still =
        this.#wrong('finishes-what-it-began') && !first ? this.#parts.life.isRunning : wanted
      const at = (): number =>
        Math.max(retry.notBefore, this.#retryAfter.blockedUntil(call.operation))
      if (!(await this.#until(at, still, own))) return { kind: 'unwanted' }
      let outcome = await this.#attempt(call, retry, still)
      for (let more = 2; more > 0 && this.#wrong('retries-in-every-layer'); more--)
        if (outcome.kind === 'failed') outcome = await this.#attempt(call, retry, still)
      if (outcome.kind === 'unwanted' && still()) continue
      if (outcome.kind === 'answered' || outcome.kind === 'refused') resetRetries(retry)
      if (outcome.kind !== 'failed') return outcome
      const { answer } = outcome
      const over = recordFailure(retry, String(answer?.status), this.#parts)
      if (answer && this.#wrong('retry-after-per-call')) {
        const gate = createRetryAfterLimits(this.#parts.clock)
        gate.record(call.operation, answer)
        retry.notBefore = Math.max(retry.notBefore, gate.blockedUntil(call.operation))
      }
      if (over) return outcome
    }
  }

  /**
   * Of a call that changes no order: each attempt has its own, and draws no random number. The process before counted too, but
   * had another body.
   */
  #readId(body = ''): string {
    return uuidOf(`read ${++this.#reads}${body}`)
  }

  #composeRequest(call: Call, token: string, retry: RetryState): OutgoingRequest {
    const { method, path, headers, requestId, timeoutMs, tooLate } = call
    const nth = retry.attempts + 1
    const grown = this.#wrong('grows-body-on-retry') && nth > 1
    const sent = grown ? { ...(call.body as object), attempt: nth } : call.body
    const body = sent === undefined ? undefined : JSON.stringify(sent)
    const keys = [
      ...(this.#wrong('new-key-on-retry') && nth > 1 ? [nth] : []),
      ...(this.#wrong('new-key-on-redrive') && retry.coolDowns > 0 ? [retry.coolDowns] : []),
    ]
    return {
      method,
      url: `${this.#parts.base()}${path}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-request-id':
          requestId === undefined ? this.#readId(body) : [requestId, ...keys].join('-'),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(tooLate ? { tooLate } : {}),
    }
  }

  /** One attempt, repeated once with a new token when the first was rejected with 401. */
  async #attempt(call: Call, retry: RetryState, wanted: () => boolean): Promise<CallOutcome> {
    // Fetching a token takes time: meanwhile the call may have become unwanted or the host may have asked for a pause.
    const stopped = (): boolean =>
      !wanted() || this.#retryAfter.blockedUntil(call.operation) > this.#parts.clock.now()
    const token = await this.#parts.tokens.get()
    if (stopped()) return { kind: 'unwanted' }
    if (token === undefined) return { kind: 'failed' }
    let answer = await this.#parts.send(this.#composeRequest(call, token, retry))
    const rejected = answer?.status === 401 && !this.#wrong('takes-401-for-refusal')
    if (answer && rejected && !(this.#wrong('refreshes-only-at-first') && retry.attempts > 0)) {
      this.#parts.tokens.invalidate(token)
      const another = await this.#parts.tokens.get()
      if (this.#wrong('forgets-call-at-401')) return { kind: 'refused', answer }
      if (stopped()) return { kind: 'unwanted' }
      if (another === undefined || another === token) return { kind: 'failed', answer }
      const used = this.#wrong('retries-with-old-token') ? token : another
      answer = await this.#parts.send(this.#composeRequest(call, used, retry))
      // The next attempt takes a new one.
      if (answer?.status === 401) this.#parts.tokens.invalidate(used)
    }
    if (!answer) return { kind: 'failed' }
    const { status } = answer
    if (status >= 200 && status < 300) return { kind: 'answered', answer }
    if (!this.#wrong('ignores-retry-after') && !this.#wrong('retry-after-per-call'))
      this.#retryAfter.record(call.operation, answer)
    if (this.#wrong('takes-401-for-refusal') && status === 401) return { kind: 'refused', answer }
    const again = isRetryable(answer, call) || this.#wrong('retries-refusals')
    return { kind: again ? 'failed' : 'refused', answer }
  }

  /** Waits until `at()`; returns whether the call is still wanted then. */
  async #until(at: () => number, wanted: () => boolean, bell: WakeSignal): Promise<boolean> {
    while (wanted()) {
      const left = at() - this.#parts.clock.now()
      if (left <= 0) return true
      await bell.wait(left)
    }
    return false
  }
}
