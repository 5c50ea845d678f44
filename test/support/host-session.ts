/** A session on virtual time with a test client of one of its hosts, which plays the subject. */
import { createHmac } from 'node:crypto'
import type { Fact } from '../../src/core/engine/fact.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import type { Session } from '../../src/core/session-api/session.ts'
import type { ConfigurationInput } from '../../src/core/session-api/configuration/schema.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import {
  createHostClient,
  type HostAnswer,
  type HostClient,
  type HostRequest,
} from './host-client.ts'

export interface HostSession extends HostClient, AsyncDisposable {
  readonly session: Session
  /** The base URL of the host. */
  readonly base: string
  /** Sends an event to a webhook of the host, with token and signature. */
  readonly push: (event: unknown, path: string, push?: HostRequest) => Promise<HostAnswer>
  /** Advances the virtual time. */
  readonly pass: (ms: number) => Promise<void>
  /** The facts of one kind, oldest first. */
  readonly facts: <Kind extends Fact['kind']>(
    kind: Kind,
  ) => readonly Extract<Fact, { kind: Kind }>[]
}

/** The options of a session whose subject has a role that the harness knows. */
export interface HostSessionOptions extends Omit<SessionOptions, 'subject'> {
  readonly subject?: ConfigurationInput['subject']
}

export const signWebhook = (text: string, secret = 'secret'): string =>
  createHmac('sha256', secret).update(text).digest('hex')

export const factsOf =
  (session: Session): HostSession['facts'] =>
  <Kind extends Fact['kind']>(kind: Kind) =>
    session
      .facts()
      .flatMap(({ fact }) => (fact.kind === kind ? [fact as Extract<Fact, { kind: Kind }>] : []))

/** Over a socket, unless the session has a handler. */
export async function openHostSession(host: Role, options: SessionOptions): Promise<HostSession> {
  const session = await openSession({ port: 0, clock: 'virtual', ...options })
  const base = session.urls.get(host) ?? ''
  const listens = options.listen ?? options.handler === undefined
  const client = createHostClient({ fetch: listens ? fetch : session.fetch, base })
  return {
    ...client,
    session,
    base,
    push(event, path, { text = JSON.stringify(event), headers, ...push } = {}) {
      const signature = { 'x-app-signature': signWebhook(text) }
      return client.send('POST', path, { text, headers: { ...signature, ...headers }, ...push })
    },
    pass: (ms) => session.advance(ms),
    facts: factsOf(session),
    [Symbol.asyncDispose]: () => session.close(),
  }
}
