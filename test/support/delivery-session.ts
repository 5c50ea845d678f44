/**
 * A session in which we play the Ordering Application and the Software Service against a scripted Delivery Platform, in
 * process and on virtual time. Tests move the orders themselves and push events as the platform would.
 */
import { compact } from '../../src/core/base/compact.ts'
import { type ShipmentRecord, shipmentKey } from '../../src/core/engine/logistics/shipment.ts'
import type { OrderTrigger } from '../../src/core/protocol/orders/lifecycle.ts'
import type { NewOrder } from '../../src/core/session-api/session-api.ts'
import {
  createPlatform,
  type Platform,
  type PlatformOptions,
} from './scripted-delivery-platform.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export type LogisticsConsumer = 'ordering-application' | 'software-service'

export interface DeliverySessionOptions extends HostSessionOptions {
  readonly platform?: PlatformOptions | Platform
  readonly consumer?: LogisticsConsumer
}

export interface DeliverySession extends Omit<HostSession, 'push'> {
  readonly platform: Platform
  /** Creates a confirmed DELIVERY order; resolves with its id. */
  readonly createConfirmed: (wish?: NewOrder) => Promise<string>
  /** Moves an order at the Ordering Application. */
  readonly move: (orderId: string, trigger: OrderTrigger, force?: true) => Promise<void>
  /** Sends an event to the webhook of the consumer; resolves with the status code. */
  readonly push: (event: unknown, path?: string) => Promise<number>
  /** The status of the order on GET. */
  readonly status: (orderId: string) => Promise<string | undefined>
  /** The shipment in the snapshot of the session. */
  readonly shipment: (orderId: string) => Promise<ShipmentRecord | undefined>
  /** The calls to the platform and the statuses of the order, in chronological order. */
  readonly timeline: () => readonly string[]
}

export async function openDeliverySession(
  options: DeliverySessionOptions = {},
): Promise<DeliverySession> {
  const { platform: given = {}, consumer = 'ordering-application', subject, ...others } = options
  const platform = 'fetch' in given ? given : createPlatform(given)
  const host = await openHostSession(consumer, {
    listen: false,
    only: ['ordering-application'],
    capabilities: { indoor: false, customer: false },
    ...others,
    handler: platform.fetch,
    subject: { role: 'delivery-platform', ...subject },
  })
  const { session, pass } = host
  await pass(0)

  async function move(orderId: string, trigger: OrderTrigger, force?: true): Promise<void> {
    await session.submit({ kind: 'order.apply', orderId, trigger, ...compact({ force }) })
    await pass(0)
  }

  return {
    ...host,
    platform,
    async createConfirmed(wish) {
      const made = await session.createOrder({ type: 'DELIVERY', ...wish })
      if (!made.ok) throw new Error(made.error.message)
      await move(made.value.orderId, 'confirm')
      return made.value.orderId
    },
    move,
    async push(event, path = '/webhooks/delivery') {
      const { status } = await host.post(path, event)
      await pass(0)
      return status
    },
    async status(orderId) {
      return (await session.look({ orderId })).order?.row.status
    },
    async shipment(orderId) {
      const id = shipmentKey(consumer, orderId)
      const { entity } = await session.look({ entity: { kind: 'delivery', id } })
      return entity?.document as ShipmentRecord | undefined
    },
    timeline: () =>
      session.facts().flatMap(({ fact }) => {
        if (fact.kind === 'order.moved') return [`order ${fact.to}`]
        const called =
          fact.kind === 'call.placed' &&
          fact.call.to === 'delivery-platform' &&
          fact.call.attempt === 1
        return called &&
          fact.call.operation !== 'getManifest' &&
          fact.call.operation !== 'listMerchants'
          ? [fact.call.operation]
          : []
      }),
  }
}
