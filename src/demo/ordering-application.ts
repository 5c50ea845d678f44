/**
 * An Ordering Application as a good integrator would write it, the smaller of the two: it originates orders, hosts them
 * for a Software Service that polls, and as a client uses that service's accounts and a Delivery Platform. It shares
 * everything about calls, tokens, patience and deliveries with the Software Service.
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
  /** From 202 to its effect. */
  readonly processingMs?: number
  /** From the end of an order to CONCLUDED. */
  readonly concludeMs?: number
  /** What becomes of a cancellation that the store asks for. */
  readonly cancellation?: 'accept' | 'deny'
}

export interface OriginView {
  readonly orderId: string
  readonly status: string
  /** The status of its table's account, when it was last read. */
  readonly account?: string
}

export interface OrderingApplication extends ReferenceService {
  /** Somebody orders; answers the order's id, or undefined when there is no room for it. */
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

  /** What a change of an order means for those who eat it or bring it. */
  function moved(order: OriginalOrder): void {
    const { indoor } = order.fulfillment
    // Before it is confirmed the house may not have read it: there is no account to look for.
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

  /** What an operator may do, which is no part of the protocol. */
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
