/**
 * A correct reference Ordering Application: originates orders, hosts them for a polling Software Service, and is a
 * client of that service's accounts and of a Delivery Platform. Shares calls, tokens, retries and deliveries with the
 * Software Service.
 */
import { type AccessControl, createAccessControl } from './access-control.ts'
import { createOrderBook } from './order-book.ts'
import { defaultStore } from './delivery-body.ts'
import { createDeliveryWebhook, isSigned } from './delivery-webhook.ts'
import { isOver, type Profile, profiles, steps } from './lifecycle.ts'
import { createDurableStore } from './durable-store.ts'
import { OrderDocument } from './order-document.ts'
import { type CallReception, OrderHost } from './order-host.ts'
import { AccountClient, AccountEvent } from './account-client.ts'
import { composeOrder, type OriginalOrder, referenceMerchant } from './sample-orders.ts'
import { type OwnCapability, participantRoutes } from './own-host.ts'
import {
  createReferenceRuntime,
  type ReferenceOptions,
  type ReferenceService,
} from './reference-options.ts'
import { createRouter, errorReply, reply, type Route, type RoutedRequest } from './routes.ts'
import { parseJson } from './send.ts'
import { Shipping } from './shipping.ts'
import { logisticsCapability } from './declaration.ts'
import { z } from 'zod'

/** Routes of the reference Ordering Application: Orders, guarded by a token, and account webhooks. */
interface HostingParts {
  readonly desk: OrderHost
  readonly access: AccessControl
  readonly scopes: readonly string[]
  /** Our client secret, which signs account events. */
  readonly secret: string
  /** Called for each account event. */
  readonly onAccount: (event: AccountEvent) => void
}

const Acknowledgment = z.object({ eventIds: z.array(z.string()).min(1).max(1000) })

const callReplies: Readonly<Record<CallReception, () => Response>> = {
  accepted: () => reply(202),
  unknown: () => errorReply(404, 'ORDER_NOT_FOUND', 'there is no such order'),
  impossible: () =>
    errorReply(409, 'INVALID_ORDER_STATE_TRANSITION', 'the order cannot do that now'),
}

const orderIdIn = ({ params: [orderId = ''] }: RoutedRequest): string => orderId

function hostedRoutes(parts: HostingParts): readonly Route[] {
  const { desk, access, scopes, secret, onAccount } = parts

  const guarded = (
    method: Route['method'],
    path: string,
    answer: (asked: RoutedRequest) => Response,
  ): Route => ({
    method,
    path,
    answer: (asked) => access.denial(asked.request, scopes) ?? answer(asked),
  })

  return [
    guarded('GET', '/events:polling', () => {
      const events = desk.pending()
      return events.length === 0 ? reply(204) : reply(200, events)
    }),
    guarded('POST', '/events/acknowledgment', ({ text }) => {
      const body = Acknowledgment.safeParse(parseJson(text))
      if (!body.success) return errorReply(400, 'INVALID_PARAMETER', 'eventIds has 1 to 1000 ids')
      desk.acknowledge(body.data.eventIds)
      return reply(202)
    }),
    guarded('GET', '/orders/{orderId}', (asked) => {
      const order = desk.order(orderIdIn(asked))
      return order ? reply(200, order) : callReplies.unknown()
    }),
    ...steps.map(({ call }) =>
      guarded('POST', `/orders/{orderId}/${call}`, (asked) =>
        callReplies[desk.acceptCall(orderIdIn(asked), call)](),
      ),
    ),
    guarded('POST', '/orders/{orderId}/requestCancellation', (asked) =>
      callReplies[desk.requestCancellation(orderIdIn(asked))](),
    ),
    guarded('POST', '/webhooks/accounts', ({ request, text }) => {
      const signature = request.headers.get('x-app-signature') ?? ''
      if (!isSigned(text, secret, signature))
        return errorReply(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
      const event = AccountEvent.safeParse(parseJson(text))
      if (!event.success) return errorReply(400, 'INVALID_PARAMETER', 'this is no account event')
      onAccount(event.data)
      return reply(204)
    }),
  ]
}

/** Capabilities that the reference Ordering Application declares in its manifest. */
const served = [
  'pollingEvents',
  'acknowledgeEvents',
  'getOrder',
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
  'requestCancellation',
]

const emitted = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY_FOR_PICKUP',
  'DISPATCHED',
  'DELIVERED',
  'CANCELLATION_REQUEST_ACCEPTED',
  'CANCELLATION_REQUEST_DENIED',
  'CANCELLED',
  'CONCLUDED',
]

const originatorCapabilities = (base: string, delivers: boolean): readonly OwnCapability[] => [
  {
    name: 'orders',
    role: 'ORIGINATOR',
    endpoint: base,
    operations: served,
    originator: {
      supported: true,
      supportedOperations: served,
      unsupportedOperations: ['sendOrderTracking', 'partialItemCancellation'],
      supportedEvents: emitted,
      unsupportedEvents: [],
      supportsWebhook: false,
      supportsPolling: true,
    },
  },
  {
    name: 'indoor',
    role: 'ORIGINATOR',
    endpoint: base,
    operations: ['getAccount', 'preCloseAccount', 'createPayment', 'closeAccount'],
  },
  ...(delivers ? [logisticsCapability(base)] : []),
]

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
    new Shipping({
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

  const desk = new OrderHost({
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
  const dinner = new AccountClient({
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
