/**
 * A test client for the Delivery Platform of a session, as a consumer, in process and on virtual time. The consumer is
 * the subject: it publishes a manifest and records every webhook.
 */
import type { Role } from '../../src/core/protocol/role.ts'
import type { HostAnswer } from './host-client.ts'
import { createScriptedHost, type HostCall, hostManifest } from './scripted-host.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export interface DeliveryReply {
  readonly id: string
  readonly orderId: string
  readonly status: string
  readonly courier?: Readonly<Record<string, unknown>>
  readonly price?: Readonly<Record<string, unknown>>
  readonly eta?: string
  readonly trackingUrl?: string
  readonly problems: readonly Readonly<Record<string, unknown>>[]
  readonly [field: string]: unknown
}

export interface LogisticsWire extends Omit<HostSession, 'token' | 'read'> {
  /** All webhooks, oldest first. */
  readonly hooks: readonly HostCall[]
  readonly token: (scope?: string, host?: Role) => Promise<string>
  /** Creates a delivery for an order; resolves with the reply. */
  readonly create: (orderId: string, more?: object) => Promise<HostAnswer>
  /** A progress call; resolves with the status code. */
  readonly ask: (orderId: string, call: string, body?: unknown) => Promise<number>
  /** GET of the delivery, which must exist. */
  readonly read: (orderId: string) => Promise<DeliveryReply>
  /** Brings a new delivery to a status by operator actions, at once. */
  readonly bring: (orderId: string, status: string) => Promise<void>
}

export interface LogisticsWireOptions extends HostSessionOptions {
  readonly consumer?: 'ordering-application' | 'software-service'
  /** The status code for the n-th webhook, from 1; 204 when absent. */
  readonly reply?: (nth: number) => number
  readonly declaresLogistics?: boolean
}

/** Two addresses in São Paulo, about three kilometres apart. */
export const pickupPlace = {
  address: {
    street: 'Rua Augusta, 100',
    city: 'São Paulo',
    postalCode: '01305-000',
    coordinates: { latitude: -23.551, longitude: -46.656 },
  },
  contact: { name: 'Loja Um', phone: '+551190000001' },
}
export const dropoffPlace = {
  address: {
    street: 'Rua Harmonia, 12',
    city: 'São Paulo',
    neighborhood: 'Vila Madalena',
    postalCode: '05435-000',
    coordinates: { latitude: -23.553, longitude: -46.688 },
  },
  contact: { name: 'Ana', phone: '+551190000002' },
}

export const deliveryRequest = (orderId: string, more: object = {}): object => ({
  orderId,
  merchant: { id: 'loja-1', name: 'Loja Um', ...pickupPlace },
  pickup: pickupPlace,
  dropoff: dropoffPlace,
  ...more,
})

/** Milliseconds; longer than the platform takes to apply a call. */
export const platformProcessingMs = 200

const callsTo: Readonly<Record<string, readonly string[]>> = {
  PENDING: [],
  ASSIGNED: ['assign'],
  IN_TRANSIT: ['assign', 'collected'],
  DELIVERED: ['assign', 'collected', 'delivered'],
  CANCELLED: ['cancel'],
  FAILED: ['assign', 'collected', 'fail'],
}

export async function openLogisticsWire(
  options: LogisticsWireOptions = {},
): Promise<LogisticsWire> {
  const {
    consumer = 'ordering-application',
    subject,
    reply,
    declaresLogistics = true,
    ...others
  } = options
  const scripted = createScriptedHost<string>({
    operations: {},
    nameOf: () => 'event',
    manifest: () =>
      hostManifest('a-consumer', [
        {
          name: declaresLogistics ? 'logistics' : 'merchant',
          role: 'RECEIVER',
          operations: ['availability', 'delivery', 'tracking'],
        },
      ]),
    token: ({ text }) => `for ${new URLSearchParams(text).get('scope') ?? ''}`,
    reply: (_call, nth) => ({ status: reply?.(nth) ?? 204 }),
  })
  const host = await openHostSession('delivery-platform', {
    listen: false,
    only: ['delivery-platform'],
    capabilities: { indoor: false, customer: false },
    ...others,
    handler: scripted.fetch,
    subject: { role: consumer, ...subject },
  })
  const { session } = host

  return {
    ...host,
    hooks: scripted.calls,
    token: (scope, of) => host.token(scope, of && session.urls.get(of)),
    create: (orderId, more) => host.post('/logistics/delivery', deliveryRequest(orderId, more)),
    async ask(orderId, call, body) {
      const path = `/logistics/delivery/${encodeURIComponent(orderId)}/${call}`
      return (await host.post(path, body)).status
    },
    read: (orderId) =>
      host.read<DeliveryReply>(`/logistics/delivery/${encodeURIComponent(orderId)}`),
    async bring(orderId, status) {
      for (const trigger of callsTo[status] ?? [])
        await session.submit({
          kind: 'delivery.apply',
          orderId,
          trigger: trigger as 'assign',
        })
    },
  }
}
