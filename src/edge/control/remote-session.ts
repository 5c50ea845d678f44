/**
 * Client of the control API that implements the session API for a session in another process. Refusals are returned;
 * connection and authorization errors are thrown as a `Problem`.
 */
import { type ErrorCode, protocolErrors } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Verdict } from '../../invariants/verdict.ts'
import { problem } from '../../problem.ts'
import type {
  AgendaRow,
  CreatedOrder,
  SessionApi,
  Snapshot,
} from '../../session-api/session-api.ts'
import type { ResentExchange } from '../../traffic/resend.ts'

export interface RemoteSessionOptions {
  /** The control URL, as printed in the readiness line. */
  readonly url: string
  readonly token?: string
}

interface Reply {
  readonly status: number
  readonly body: unknown
}

/** Delay before a broken stream is reopened. */
const reopenAfterMs = 1000

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(protocolErrors, code)

interface ErrorReply {
  readonly error: { readonly code: ErrorCode; readonly message: string }
}

function isErrorReply(body: unknown): body is ErrorReply {
  const error: unknown = typeof body === 'object' && body !== null && Reflect.get(body, 'error')
  return typeof error === 'object' && error !== null && isErrorCode(Reflect.get(error, 'code'))
}

const notSparring = (url: string) =>
  problem(
    `talking to the session at ${url}`,
    'something answers there, but it is no control API of Sparring',
    'Name the control URL that sparring up printed: --control <url>.',
    3,
  )

const unreachable = (url: string, error: unknown) => {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : cause
  return problem(
    `talking to the session at ${url}`,
    `nothing answers there (${String(code)})`,
    'Start one with sparring up, or name another with --control <url> or SPARRING_CONTROL.',
    3,
  )
}

function createClient({ url, token }: RemoteSessionOptions) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const base = url.replace(/\/+$/, '')

  async function fetched(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${base}${path}`, { redirect: 'error', ...init })
    } catch (error) {
      throw unreachable(url, error)
    }
  }

  /** Returns the response, including API errors; throws a `Problem` for anything else. */
  async function post(path: string, value: unknown = {}): Promise<Reply> {
    const response = await fetched(path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(value),
    })
    const text = await response.text().catch((error: unknown) => {
      throw unreachable(url, error)
    })
    const body = parsed(text)
    const { status } = response
    if (status === 401 || status === 403 || status === 421)
      throw problem(
        `talking to the session at ${url}`,
        isErrorReply(body) ? body.error.message : `it answered ${status}`,
        'Name its token with --token or SPARRING_TOKEN; sparring up printed it.',
        3,
      )
    if (status >= 400 ? !isErrorReply(body) : status !== 204 && body === undefined)
      throw notSparring(url)
    return { status, body }
  }

  /** The body of a successful response; an API error is thrown as a `Problem`, since it is no refusal. */
  async function request(path: string, value?: unknown): Promise<unknown> {
    const { body } = await post(path, value)
    if (isErrorReply(body))
      throw problem(
        `asking the session at ${url} for ${path}`,
        body.error.message,
        'Correct it and try again.',
      )
    return body
  }

  return {
    post,
    wanted: request,
    stream: (signal: AbortSignal) => fetched('/stream', { headers, signal }),
  }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function orRefusal({ status, body }: Reply): Result<unknown, Refusal> {
  if (!isErrorReply(body)) return ok(body)
  const { code, message } = body.error
  return err({ code, message, ...(protocolErrors[code].status === status ? {} : { status }) })
}

export function openRemoteSession(options: RemoteSessionOptions): SessionApi {
  const { post, wanted: request, stream } = createClient(options)

  /** Reads the stream until it ends; each chunk only signals a change. */
  async function listen(listener: () => void, signal: AbortSignal): Promise<void> {
    const response = await stream(signal)
    if (!response.ok || !response.body) return
    for await (const _ of response.body) listener()
  }

  async function keepListening(listener: () => void, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await listen(listener, signal).catch(() => undefined)
      if (signal.aborted) return
      // Notify, so that the next look reports the lost session or shows changes missed meanwhile.
      listener()
      await new Promise((resolve) => setTimeout(resolve, reopenAfterMs).unref())
    }
  }

  return {
    look: async (view) => (await request('/look', view)) as Snapshot,
    async submit(command) {
      const result = orRefusal(await post('/commands', command))
      return result.ok ? ok((result.value as { facts: readonly Fact[] }).facts) : result
    },
    async createOrder(wish = {}) {
      const result = orRefusal(await post('/orders', wish))
      return result.ok ? ok(result.value as CreatedOrder) : result
    },
    async resend(seq) {
      const result = orRefusal(await post(`/traffic/${seq}/resend`))
      return result.ok ? ok(result.value as ResentExchange) : result
    },
    judge: async () => (await request('/judge')) as readonly Verdict[],
    step: async () => (await request('/agenda/step')) as AgendaRow | undefined,
    async setClock(change) {
      if (Object.keys(change).length > 0) await request('/clock', change)
    },
    async advance(ms) {
      await request('/clock', { advance: ms })
    },
    async reset(seed) {
      await request('/reset', seed === undefined ? {} : { seed })
    },
    async fork(at) {
      const result = orRefusal(await post('/fork', { at }))
      return result.ok ? ok(result.value as { at: number }) : result
    },
    async stop() {
      await request('/stop')
    },
    subscribe(listener) {
      const stopping = new AbortController()
      void keepListening(listener, stopping.signal)
      return () => stopping.abort()
    },
  }
}
