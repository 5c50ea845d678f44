/**
 * A session in which we play the Ordering Application against a scripted Loyalty host, in process. The host shares no
 * code with
 * the product, records every call, and replies as the test says.
 */
import { compact } from '../../src/compact.ts'
import { plainOrder } from './plain-order.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export interface LoyaltyCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly json: Record<string, unknown> | undefined
}

export interface LoyaltyHostAccount {
  readonly id?: string
  readonly customerId: string
  readonly programId: string
  readonly status?: string
  readonly points: number
}

export interface LoyaltyPartnerOptions extends HostSessionOptions {
  /** Operations that its manifest declares. */
  readonly declares?: readonly string[]
  readonly accounts?: readonly LoyaltyHostAccount[]
  readonly rewards?: readonly Readonly<Record<string, unknown>>[]
  /** Overrides the reply to a call; undefined for the default. */
  readonly replyTo?: (call: LoyaltyCall) => Response | undefined
}

export interface LoyaltyPartner extends Omit<HostSession, 'push'> {
  /** All calls of Loyalty, oldest first. */
  readonly calls: readonly LoyaltyCall[]
  readonly pathsOf: (method: string) => readonly string[]
  /** Creates an order of `customer-1` at the Ordering Application. */
  readonly order: (id: string) => Promise<void>
  /** Sends an event to the webhook of the Ordering Application, or to another path. */
  readonly push: (body: unknown, path?: string) => Promise<number>
}

export const loyaltyHostOperations = [
  'listLoyaltyPrograms',
  'listCustomerLoyaltyAccounts',
  'getLoyaltyAccountById',
  'listLoyaltyTransactions',
  'listLoyaltyRewards',
  'createLoyaltyRedemption',
  'listLoyaltyCoupons',
  'receiveLoyaltyEvent',
] as const

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  })

const manifest = (operations: readonly string[]): unknown => ({
  participantId: 'a-loyalty-engine',
  protocolVersion: 'v2',
  protocol: { supportedVersions: ['v2'] },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_app'],
  },
  capabilities: { customer: { supported: true, supportedOperations: operations } },
})

const account = ({ id, customerId, programId, status, points }: LoyaltyHostAccount): unknown => ({
  ...compact({ id }),
  customerId,
  programId,
  ...compact({ status }),
  summary: { pointsAvailable: points, pointsPending: 0, pointsExpiringSoon: 0 },
})

const list = (items: readonly unknown[]): Response =>
  json({ items, page: 1, pageSize: 50, total: items.length })

export async function openLoyaltyPartner(
  options: LoyaltyPartnerOptions = {},
): Promise<LoyaltyPartner> {
  const {
    declares = loyaltyHostOperations,
    accounts = [],
    rewards = [],
    replyTo: says,
    subject,
    ...others
  } = options
  const calls: LoyaltyCall[] = []

  function usual({ method, path }: LoyaltyCall): Response {
    const [, , third = '', fourth] = path.split('/')
    if (method === 'POST') return json({ status: 'ACCEPTED', correlationId: 'r' }, 202)
    if (path.startsWith('/customers/'))
      return json({
        items: accounts.filter(({ customerId }) => customerId === third).map(account),
      })
    if (path === '/loyalty/rewards') return list(rewards)
    if (path.endsWith('/transactions'))
      return list([
        { type: 'earn', amount: 40 },
        { type: 'burn', amount: -30 },
      ])
    if (path.startsWith('/loyalty/accounts/')) {
      const found = accounts.find(({ id }) => id === fourth)
      return found ? json(account(found)) : json({}, 404)
    }
    return list([])
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const path = decodeURIComponent(pathname)
    if (path === '/.well-known/protocol') return json(manifest(declares))
    if (path === '/oauth/token')
      return json({ access_token: 'let-me-in', token_type: 'bearer', expires_in: 360_000 })
    if (path === '/merchants') return json([])
    const text = await request.text()
    const call: LoyaltyCall = {
      method: request.method,
      path,
      query: search,
      requestId: request.headers.get('x-request-id') ?? '',
      json: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    }
    if (path.includes('loyalty')) calls.push(call)
    return says?.(call) ?? usual(call)
  }

  const host = await openHostSession('ordering-application', {
    listen: false,
    automatic: false,
    handler: answer,
    only: ['ordering-application'],
    ...others,
    subject: { role: 'crm', ...subject },
  })

  await host.pass(0)
  return {
    ...host,
    calls,
    pathsOf: (method) => calls.filter((call) => call.method === method).map(({ path }) => path),
    async order(id) {
      const made = await host.session.submit({ kind: 'order.create', order: plainOrder(id) })
      if (!made.ok) throw new Error(made.error.message)
    },
    push: async (body, path = '/webhooks/loyalty') => (await host.push(body, path)).status,
  }
}
