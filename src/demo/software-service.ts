/**
 * A correct reference Software Service, written from the protocol documents alone: receives orders by polling, webhook
 * or both and takes each through its lifecycle. The product is tested against it, so defects can be switched on.
 */
import { createAccessControl } from './access-control.ts'
import { createOrderBook, type Ticket } from './order-book.ts'
import { logisticsCapability, ordersCapability } from './declaration.ts'
import { type DeliveryPlace, defaultStore } from './delivery-body.ts'
import { createDeliveryWebhook } from './delivery-webhook.ts'
import { createIntake } from './intake.ts'
import { isOver } from './lifecycle.ts'
import { createDurableStore } from './durable-store.ts'
import { createOrderProcessor } from './order-processor.ts'
import { participantRoutes } from './own-host.ts'
import { startPolling } from './polling.ts'
import {
  createReferenceRuntime,
  type ReferenceOptions,
  type ReferenceService,
} from './reference-options.ts'
import { type RoutedRequest, errorReply, createRouter, reply, type Route } from './routes.ts'
import { createShipping } from './shipping.ts'
import type { StoreContext } from './store-context.ts'
import { createOrderWebhook } from './order-webhook.ts'

export interface SoftwareServiceOptions extends ReferenceOptions {
  readonly channel?: 'polling' | 'webhook' | 'both'
  /** Whether a webhook needs a token besides its signature; `bearer` by default. */
  readonly webhookAccess?: 'bearer' | 'signature'
  /** The pickup address. */
  readonly store?: DeliveryPlace
  /** File of the durable store; in memory only when absent. */
  readonly memory?: string
  /** Maximum number of orders in memory. */
  readonly maxOrders?: number
}

/** The state of an order in this service. */
export interface OrderView {
  readonly orderId: string
  /** The status at the last read; null before the first. */
  readonly status: string | null
  readonly delivery?: { readonly state: string; readonly status?: string }
}

export interface SoftwareService extends ReferenceService {
  readonly view: (orderId: string) => OrderView | undefined
  /** Requests the cancellation of an order; resolves with the status code of the reply. */
  readonly requestCancellation: (orderId: string) => Promise<number | undefined>
}

function viewOf({ orderId, status, shipment }: Ticket): OrderView {
  const order = { orderId, status: status ?? null }
  if (!shipment) return order
  const { state, status: deliveryStatus } = shipment
  return {
    ...order,
    delivery: { state, ...(deliveryStatus === undefined ? {} : { status: deliveryStatus }) },
  }
}

export function createSoftwareService(options: SoftwareServiceOptions): SoftwareService {
  const equipment = createReferenceRuntime(options)
  const { base, clock, credentials, life, protocol, scope, complain } = equipment
  const { channel = 'polling', store = defaultStore } = options
  const polls = channel !== 'webhook'
  const listens = channel !== 'polling'
  const secret = credentials.clientSecret
  const domain = [scope('orders'), scope('all')]

  const memory = createDurableStore({ file: options.memory })
  const book = createOrderBook({ life, memory, maxOrders: options.maxOrders })
  const partner = equipment.partner({
    url: options.partner,
    capability: 'orders',
    side: 'originator',
    scope: scope('orders'),
  })
  const shop: StoreContext = { ...equipment, memory, book, partner, desk: {} }
  const platform = equipment.platform(options.platform)
  const shipping = platform && createShipping({ ...shop, serves: partner.serves, platform, store })
  const orders = createOrderProcessor({ ...shop, shipping })
  const intake = createIntake({ ...shop, begin: orders.start })
  const access = createAccessControl({ clock, clients: options.clients })

  /** A probe handler for one order; 404 when it is unknown. */
  const probe =
    (then: (ticket: Ticket) => Response | Promise<Response>) =>
    ({ params: [orderId = ''] }: RoutedRequest): Response | Promise<Response> => {
      const ticket = book.get(orderId)
      return ticket ? then(ticket) : errorReply(404, 'ORDER_NOT_FOUND', `no order ${orderId} here`)
    }

  const webhooks: readonly Route[] = [
    {
      method: 'POST',
      path: '/webhooks/orders',
      answer: createOrderWebhook({
        ...shop,
        intake,
        access,
        secret,
        scopes: options.webhookAccess === 'signature' ? undefined : domain,
      }),
    },
  ]

  const deliveries = (): readonly Route[] => {
    if (!shipping) return []
    const scopes = ['logistics.events.write', scope('logistics'), scope('all')]
    const answer = createDeliveryWebhook({ access, shipping, secret, scopes })
    return [{ method: 'POST', path: '/webhooks/delivery', answer }]
  }

  const routes: readonly Route[] = [
    ...participantRoutes({
      participantId: 'reference-software-service',
      protocol,
      capabilities: [
        ordersCapability({ base, polls, listens }),
        ...(platform ? [logisticsCapability(base)] : []),
      ],
      access,
      merchants: partner.merchants,
    }),
    ...(listens ? webhooks : []),
    ...deliveries(),
    {
      method: 'GET',
      path: '/probe/orders/{orderId}',
      answer: probe((ticket) => reply(200, viewOf(ticket))),
    },
    {
      method: 'POST',
      path: '/probe/orders/{orderId}/request-cancellation',
      answer: probe(async (ticket) =>
        reply(202, { answered: (await orders.requestCancellation(ticket)) ?? null }),
      ),
    },
  ]

  /** Warns when the partner does not declare a configured channel, which then stays silent. */
  async function checkChannels(): Promise<void> {
    const declared = await partner.discover()
    if (!declared) return
    if (polls && !declared.supportsPolling) complain('the partner declares no polling')
    if (listens && !declared.supportsWebhook) complain('the partner declares no webhooks')
  }

  return {
    fetch: createRouter(routes),
    start() {
      life.runInBackground(checkChannels)
      for (const each of platform ? [partner, platform] : [partner])
        life.runInBackground(async () => void (await each.discover()))
      // Resumes the stored orders.
      for (const ticket of book.all()) {
        shipping?.resume(ticket)
        if (!isOver(ticket.status)) orders.start(ticket)
      }
      if (polls) startPolling({ ...shop, intake })
    },
    stop: life.end,
    view(orderId) {
      const ticket = book.get(orderId)
      return ticket && viewOf(ticket)
    },
    async requestCancellation(orderId) {
      const ticket = book.get(orderId)
      return ticket && orders.requestCancellation(ticket)
    },
  }
}
