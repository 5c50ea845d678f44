/**
 * A session in which we play the Software Service against a scripted Ordering Application, in process and on virtual
 * time. Tests
 * push webhooks as that application would.
 */
import { createHmac } from 'node:crypto'
import type { ConfigurationInput } from '../../src/configuration/schema.ts'
import type { Fact } from '../../src/engine/fact.ts'
import type { OperationId } from '../../src/protocol/catalogue.ts'
import { ordersOnly } from './orders-only.ts'
import {
  createOriginator,
  type Originator,
  type OriginatorOptions,
} from './scripted-ordering-application.ts'
import type { Session } from '../../src/session-api/session.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { openSession } from '../../src/session/open-session.ts'

export interface WebhookPush {
  /** Headers that override the defaults; an empty value removes one. */
  readonly headers?: Readonly<Record<string, string>>
  /** A verbatim body instead of the event as JSON. */
  readonly text?: string
}

export interface SoftwareServiceSession extends AsyncDisposable {
  readonly session: Session
  readonly originator: Originator
  /** Advances the virtual time. */
  readonly pass: (ms: number) => Promise<void>
  /** Sends an event to the webhook of the Software Service, with token and signature. */
  readonly push: (event: unknown, push?: WebhookPush) => Promise<Response>
  /** A token of the Software Service for the Ordering Application. */
  readonly token: () => Promise<string>
  /** The facts of one kind, oldest first. */
  readonly facts: <Kind extends Fact['kind']>(
    kind: Kind,
  ) => readonly Extract<Fact, { kind: Kind }>[]
  /** Start of each call of an operation, in ms since the start of the session. */
  readonly times: (operation: OperationId) => readonly number[]
}

const storeUrl = 'http://software-service.test'

export const signWebhook = (text: string, secret = 'secret'): string =>
  createHmac('sha256', secret).update(text).digest('hex')

export interface SoftwareServiceSessionOptions extends Omit<SessionOptions, 'handler' | 'subject'> {
  readonly subject?: ConfigurationInput['subject']
  readonly originator?: OriginatorOptions | Originator
}

export async function openSoftwareServiceSession(
  options: SoftwareServiceSessionOptions = {},
): Promise<SoftwareServiceSession> {
  const { originator: given = {}, counterparts, ...others } = options
  const originator = 'fetch' in given ? given : createOriginator(given)
  const session = await openSession({
    clock: 'virtual',
    listen: false,
    handler: originator.fetch,
    capabilities: ordersOnly,
    ...others,
    subject: { role: 'ordering-application', ...others.subject },
    counterparts: {
      ...counterparts,
      'ordering-application': { channel: 'both', ...counterparts?.['ordering-application'] },
    },
  })

  async function token(): Promise<string> {
    const response = await session.fetch(
      new Request(`${storeUrl}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'subject', client_secret: 'secret' }),
      }),
    )
    return ((await response.json()) as { access_token: string }).access_token
  }

  return {
    session,
    originator,
    token,
    pass: (ms) => session.advance(ms),
    async push(event, { headers = {}, text = JSON.stringify(event) } = {}) {
      const all = {
        authorization: `Bearer ${await token()}`,
        'content-type': 'application/json',
        'x-app-signature': signWebhook(text),
        ...headers,
      }
      return session.fetch(
        new Request(`${storeUrl}/webhooks/orders`, {
          method: 'POST',
          headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
          body: text,
        }),
      )
    },
    facts: (kind) =>
      session
        .facts()
        .flatMap(({ fact }) =>
          fact.kind === kind ? [fact as Extract<Fact, { kind: typeof kind }>] : [],
        ),
    times(operation) {
      const facts = session.facts()
      const begin = facts[0]?.at ?? 0
      return facts.flatMap(({ at, fact }) =>
        fact.kind === 'call.placed' && fact.call.operation === operation ? [at - begin] : [],
      )
    },
    [Symbol.asyncDispose]: () => session.close(),
  }
}
