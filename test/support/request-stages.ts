/** Sessions in which the requests of `request-plans.ts` succeed, each with what a request needs made anew. */
import type { Conduct } from '../../src/core/protocol/conduct.ts'
import type { OrderTrigger } from '../../src/core/protocol/orders/lifecycle.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import { openDeliverySession } from './delivery-session.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'
import { openIndoorWire } from './indoor-wire.ts'
import { openLogisticsWire } from './logistics-wire.ts'
import { openLoyaltyWire } from './loyalty-wire.ts'
import { createOriginator } from './scripted-ordering-application.ts'
import { openOrdersWire } from './wire.ts'

export type BodiesConduct = Conduct['bodies']

/** What a request names, by the placeholder in its path and body. */
export type Names = Readonly<Record<string, string>>
const noNames: Names = {}

/** A session with what its requests need, made anew for each request. */
export interface Stage extends Pick<HostSession, 'session' | 'send' | 'push'>, AsyncDisposable {
  readonly prepare: (needs: Needs, orderType: OrderType) => Promise<Names>
}
export type Needs =
  | 'order'
  | 'confirmed order'
  | 'ready order'
  | 'polled event'
  | 'delivery'
  | 'delivery on its way'

const triggersTo: Readonly<Partial<Record<Needs, readonly OrderTrigger[]>>> = {
  'confirmed order': ['confirm'],
  'ready order': ['confirm', 'ready-for-pickup'],
}

/** The id of an event that a poll returned, and that waits for its acknowledgment. */
async function polledEvent({ send }: Pick<HostSession, 'send'>, prefix: string): Promise<string> {
  const { json } = await send('GET', `${prefix}/events:polling`)
  const [event] = json as readonly { readonly eventId: string }[]
  return event?.eventId ?? ''
}

async function openOrderStage(options: HostSessionOptions, prefix = ''): Promise<Stage> {
  const { read: _read, ...wire } = await openOrdersWire({ listen: false, ...options })
  const { session, pass } = wire
  return {
    ...wire,
    async prepare(needs, type) {
      const orderId = await wire.create({ type })
      for (const trigger of triggersTo[needs] ?? [])
        await session.submit({ kind: 'order.apply', orderId, trigger })
      await pass(0)
      const { order } = await session.look({ orderId })
      const { items = [] } = (order?.document ?? {}) as { items?: readonly { id: string }[] }
      const eventId = needs === 'polled event' ? await polledEvent(wire, prefix) : ''
      return { orderId, itemId: items[0]?.id ?? '', eventId }
    },
  }
}

/** Two tables with an order each. */
async function openStoreStage(bodies: BodiesConduct): Promise<Stage> {
  const wire = await openIndoorWire({ conduct: { bodies } })
  let tables = 0
  return {
    session: wire.session,
    push: wire.push,
    send: (method, path, sending) => wire.send(method, path, sending?.body),
    async prepare() {
      const [table, otherTable] = [`t-${++tables}`, `t-${++tables}`]
      const account = await wire.account('IN_USE', table)
      const other = await wire.account('IN_USE', otherTable)
      return {
        table,
        otherTable,
        otherAccount: other.accountId ?? '',
        item: account.items[0]?.itemId ?? '',
      }
    },
    [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose](),
  }
}

async function openPlatformStage(bodies: BodiesConduct): Promise<Stage> {
  const { token: _token, read: _read, ...wire } = await openLogisticsWire({ conduct: { bodies } })
  let made = 0
  return {
    ...wire,
    async prepare(needs) {
      const orderId = `made-${++made}`
      if (needs === 'delivery' || needs === 'delivery on its way') await wire.create(orderId)
      if (needs === 'delivery on its way') await wire.bring(orderId, 'IN_TRANSIT')
      return { orderId }
    },
  }
}

async function openCrmStage(bodies: BodiesConduct): Promise<Stage> {
  const wire = await openLoyaltyWire({ listen: false, conduct: { bodies } })
  let customers = 0
  return {
    ...wire,
    async prepare() {
      const customerId = `c-${++customers}`
      const accountId = await wire.customer(customerId, 100_000)
      const { items } = await wire.read<{ items: { id: string; programId: string }[] }>(
        '/loyalty/rewards',
      )
      const account = await wire.read<{ programId: string }>(`/loyalty/accounts/${accountId}`)
      const { programId } = account
      const reward = items.find((each) => each.programId === programId)
      return { customerId, accountId, programId, rewardId: reward?.id ?? '' }
    },
  }
}

async function openTicketStage(options: SessionOptions): Promise<Stage> {
  const host = await openHostSession('software-service', {
    listen: false,
    automatic: false,
    handler: createOriginator().fetch,
    counterparts: { 'ordering-application': { channel: 'both' } },
    ...options,
    subject: { role: 'ordering-application' },
  })
  return { ...host, prepare: () => Promise.resolve(noNames) }
}

const openStages = {
  ordering: (bodies: BodiesConduct) =>
    openOrderStage({ conduct: { bodies }, capabilities: { logistics: false } }),
  store: openStoreStage,
  ticket: (bodies: BodiesConduct) => openTicketStage({ conduct: { bodies } }),
  platform: openPlatformStage,
  delivery: async (bodies: BodiesConduct) => {
    const { session, send, post } = await openDeliverySession({ conduct: { bodies } })
    return {
      session,
      send,
      push: (event: unknown, path: string) => post(path, event),
      prepare: () => Promise.resolve(noNames),
      [Symbol.asyncDispose]: () => session.close(),
    }
  },
  crm: openCrmStage,
  v1: (bodies: BodiesConduct) =>
    openOrderStage({ dialect: 'v1', capabilities: {}, conduct: { bodies } }, '/v1'),
  'v1 ticket': (bodies: BodiesConduct) =>
    openTicketStage({ dialect: 'v1', capabilities: {}, conduct: { bodies } }),
} as const satisfies Readonly<Record<string, (bodies: BodiesConduct) => Promise<Stage>>>

export type StageName = keyof typeof openStages
export const stageNames = Object.keys(openStages) as readonly StageName[]

export const openStage = (name: StageName, bodies: BodiesConduct): Promise<Stage> =>
  openStages[name](bodies)
