/**
 * A test client for one side of Customer: of the CRM as an Ordering Application, or of the Ordering Application as a
 * CRM. HTTP with a token, over sockets by default, on virtual time.
 */
import type { ConfigurationInput } from '../../src/core/session-api/configuration/schema.ts'
import type { HostAnswer } from './host-client.ts'
import { type HostSession, openHostSession } from './host-session.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'

type Json = Readonly<Record<string, unknown>>

export interface CustomerWire extends HostSession {
  readonly get: (path: string) => Promise<HostAnswer>
  /** The records of a list page. */
  readonly list: (path: string) => Promise<readonly Json[]>
  /** The Customer capability in the manifest of the host. */
  readonly declared: () => Promise<Json & { readonly endpoint: string }>
}

/** Milliseconds; longer than a prompt CRM takes to apply an accepted call. */
export const customerProcessingMs = 1000

export interface CustomerWireOptions extends Omit<SessionOptions, 'subject' | 'as'> {
  /** The host under test; the subject plays the other role. */
  readonly host?: 'crm' | 'ordering-application'
  readonly mode?: 'push' | 'pull' | 'hybrid'
  readonly subject?: Omit<NonNullable<ConfigurationInput['subject']>, 'role'>
}

export async function openCustomerWire(options: CustomerWireOptions = {}): Promise<CustomerWire> {
  const { host = 'crm', mode, subject, capabilities, counterparts, ...others } = options
  const role = host === 'crm' ? 'ordering-application' : 'crm'
  const opened = await openHostSession(host, {
    automatic: false,
    ...others,
    only: [host],
    subject: { ...subject, role },
    capabilities: { indoor: false, logistics: false, ...capabilities },
    counterparts: {
      ...counterparts,
      ...(mode ? { crm: { ...counterparts?.crm, mode } } : {}),
    },
  })
  const { read } = opened

  return {
    ...opened,
    get: (path) => opened.send('GET', path),
    async list(path) {
      const page = await read(path)
      return (Array.isArray(page) ? page : page['items']) as readonly Json[]
    },
    async declared() {
      const manifest = await read('/.well-known/protocol')
      const declarations = manifest['capabilities'] as readonly Json[]
      const found = declarations.find(({ name }) => name === 'customer')
      if (!found) throw new Error('customer is not declared')
      return found as Json & { readonly endpoint: string }
    },
  }
}

/** A customer with every field that overview and binding list. */
export const sampleCustomer = (id: string, more: Json = {}): Json => ({
  id,
  identifier: { type: 'document', value: `390533447${id.length}${id.charCodeAt(0)}` },
  externalIds: [`app:${id}`],
  name: 'Ana Souza',
  contacts: { email: `${id}@example.com`, phone: '+5511999990000' },
  consent: { marketing: true, updatedAt: '2026-01-05T14:00:00.000Z' },
  createdAt: '2026-01-05T14:00:00.000Z',
  updatedAt: '2026-01-05T14:00:00.000Z',
  ...more,
})

/** An event in its envelope. */
export const customerEvent = (eventType: string, payload: Json, more: Json = {}): Json => ({
  event: {
    eventId: `e-${eventType}`,
    eventType,
    entityType: eventType.split('.')[0],
    occurredAt: '2026-01-05T15:00:00.000Z',
    payload,
    ...more,
  },
})
