/**
 * A test client for the Delivery Platform of a session, as a consumer, in process and on virtual time. The consumer is
 * the
 * subject: it publishes a manifest and records every webhook.
 */
import { compact } from '../../src/compact.ts'
import type { ConfigurationInput } from '../../src/configuration/schema.ts'
import type { Fact } from '../../src/engine/fact.ts'
import type { Role } from '../../src/protocol/role.ts'
import type { Session } from '../../src/session-api/session.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { openSession } from '../../src/session/open-session.ts'

export interface LogisticsAnswer {
  readonly status: number
  /** The body, if it is JSON. */
  readonly json: unknown
  readonly text: string
}

export interface DeliveryWebhook {
  readonly path: string
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

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

interface Sending {
  readonly body?: unknown
  readonly text?: string
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface LogisticsWire extends AsyncDisposable {
  readonly session: Session
  readonly base: string
  /** All webhooks, oldest first. */
  readonly hooks: readonly DeliveryWebhook[]
  readonly token: (scope?: string, host?: Role) => Promise<string>
  readonly send: (method: string, path: string, sending?: Sending) => Promise<LogisticsAnswer>
  /** Creates a delivery for an order; resolves with the reply. */
  readonly create: (orderId: string, more?: object) => Promise<LogisticsAnswer>
  /** A progress call; resolves with the status code. */
  readonly ask: (orderId: string, call: string, body?: unknown) => Promise<number>
  /** GET of the delivery, which must exist. */
  readonly read: (orderId: string) => Promise<DeliveryReply>
  readonly pass: (ms: number) => Promise<void>
  /** Brings a new delivery to a status by operator actions, at once. */
  readonly bring: (orderId: string, status: string) => Promise<void>
  readonly facts: <Kind extends Fact['kind']>(
    kind: Kind,
  ) => readonly Extract<Fact, { kind: Kind }>[]
}

export interface LogisticsWireOptions extends Omit<SessionOptions, 'subject' | 'handler'> {
  readonly consumer?: 'ordering-application' | 'software-service'
  readonly subject?: ConfigurationInput['subject']
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const manifestOf = (logistics: boolean): object => ({
  participantId: 'a-consumer',
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_app'],
  },
  capabilities: [
    {
      name: logistics ? 'logistics' : 'merchant',
      role: 'RECEIVER',
      operations: ['availability', 'delivery', 'tracking'],
    },
  ],
})

export async function openLogisticsWire(
  options: LogisticsWireOptions = {},
): Promise<LogisticsWire> {
  const {
    consumer = 'ordering-application',
    subject,
    reply,
    declaresLogistics,
    ...others
  } = options
  const hooks: DeliveryWebhook[] = []
  const json = (status: number, body: unknown): Response =>
    new Response(JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    })

  async function handler(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/.well-known/'))
      return json(200, manifestOf(declaresLogistics ?? true))
    if (pathname === '/oauth/token')
      return json(200, {
        access_token: `for ${new URLSearchParams(await request.text()).get('scope') ?? ''}`,
        token_type: 'bearer',
        expires_in: 3600,
      })
    if (pathname === '/merchants') return json(200, [])
    const body = parsed(await request.text()) as DeliveryWebhook['body']
    hooks.push({ path: pathname, headers: request.headers, body })
    return new Response(null, { status: reply?.(hooks.length) ?? 204 })
  }

  const session = await openSession({
    clock: 'virtual',
    listen: false,
    only: ['delivery-platform'],
    capabilities: { indoor: false, customer: false },
    ...others,
    handler,
    subject: { role: consumer, ...subject },
  })
  const base = session.urls.get('delivery-platform') ?? ''
  let own: string | undefined

  async function fetchHost(
    method: string,
    url: string,
    init: RequestInit,
  ): Promise<LogisticsAnswer> {
    const response = await session.fetch(new Request(url, { method, ...init }))
    const text = await response.text()
    return { status: response.status, text, json: parsed(text) }
  }

  async function token(scope?: string, host: Role = 'delivery-platform'): Promise<string> {
    const answer = await fetchHost('POST', `${session.urls.get(host)}/oauth/token`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: 'subject',
        client_secret: 'secret',
        ...(scope && { scope }),
      }),
    })
    if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`)
    return (answer.json as { access_token: string }).access_token
  }

  async function send(
    method: string,
    path: string,
    sending: Sending = {},
  ): Promise<LogisticsAnswer> {
    const bearer = sending.token === undefined ? (own ??= await token()) : sending.token
    const body = sending.body === undefined ? sending.text : JSON.stringify(sending.body)
    const answer = await fetchHost(method, path.startsWith('http') ? path : `${base}${path}`, {
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...sending.headers,
      },
      ...compact({ body }),
    })
    if (answer.status !== 401 || sending.token !== undefined) return answer
    // Virtual time may have outlived the token: fetch a new one and continue.
    own = undefined
    return send(method, path, { ...sending, token: (own = await token()) })
  }

  return {
    session,
    base,
    hooks,
    token,
    send,
    create: (orderId, more) =>
      send('POST', '/logistics/delivery', { body: deliveryRequest(orderId, more) }),
    async ask(orderId, call, body) {
      const path = `/logistics/delivery/${encodeURIComponent(orderId)}/${call}`
      return (await send('POST', path, body === undefined ? {} : { body })).status
    },
    async read(orderId) {
      const answer = await send('GET', `/logistics/delivery/${encodeURIComponent(orderId)}`)
      if (answer.status !== 200) throw new Error(`no delivery of ${orderId}: ${answer.status}`)
      return answer.json as DeliveryReply
    },
    pass: (ms) => session.advance(ms),
    async bring(orderId, status) {
      for (const trigger of callsTo[status] ?? [])
        await session.submit({
          kind: 'delivery.apply',
          orderId,
          trigger: trigger as 'assign',
        })
    },
    facts: (kind) =>
      session
        .facts()
        .flatMap(({ fact }) =>
          fact.kind === kind ? [fact as Extract<Fact, { kind: typeof kind }>] : [],
        ),
    [Symbol.asyncDispose]: () => session.close(),
  }
}
