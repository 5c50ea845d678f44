/**
 * A correct reference Ordering Application: originates orders, hosts them for a polling Software Service, and is a
 * client of that service's accounts and of a Delivery Platform. Shares calls, tokens, retries and deliveries with the
 * Software Service.
 */
import { createAccessControl } from './access-control.ts'
import { createOrderBook } from './order-book.ts'
import { defaultStore } from './delivery-body.ts'
import { createDeliveryWebhook } from './delivery-webhook.ts'
import { isOver, profiles, type Profile } from './lifecycle.ts'
import { createDurableStore } from './durable-store.ts'
import { OrderDocument } from './order-document.ts'
import { originatorCapabilities } from './ordering-declaration.ts'
import { createOrderHost } from './order-host.ts'
import { createAccountClient } from './account-client.ts'
import { hostedRoutes, orderIdIn, callReplies } from './hosting.ts'
import { referenceMerchant, composeOrder, type OriginalOrder } from './sample-orders.ts'
import { participantRoutes } from './own-host.ts'
import {
  createReferenceRuntime,
  type ReferenceOptions,
  type ReferenceService,
} from './reference-options.ts'
import { errorReply, createRouter, reply, type Route } from './routes.ts'
import { parseJson } from './send.ts'
import { createShipping } from './shipping.ts'

export interface OrderingApplicationOptions extends ReferenceOptions {
  /** Milliseconds from a 202 to its effect. */
  readonly processingMs?: number
  /** Milliseconds from the end of an order to CONCLUDED. */
  readonly concludeMs?: number
  /** The reply to a cancellation request of the store. */
  readonly cancellation?: 'accept' | 'deny'
}

export interface OriginatedOrderView {
  readonly orderId: string
  readonly status: string
  /** The status of the account of its table, at the last read. */
  readonly account?: string
}

export interface OrderingApplication extends ReferenceService {
  /** Places an order; returns its id, or undefined when there is no room. */
  readonly place: (profile: Profile) => string | undefined
  readonly view: (orderId: string) => OriginatedOrderView | undefined
}

export function createOrderingApplication(
  options: OrderingApplicationOptions,
): OrderingApplication {
  const equipment = createReferenceRuntime(options)
  const { base, clock, life, credentials, protocol, scope } = equipment
  const { processingMs = 100, concludeMs = 20_000, cancellation = 'accept' } = options
  const secret = credentials.clientSecret
  const domain = [scope('orders'), scope('all')]
  const memory = createDurableStore()
  const book = createOrderBook({ life, memory })
  const house = equipment.partner({
    url: options.partner,
    capability: 'indoor',
    side: 'receiver',
    scope: scope('orders'),
  })
  const platform = equipment.platform(options.platform)
  const shipping =
    platform &&
    createShipping({
      ...equipment,
      book,
      memory,
      desk: {},
      serves: () => true,
      platform,
      store: defaultStore,
    })
  const access = createAccessControl({ clock, clients: options.clients })
  let placed = 0

  const desk = createOrderHost({
    ...equipment,
    processingMs,
    concludeMs,
    cancellation,
    onMoved: moved,
    async beforeCancel({ id }) {
      const ticket = book.get(id)
      if (ticket) await shipping?.withdraw(ticket)
    },
  })
  const dinner = createAccountClient({
    ...equipment,
    house,
    isServed(orderId) {
      const order = desk.order(orderId)
      return !order || isOver(order.status)
    },
  })

  /** Passes a status change on to the account client and the delivery. */
  function moved(order: OriginalOrder): void {
    const { indoor } = order.fulfillment
    // Before confirmation the store may not have read the order, so there is no account yet.
    if (indoor && order.status !== 'CANCELLED') dinner.follow(indoor)
    const ticket = shipping && book.open(order.id)
    if (!ticket) return
    ticket.order = OrderDocument.parse(order)
    ticket.status = order.status
    ticket.cancelled ||= order.status === 'CANCELLED'
    shipping.onOrderRead(ticket, 'news')
  }

  function place(profile: Profile): string | undefined {
    const order = composeOrder(++placed, profile, clock)
    return desk.place(order) ? order.id : undefined
  }

  function view(orderId: string): OriginatedOrderView | undefined {
    const order = desk.order(orderId)
    if (!order) return undefined
    const { indoor } = order.fulfillment
    const account = indoor && dinner.statusOf(indoor.identifier)
    return { orderId, status: order.status, ...(account === undefined ? {} : { account }) }
  }

  /** Endpoints for the operator, outside the protocol. */
  const probes: readonly Route[] = [
    {
      method: 'POST',
      path: '/probe/orders',
      answer({ text }) {
        const { type } = (parseJson(text) ?? {}) as { readonly type?: Profile }
        const orderId = place(type && profiles.includes(type) ? type : 'DELIVERY')
        return orderId === undefined
          ? errorReply(503, 'UNAVAILABLE', 'too many open orders')
          : reply(201, { orderId })
      },
    },
    {
      method: 'GET',
      path: '/probe/orders/{orderId}',
      answer(asked) {
        const order = view(orderIdIn(asked))
        return order ? reply(200, order) : callReplies.unknown()
      },
    },
    ...['cancel', 'request-cancellation'].map((call): Route => ({
      method: 'POST',
      path: `/probe/orders/{orderId}/${call}`,
      answer: (asked) => callReplies[desk.cancel(orderIdIn(asked))](),
    })),
  ]

  const deliveries = (): readonly Route[] => {
    if (!shipping) return []
    const scopes = ['logistics.events.write', scope('logistics'), scope('all')]
    const answer = createDeliveryWebhook({ access, shipping, secret, scopes })
    return [{ method: 'POST', path: '/webhooks/delivery', answer }]
  }

  return {
    fetch: createRouter([
      ...participantRoutes({
        participantId: 'reference-ordering-application',
        protocol,
        capabilities: originatorCapabilities(base, platform !== undefined),
        access,
        merchants: () => [referenceMerchant],
      }),
      ...hostedRoutes({
        desk,
        access,
        scopes: domain,
        secret,
        onAccount(event) {
          if (memory.markProcessed(`account-event/${event.eventId}`)) dinner.onEvent(event)
        },
      }),
      ...deliveries(),
      ...probes,
    ]),
    start() {
      for (const each of platform ? [house, platform] : [house])
        life.runInBackground(async () => void (await each.discover()))
    },
    stop: life.end,
    place,
    view,
  }
}
