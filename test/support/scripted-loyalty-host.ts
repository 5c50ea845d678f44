/**
 * A session in which we play the Ordering Application against a scripted Loyalty host, in process. The host shares no
 * code with the product, records every call, and replies as the test says.
 */
import { compact } from '../../src/core/base/compact.ts'
import { plainOrder } from './plain-order.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'
import {
  createScriptedHost,
  type HostCall,
  hostManifest,
  type HostReply,
  refusal,
} from './scripted-host.ts'

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
  readonly replyTo?: (call: HostCall) => HostReply | undefined
}

export interface LoyaltyPartner extends Omit<HostSession, 'push'> {
  /** All calls of Loyalty, oldest first. */
  readonly calls: readonly HostCall[]
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

const account = ({ id, customerId, programId, status, points }: LoyaltyHostAccount): unknown => ({
  ...compact({ id }),
  customerId,
  programId,
  ...compact({ status }),
  summary: { pointsAvailable: points, pointsPending: 0, pointsExpiringSoon: 0 },
})

const list = (items: readonly unknown[]): HostReply => ({
  status: 200,
  body: { items, page: 1, pageSize: 50, total: items.length },
})

export async function openLoyaltyPartner(
  options: LoyaltyPartnerOptions = {},
): Promise<LoyaltyPartner> {
  const {
    declares = loyaltyHostOperations,
    accounts = [],
    rewards = [],
    replyTo,
    subject,
    ...others
  } = options

  function usual({ method, path }: HostCall): HostReply {
    const [, , third = '', fourth] = path.split('/').map(decodeURIComponent)
    if (method === 'POST') return { status: 202, body: { status: 'ACCEPTED', correlationId: 'r' } }
    if (path.startsWith('/customers/'))
      return list(accounts.filter(({ customerId }) => customerId === third).map(account))
    if (path === '/loyalty/rewards') return list(rewards)
    if (path.endsWith('/transactions'))
      return list([
        { type: 'earn', amount: 40 },
        { type: 'burn', amount: -30 },
      ])
    if (path.startsWith('/loyalty/accounts/')) {
      const found = accounts.find(({ id }) => id === fourth)
      return found ? { status: 200, body: account(found) } : refusal(404, 'NOT_FOUND')
    }
    return list([])
  }

  const engine = createScriptedHost<string>({
    operations: {},
    nameOf: (path) => path,
    manifest: () =>
      hostManifest('a-loyalty-engine', {
        customer: { supported: true, supportedOperations: declares },
      }),
    tokenLifeSeconds: 360_000,
    reply: (call) => replyTo?.(call) ?? usual(call),
  })
  const calls = () => engine.calls.filter(({ path }) => path.includes('loyalty'))
  const host = await openHostSession('ordering-application', {
    listen: false,
    automatic: false,
    handler: engine.fetch,
    only: ['ordering-application'],
    ...others,
    subject: { role: 'crm', ...subject },
  })

  await host.pass(0)
  return {
    ...host,
    get calls() {
      return calls()
    },
    pathsOf: (method) =>
      calls()
        .filter((call) => call.method === method)
        .map(({ path }) => path),
    async order(id) {
      const made = await host.session.submit({ kind: 'order.create', order: plainOrder(id) })
      if (!made.ok) throw new Error(made.error.message)
    },
    push: async (body, path = '/webhooks/loyalty') => (await host.push(body, path)).status,
  }
}
