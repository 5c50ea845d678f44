/**
 * A test client for the CRM of a real session, as an Ordering Application: HTTP with a token over a socket, on virtual
 * time. The
 * application publishes a manifest, issues tokens, and records every webhook.
 */
import { compact } from '../../src/compact.ts'
import type { ConfigurationInput } from '../../src/configuration/schema.ts'
import type { Command } from '../../src/engine/command.ts'
import { composeManifest } from '../../src/protocol/discovery/compose-manifest.ts'
import type { AnnouncedEvent } from './loyalty-transcript.ts'
import type { Answer } from './wire.ts'
import type { Session } from '../../src/session-api/session.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { openSession } from '../../src/session/open-session.ts'

export interface LoyaltyWebhook {
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

interface Sending {
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string | null
}

export interface LoyaltyWire extends AsyncDisposable {
  readonly session: Session
  readonly base: string
  readonly send: (method: string, path: string, sending?: Sending) => Promise<Answer>
  /** The JSON of a GET that must be answered with 200. */
  readonly read: <Value = Record<string, unknown>>(path: string) => Promise<Value>
  readonly token: (scope?: string) => Promise<string>
  readonly pass: (ms: number) => Promise<void>
  /** Submits an operator command, which must be accepted. */
  readonly tell: (command: Command) => Promise<void>
  /** The loyalty webhooks so far, oldest first. */
  readonly received: readonly LoyaltyWebhook[]
  /** Their events, of one customer or all. */
  readonly events: () => readonly AnnouncedEvent[]
  readonly types: () => readonly string[]
  /** Enrolls a customer and grants points; resolves with the account id. */
  readonly customer: (customerId: string, points?: number) => Promise<string>
}

export interface LoyaltyWireOptions extends Omit<SessionOptions, 'subject'> {
  readonly subject?: ConfigurationInput['subject']
  /** The status code for the n-th webhook, from 1; 204 when absent. */
  readonly reply?: (nth: number) => number
}

const manifest = composeManifest({
  participantId: 'an-ordering-application',
  version: 'v2',
  supportedVersions: ['v2'],
  grantTypes: ['client_credentials'],
  credentialModels: ['by_app'],
  notation: 'array',
  declarations: [
    {
      name: 'customer',
      version: 'v2',
      supported: true,
      role: 'ORIGINATOR',
      operations: ['receiveLoyaltyEvent', 'receiveCustomerEvent'],
    },
  ],
})

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  })

function application(received: LoyaltyWebhook[], reply: (nth: number) => number) {
  return async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname
    if (path === '/.well-known/protocol') return json(manifest)
    if (path === '/oauth/token')
      return json({ access_token: 'let-me-in', token_type: 'bearer', expires_in: 3600 })
    if (path === '/merchants') return json([])
    if (request.method !== 'POST' || !path.startsWith('/webhooks/')) return json({}, 404)
    const text = await request.text()
    if (path !== '/webhooks/loyalty') return new Response(null, { status: 204 })
    const value = JSON.parse(text) as Record<string, unknown>
    received.push({ path, headers: request.headers, text, json: value })
    return new Response(null, { status: reply(received.length) })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function openLoyaltyWire(options: LoyaltyWireOptions = {}): Promise<LoyaltyWire> {
  const { subject, reply = () => 204, conduct, ...others } = options
  const received: LoyaltyWebhook[] = []
  const session = await openSession({
    port: 0,
    listen: true,
    clock: 'virtual',
    automatic: false,
    only: ['crm'],
    handler: application(received, reply),
    ...others,
    conduct: {
      // No virtual time passes between calls, so all calls of a test fall into one second.
      customer: { enforceLimits: false },
      ...conduct,
      loyalty: { enrollment: 'by-hand', ...conduct?.loyalty },
    },
    subject: { role: 'ordering-application', ...subject },
  })
  const base = session.urls.get('crm') ?? ''
  let own: string | undefined

  async function request(method: string, path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(`${base}${path}`, { method, ...init })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  async function token(scope?: string): Promise<string> {
    const body = { client_id: 'subject', client_secret: 'secret', ...(scope && { scope }) }
    const answer = await request('POST', '/oauth/token', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', ...body }),
    })
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`)
    return (answer.json as { access_token: string }).access_token
  }

  const wire: LoyaltyWire = {
    session,
    base,
    token,
    received,
    async send(method, path, sending = {}) {
      const bearer = sending.token === undefined ? (own ??= await token()) : sending.token
      const body = sending.body === undefined ? sending.text : JSON.stringify(sending.body)
      return request(method, path, {
        headers: {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...sending.headers,
        },
        ...compact({ body }),
      })
    },
    async read<Value>(path: string) {
      const answer = await wire.send('GET', path)
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`)
      return answer.json as Value
    },
    pass: (ms) => session.advance(ms),
    async tell(command) {
      const decision = await session.submit(command)
      if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
    },
    events: () => received.map(({ json: body }) => body['event'] as AnnouncedEvent),
    types: () => wire.events().map(({ eventType }) => eventType.replace('loyalty.', '')),
    async customer(customerId, points = 0) {
      const { items: programs } = await wire.read<{ items: { id: string }[] }>('/loyalty/programs')
      await wire.tell({ kind: 'loyalty.enroll', customerId, programId: programs[0]?.id ?? '' })
      const { items } = await wire.read<{ items: { id: string }[] }>(
        `/customers/${customerId}/loyalty-accounts`,
      )
      const accountId = items[0]?.id ?? ''
      if (points > 0) await wire.tell({ kind: 'loyalty.adjust', accountId, points })
      await wire.pass(0)
      return accountId
    },
    [Symbol.asyncDispose]: () => session.close(),
  }
  await wire.pass(0)
  return wire
}
