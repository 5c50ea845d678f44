/**
 * A test client for the CRM of a real session, as an Ordering Application: HTTP with a token over a socket, on virtual
 * time. The application publishes a manifest, issues tokens, and records every webhook.
 */
import type { Command } from '../../src/core/engine/command.ts'
import { createScriptedHost, type HostCall, hostManifest, refusal } from './scripted-host.ts'
import type { AnnouncedEvent } from './loyalty-transcript.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export interface LoyaltyWire extends HostSession {
  /** Submits an operator command, which must be accepted. */
  readonly tell: (command: Command) => Promise<void>
  /** The loyalty webhooks so far, oldest first. */
  readonly received: readonly HostCall[]
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

const operations = { loyalty: 'POST /webhooks/loyalty', other: 'POST /webhooks/.*' } as const

const manifest = hostManifest('an-ordering-application', [
  {
    name: 'customer',
    version: 'v2',
    supported: true,
    role: 'ORIGINATOR',
    operations: ['receiveLoyaltyEvent', 'receiveCustomerEvent'],
  },
])

export async function openLoyaltyWire(options: LoyaltyWireOptions = {}): Promise<LoyaltyWire> {
  const { subject, reply = () => 204, conduct, ...others } = options
  const application = createScriptedHost({
    operations,
    manifest: () => manifest,
    reply({ name }, nth) {
      if (name === 'nothing') return refusal(404, 'NOT_FOUND')
      return { status: name === 'loyalty' ? reply(nth) : 204 }
    },
  })
  const host = await openHostSession('crm', {
    listen: true,
    automatic: false,
    only: ['crm'],
    handler: application.fetch,
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
    get received() {
      return application.of('loyalty')
    },
    async tell(command) {
      const decision = await session.submit(command)
      if (!decision.ok) throw new Error(`${command.kind}: ${decision.error.message}`)
    },
    events: () => wire.received.map(({ json }) => json['event'] as AnnouncedEvent),
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
