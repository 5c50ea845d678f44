/**
 * Client of the control API that implements the session API for a session in another process. Refusals are returned;
 * connection and authorization errors are thrown as a `Problem`.
 */
import { protocolErrors } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Fact } from '../../engine/fact.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { Verdict } from '../../rules/invariants/verdict.ts'
import { problem } from '../../base/problem.ts'
import type {
  AgendaRow,
  CreatedOrder,
  SessionApi,
  Snapshot,
} from '../../session-api/session-api.ts'
import type { ExchangeNote } from '../../traffic/note.ts'
import type { ResentExchange } from '../../traffic/resend.ts'
import {
  type ControlClient,
  type ControlReply,
  type ControlTarget,
  createControlClient,
  isErrorReply,
} from './control-client.ts'
import { followPosition } from './position-follower.ts'

function orRefusal({ status, body }: ControlReply): Result<unknown, Refusal> {
  if (!isErrorReply(body)) return ok(body)
  const { code, message } = body.error
  return err({ code, message, ...(protocolErrors[code].status === status ? {} : { status }) })
}

/** The body of a successful reply; an API error is thrown as a `Problem`, since it is no refusal. */
export function bodyOf({ body }: ControlReply, url: string, path: string): unknown {
  if (!isErrorReply(body)) return body
  throw problem(
    `asking the session at ${url} for ${path}`,
    body.error.message,
    'Correct it and try again.',
  )
}

/** What changes a session, and nothing else. */
export type SessionChangeApi = Omit<
  Required<SessionApi>,
  'look' | 'subscribe' | 'playback' | 'patientLook' | 'subscribeToNotices'
>

/** The changes as requests to the control API. */
export function createRemoteChanges(client: ControlClient, url: string): SessionChangeApi {
  const post = (path: string, value: unknown = {}): Promise<ControlReply> =>
    client.send('POST', path, { body: value })
  const request = async (path: string, value?: unknown): Promise<unknown> =>
    bodyOf(await post(path, value), url, path)
  return {
    async submit(command) {
      const result = orRefusal(await post('/commands', command))
      return result.ok ? ok((result.value as { facts: readonly Fact[] }).facts) : result
    },
    async createOrder(order = {}) {
      const result = orRefusal(await post('/orders', order))
      return result.ok ? ok(result.value as CreatedOrder) : result
    },
    async resend(seq) {
      const result = orRefusal(await post(`/traffic/${seq}/resend`))
      return result.ok ? ok(result.value as ResentExchange) : result
    },
    async note(seq, text) {
      const result = orRefusal(await post(`/traffic/${seq}/note`, { text }))
      return result.ok ? ok(result.value as ExchangeNote) : result
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
  }
}

export function openRemoteSession(target: ControlTarget): SessionApi {
  const client = createControlClient(target)
  return {
    ...createRemoteChanges(client, target.url),
    look: async (view) =>
      bodyOf(await client.send('POST', '/look', { body: view }), target.url, '/look') as Snapshot,
    subscribe(listener) {
      const stopping = new AbortController()
      void followPosition({
        client,
        signal: stopping.signal,
        onGreeting: listener,
        onPosition: listener,
        onEnd: listener,
        // The next look reports the lost session, or shows what has changed meanwhile.
        onLost: listener,
      })
      return () => stopping.abort()
    },
  }
}
