/**
 * A scripted partner for Customer, as a fetch handler: a CRM that is pushed to, or an Ordering Application that is
 * pulled from. It
 * shares no code with the product, records every call, and replies as the test says.
 */
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

type Json = Readonly<Record<string, unknown>>

export interface CustomerCall {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly json: Json
  /** Session instant of the call. */
  readonly at: number
}

export interface CustomerReply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

type Scripted = (seen: CustomerCall, nth: number) => CustomerReply | undefined

/** Operations that the partner declares by default. */
export const allCustomerOperations = [
  'listCustomers',
  'upsertCustomers',
  'listLeads',
  'upsertLeads',
  'listOrders',
  'upsertOrders',
  'getOrderById',
  'listReviews',
  'createReviews',
  'getReviewById',
  'receiveCustomerEvent',
]

export interface CustomerPartner extends HostSession {
  /** All calls of Customer, oldest first. */
  readonly calls: readonly CustomerCall[]
  /** The calls to one path. */
  readonly to: (path: string) => readonly CustomerCall[]
  /** The received events, without envelope. */
  readonly events: () => readonly Json[]
  /** Sets the reply of a path. */
  readonly script: (path: string, scripted: Scripted) => void
}

export interface CustomerPartnerOptions extends HostSessionOptions {
  /** The role of the scripted partner. */
  readonly plays: 'crm' | 'ordering-application'
  readonly mode?: 'push' | 'pull' | 'hybrid'
  /** Fields that override its Customer block; no block when null. */
  readonly declares?: Json | null
  /** Additional capabilities. */
  readonly beside?: readonly Json[]
}

export async function openCustomerPartner(
  options: CustomerPartnerOptions,
): Promise<CustomerPartner> {
  const { plays, mode, declares = {}, beside = [], subject, counterparts, ...others } = options
  const own = plays === 'crm' ? 'ordering-application' : 'crm'
  const base = `http://${plays}.test`
  const calls: CustomerCall[] = []
  const scripts = new Map<string, Scripted>()
  const counts = new Map<string, number>()

  const manifest = () => ({
    participantId: 'by-hand',
    protocolVersion: 'v2',
    protocol: { supportedVersions: ['v2'] },
    authentication: {
      supportedGrantTypes: ['client_credentials'],
      clientIdGeneration: ['by_app'],
    },
    capabilities: [
      ...(declares === null
        ? []
        : [
            {
              name: 'customer',
              role: 'RECEIVER',
              endpoint: base,
              operations: allCustomerOperations,
              supportedOperations: allCustomerOperations,
              ...declares,
            },
          ]),
      ...beside,
    ],
  })

  const usual = (seen: CustomerCall): CustomerReply => {
    if (seen.method === 'GET') return { status: 200, body: { items: [], page: 1, total: 0 } }
    return { status: seen.path.startsWith('/webhooks/') ? 204 : 202 }
  }

  async function answer(request: Request): Promise<CustomerReply> {
    const url = new URL(request.url)
    const text = await request.text()
    const path = url.pathname
    if (path.startsWith('/.well-known/')) return { status: 200, body: manifest() }
    if (path === '/oauth/token')
      return { status: 200, body: { access_token: 'in', token_type: 'bearer', expires_in: 36000 } }
    if (path === '/merchants') return { status: 200, body: [] }
    const seen: CustomerCall = {
      method: request.method,
      path,
      query: url.searchParams,
      headers: Object.fromEntries(request.headers),
      json: (text === '' ? {} : JSON.parse(text)) as Json,
      at: host.session.facts().at(-1)?.at ?? 0,
    }
    calls.push(seen)
    const nth = (counts.get(path) ?? 0) + 1
    counts.set(path, nth)
    return scripts.get(path)?.(seen, nth) ?? usual(seen)
  }

  const host = await openHostSession(own, {
    listen: false,
    ...others,
    only: [own],
    capabilities: { indoor: false, logistics: false, loyalty: false, ...others.capabilities },
    subject: { ...subject, role: plays },
    counterparts: {
      ...counterparts,
      ...(mode ? { crm: { ...counterparts?.crm, mode } } : {}),
    },
    handler: async (request) => {
      const { status, body, headers } = await answer(request)
      const text = body === undefined ? null : JSON.stringify(body)
      return new Response(text, {
        status,
        headers: { ...(text === null ? {} : { 'content-type': 'application/json' }), ...headers },
      })
    },
  })

  return {
    ...host,
    calls,
    to: (path) => calls.filter((each) => each.path === path),
    events: () => calls.flatMap(({ json }) => ('event' in json ? [json['event'] as Json] : [])),
    script: (path, scripted) => scripts.set(path, scripted),
  }
}
