/**
 * A test client for the CRM of a real session, as an Ordering Application: HTTP with a token over a socket, on virtual
 * time. The
 * application publishes a manifest, issues tokens, and records every webhook.
 */
import type { Command } from '../../src/engine/command.ts'
import { composeManifest } from '../../src/protocol/discovery/compose-manifest.ts'
import type { AnnouncedEvent } from './loyalty-transcript.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export interface LoyaltyWebhook {
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly json: Record<string, unknown>
}

export interface LoyaltyWire extends HostSession {
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

export interface LoyaltyWireOptions extends HostSessionOptions {
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

export async function openLoyaltyWire(options: LoyaltyWireOptions = {}): Promise<LoyaltyWire> {
  const { subject, reply = () => 204, conduct, ...others } = options
  const received: LoyaltyWebhook[] = []
  const host = await openHostSession('crm', {
    listen: true,
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
  const { session, pass, read } = host

  const wire: LoyaltyWire = {
    ...host,
    received,
    async tell(command) {
      const decision = await session.submit(command)
      if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
    },
    events: () => received.map(({ json: body }) => body['event'] as AnnouncedEvent),
    types: () => wire.events().map(({ eventType }) => eventType.replace('loyalty.', '')),
    async customer(customerId, points = 0) {
      const { items: programs } = await read<{ items: { id: string }[] }>('/loyalty/programs')
      await wire.tell({ kind: 'loyalty.enroll', customerId, programId: programs[0]?.id ?? '' })
      const { items } = await read<{ items: { id: string }[] }>(
        `/customers/${customerId}/loyalty-accounts`,
      )
      const accountId = items[0]?.id ?? ''
      if (points > 0) await wire.tell({ kind: 'loyalty.adjust', accountId, points })
      await pass(0)
      return accountId
    },
  }
  await pass(0)
  return wire
}
