/**
 * A correct reference Ordering Application: originates orders, hosts them for a polling Software Service, and is a
 * client of
 * that service's accounts and of a Delivery Platform. Shares calls, tokens, retries and deliveries with the Software
 * Service.
 */
import { createAccess } from './access.ts'
import { createBook } from './book.ts'
import { usualStore } from './delivery-body.ts'
import { createDeliveryWebhook } from './delivery-webhook.ts'
import { isOver, profiles, type Profile } from './lifecycle.ts'
import { createMemory } from './memory.ts'
import { OrderDocument } from './order-document.ts'
import { originatorCapabilities } from './ordering/declaration.ts'
import { createDesk } from './ordering/desk.ts'
import { createDinner } from './ordering/dinner.ts'
import { hostedRoutes, orderIdIn, receptions } from './ordering/hosting.ts'
import { merchant, newOrder, type OriginalOrder } from './ordering/menu.ts'
import { ownRoutes } from './own-host.ts'
import { equip, type ReferenceOptions, type ReferenceService } from './reference-options.ts'
import { complaint, createRouter, reply, type Route } from './routes.ts'
import { parsed } from './send.ts'
import { createShipping } from './shipping.ts'

export interface OrderingApplicationOptions extends ReferenceOptions {
  /** Milliseconds from a 202 to its effect. */
  readonly processingMs?: number
  /** Milliseconds from the end of an order to CONCLUDED. */
  readonly concludeMs?: number
  /** The reply to a cancellation request of the store. */
  readonly cancellation?: 'accept' | 'deny'
}

export interface OriginView {
  readonly orderId: string
  readonly status: string
  /** The status of the account of its table, at the last read. */
  readonly account?: string
}

export interface OrderingApplication extends ReferenceService {
  /** Places an order; returns its id, or undefined when there is no room. */
  readonly place: (profile: Profile) => string | undefined
  readonly view: (orderId: string) => OriginView | undefined
}

export function createOrderingApplication(
  options: OrderingApplicationOptions,
): OrderingApplication {
  const equipment = equip(options)
  const { base, clock, life, credentials, protocol, scope } = equipment
  const { processingMs = 100, concludeMs = 20_000, cancellation = 'accept' } = options
  const secret = credentials.clientSecret
  const domain = [scope('orders'), scope('all')]
  const memory = createMemory()
  const book = createBook({ life, memory })
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
      store: usualStore,
    })
  const access = createAccess({ clock, clients: options.clients })
  let placed = 0

  const desk = createDesk({
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
  const dinner = createDinner({
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
    if (indoor && order.status !== 'CANCELLED') dinner.sit(indoor)
    const ticket = shipping && book.open(order.id)
    if (!ticket) return
    ticket.order = OrderDocument.parse(order)
    ticket.status = order.status
    ticket.cancelled ||= order.status === 'CANCELLED'
    shipping.consider(ticket, 'news')
  }

  function place(profile: Profile): string | undefined {
    const order = newOrder(++placed, profile, clock)
    return desk.place(order) ? order.id : undefined
  }

  function view(orderId: string): OriginView | undefined {
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
        const { type } = (parsed(text) ?? {}) as { readonly type?: Profile }
        const orderId = place(type && profiles.includes(type) ? type : 'DELIVERY')
        return orderId === undefined
          ? complaint(503, 'UNAVAILABLE', 'too many open orders')
          : reply(201, { orderId })
      },
    },
    {
      method: 'GET',
      path: '/probe/orders/{orderId}',
      answer(asked) {
        const seen = view(orderIdIn(asked))
        return seen ? reply(200, seen) : receptions.unknown()
      },
    },
    {
      method: 'POST',
      path: '/probe/orders/{orderId}/cancel',
      answer: (asked) => receptions[desk.cancel(orderIdIn(asked))](),
    },
  ]

  const deliveries = (): readonly Route[] => {
    if (!shipping) return []
    const scopes = ['logistics.events.write', scope('logistics'), scope('all')]
    const answer = createDeliveryWebhook({ access, shipping, secret, scopes })
    return [{ method: 'POST', path: '/webhooks/delivery', answer }]
  }

  return {
    fetch: createRouter([
      ...ownRoutes({
        participantId: 'reference-ordering-application',
        protocol,
        capabilities: originatorCapabilities(base, platform !== undefined),
        access,
        merchants: () => [merchant],
      }),
      ...hostedRoutes({
        desk,
        access,
        scopes: domain,
        secret,
        onAccount(event) {
          if (memory.first(`account-event/${event.eventId}`)) dinner.hear(event)
        },
      }),
      ...deliveries(),
      ...probes,
    ]),
    start() {
      for (const each of platform ? [house, platform] : [house])
        life.go(async () => void (await each.declared()))
    },
    stop: life.end,
    place,
    view,
  }
}
