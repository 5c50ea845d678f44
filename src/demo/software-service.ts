/**
 * A correct reference Software Service, written from the protocol documents alone: receives orders by polling, webhook
 * or both and takes each through its lifecycle. The product is tested against it, so defects can be switched on.
 */
import { type AccessControl, createAccessControl } from './access-control.ts'
import { createOrderBook, type Ticket } from './order-book.ts'
import { logisticsCapability, ordersCapability } from './declaration.ts'
import { defaultStore, type DeliveryPlace } from './delivery-body.ts'
import { createDeliveryWebhook, isSigned } from './delivery-webhook.ts'
import { Intake, type IntakeResult } from './intake.ts'
import type { WakeSignal } from './lifetime.ts'
import { isOver, statusByEventType, statusRank } from './lifecycle.ts'
import type { DefectSwitch } from './defects.ts'
import { createDurableStore, type StoredLine } from './durable-store.ts'
import { OrderProcessor } from './order-processor.ts'
import { participantRoutes } from './own-host.ts'
import {
  createReferenceRuntime,
  type ReferenceOptions,
  type ReferenceService,
} from './reference-options.ts'
import { Printer } from './printer.ts'
import { createRouter, errorReply, reply, type Route, type RoutedRequest } from './routes.ts'
import { Shipping } from './shipping.ts'
import type { StoreContext } from './store-context.ts'
import { EventIdentity, OrderEvent } from './order-document.ts'
import { createRetryState, createSingleAttempt } from './retry-state.ts'
import { parseJson } from './send.ts'

/**
 * The polling channel: polls at a fixed interval and acknowledges every event once it is stored, used or not. Polls
 * wait neither for acknowledgments nor for the processing of orders.
 */
interface PollingParts extends StoreContext {
  readonly intake: Intake
}

/** Maximum number of ids in one acknowledgment. */
const maxIds = 1000

/** Number of consecutive failed polls after which the pause stops growing. */
const maxFailures = 2

const isUsed = (value: unknown): boolean => {
  const { data } = OrderEvent.safeParse(value)
  return data !== undefined && statusByEventType.has(data.eventType)
}

/** GET of the order of an event, without retries. */
const readOf = (partner: StoreContext['partner'], { orderId }: OrderEvent) =>
  partner.callWithRetry(
    { operation: 'getOrder', method: 'GET', path: `/orders/${encodeURIComponent(orderId)}` },
    { retry: createSingleAttempt() },
  )

const isReadable = async (partner: StoreContext['partner'], event: OrderEvent): Promise<boolean> =>
  (await readOf(partner, event)).kind === 'answered'

class Poller {
  readonly #shop: PollingParts
  readonly #wrong: PollingParts['wrong']
  readonly #life: PollingParts['life']
  readonly #bell: WakeSignal
  readonly #ackBell: WakeSignal
  readonly #ackRetry = createRetryState()
  /** Ids that are stored but not acknowledged yet, with their orders. */
  readonly #unacknowledged = new Map<string, string>()
  #acknowledging = false
  #polls = 0
  #lastSize = 0

  constructor(shop: PollingParts) {
    this.#shop = shop
    this.#wrong = shop.wrong
    this.#life = shop.life
    this.#bell = this.#life.createSignal()
    this.#ackBell = this.#life.createSignal()
  }

  start(): void {
    this.#life.runInBackground(async () => {
      const declared = await this.#shop.partner.discover()
      if (!declared?.supportsPolling) return
      // Only the defect `poll-dies-on-poison` makes this loop throw.
      await this.#pollOn().catch((error: unknown) => {
        if (!this.#wrong('poll-dies-on-poison')) throw error
      })
    })
  }

  /** Whether an id may be acknowledged now; defects delay it. */
  #mayAcknowledge(orderId: string): boolean {
    if (this.#wrong('acks-every-fifth-poll')) return this.#polls % 5 === 0
    return !this.#wrong('acks-at-end-of-order') || isOver(this.#shop.book.get(orderId)?.status)
  }

  #sendAcknowledgment(ids: readonly string[], retry = this.#ackRetry) {
    const named = this.#wrong('acks-altered-ids') ? ids.map((id) => id.toUpperCase()) : ids
    return this.#shop.partner.callWithRetry(
      {
        operation: 'acknowledgeEvents',
        method: 'POST',
        path: '/events/acknowledgment',
        body: this.#wrong('acks-in-another-form') ? { ids: named } : { eventIds: named },
      },
      { retry, bell: this.#ackBell },
    )
  }

  /** Stores one event of a batch if possible. Returns whether to acknowledge it. */
  #store(value: unknown): boolean | Promise<boolean> {
    const event = OrderEvent.safeParse(value)
    // A malformed event is acknowledged, or it would be redelivered for ever.
    if (!event.success) return true
    const { intake, partner } = this.#shop
    const isStored = (result: IntakeResult): boolean =>
      result === 'known'
        ? !this.#wrong('acks-only-new-events')
        : result !== 'full' && result !== 'failed'
    const result = intake.handle(event.data, 'polling', () => isReadable(partner, event.data))
    return typeof result === 'string' ? isStored(result) : result.then(isStored)
  }

  /** How many events of a batch are handled; defects skip some. */
  #handledCount(size: number): number {
    const skips = this.#wrong('skips-page-after-full-page') && this.#lastSize >= 50
    this.#lastSize = size
    if (skips) return 0
    return this.#wrong('handles-first-twenty') ? 20 : size
  }

  async #takeBatch(batch: readonly unknown[]): Promise<void> {
    const limit = this.#handledCount(batch.length)
    const ids = batch.flatMap((value) => EventIdentity.safeParse(value).data?.eventId ?? [])
    if (this.#wrong('acks-before-storing')) {
      const outcome = await this.#sendAcknowledgment(ids, createSingleAttempt())
      if (outcome.kind !== 'answered') return
    }
    if (this.#wrong('acks-filtered-batch'))
      await this.#sendAcknowledgment(ids.filter((_, index) => isUsed(batch[index])))
    const stored = this.#wrong('checks-then-acts') ? batch.map((value) => this.#store(value)) : []
    for (const [index, value] of batch.entries()) {
      const isWhole = OrderEvent.safeParse(value).success
      if (!isWhole && this.#wrong('batch-aborts-on-poison')) break
      if (!isWhole && this.#wrong('poll-dies-on-poison')) throw new Error('malformed event')
      if (this.#wrong('chokes-on-unknown-types') && !isUsed(value)) continue
      const handled = index >= limit || (stored[index] ?? this.#store(value))
      const isStored = typeof handled === 'boolean' ? handled : await handled
      const { data } = EventIdentity.safeParse(value)
      if (!data || !isStored || this.#wrong('never-acks') || this.#wrong('acks-before-storing'))
        continue
      if (this.#wrong('acks-filtered-batch')) continue
      if (this.#wrong('acks-known-types-only') && !isUsed(value)) continue
      this.#unacknowledged.set(data.eventId, OrderEvent.safeParse(value).data?.orderId ?? '')
    }
  }

  /** Resolves when all orders of this batch are processed. */
  #ordersProcessed(batch: readonly unknown[]): Promise<unknown> {
    return Promise.all(
      batch.map(async (value) => {
        const ticket = this.#shop.book.get(OrderEvent.safeParse(value).data?.orderId ?? '')
        if (ticket?.hasLoop) await new Promise<void>((resolve) => ticket.afterPass.push(resolve))
      }),
    )
  }

  /** One poll without retries. Returns whether it brought events; undefined when it failed. */
  async #poll(): Promise<boolean | undefined> {
    this.#polls += 1
    const outcome = await this.#shop.partner.callWithRetry(
      {
        operation: 'pollingEvents',
        method: 'GET',
        path: '/events:polling',
        ...(this.#wrong('no-poll-timeout') ? { timeoutMs: Number.POSITIVE_INFINITY } : {}),
      },
      { retry: createSingleAttempt(), bell: this.#bell },
    )
    if (outcome.kind !== 'answered') return undefined
    const { json } = outcome.answer
    const batch: readonly unknown[] = Array.isArray(json) ? json : []
    await this.#takeBatch(batch)
    if (this.#wrong('poll-waits-for-orders')) await this.#ordersProcessed(batch)
    if (batch.length === 0 && this.#wrong('acks-nothing')) await this.#sendAcknowledgment([])
    if (this.#unacknowledged.size > 0 && !this.#acknowledging)
      this.#life.runInBackground(this.#acknowledge)
    return batch.length > 0
  }

  async #pollOn(): Promise<void> {
    let failures = 0
    while (this.#life.isRunning()) {
      const broughtEvents = await this.#poll()
      failures = broughtEvents === undefined ? Math.min(failures + 1, maxFailures) : 0
      if (failures > 0 && this.#wrong('poll-dies-on-error')) return
      const isHasty =
        this.#wrong('polls-without-pause') || (broughtEvents && this.#wrong('polls-again-at-once'))
      await this.#bell.wait(isHasty ? 1 : this.#shop.pace.pollMs * Math.max(1, failures))
    }
  }

  readonly #acknowledge = async (): Promise<void> => {
    this.#acknowledging = true
    for (;;) {
      const ripe = [...this.#unacknowledged].filter(([, orderId]) => this.#mayAcknowledge(orderId))
      const batch = ripe.slice(0, maxIds).map(([eventId]) => eventId)
      if (batch.length === 0 || !this.#life.isRunning()) break
      const named = (id: string): string => this.#unacknowledged.get(id) ?? id
      await this.#sendAcknowledgment(this.#wrong('acks-order-ids') ? batch.map(named) : batch)
      // An unacknowledged event is redelivered by a poll and added again.
      for (const id of batch) this.#unacknowledged.delete(id)
    }
    this.#acknowledging = false
  }
}

/**
 * The webhook channel: POST /webhooks/orders. Authenticates the sender first, replies 204 once the event is stored, and
 * processes it afterwards.
 */
interface OrderWebhookParts extends StoreContext {
  readonly intake: Intake
  readonly access: AccessControl
  /** Our client secret, which the sender signs with. */
  readonly secret: string
  /** The token needs one of these scopes; undefined when the signature alone is enough. */
  readonly scopes?: readonly string[] | undefined
}

const answers: Readonly<Record<IntakeResult, () => Response>> = {
  new: () => reply(204),
  known: () => reply(204),
  full: () => errorReply(503, 'UNAVAILABLE', 'too many open orders', { 'retry-after': '5' }),
  failed: () => errorReply(503, 'UNAVAILABLE', 'the order cannot be read'),
  forbidden: () => errorReply(422, 'UNPROCESSABLE', 'an order of this profile has no such event'),
}

function createOrderWebhook(parts: OrderWebhookParts): (asked: RoutedRequest) => Promise<Response> {
  const { intake, access, secret, scopes, life, wrong, book, memory, partner } = parts

  function authenticate({ request, text }: RoutedRequest): Response | undefined {
    const signature = request.headers.get('x-app-signature')
    const signed = wrong('signs-what-it-parsed') ? JSON.stringify(parseJson(text)) : text
    const isRight = signature !== null && isSigned(signed, secret, signature)
    const hasOtherLength = signature !== null && Buffer.byteLength(signature) !== 64
    if (hasOtherLength && wrong('throws-at-strange-signatures'))
      return errorReply(500, 'INTERNAL_ERROR', 'the buffers have different lengths')
    const isSkipped = wrong('ignores-signature') || (wrong('signature-optional') && !signature)
    if (!isRight && !isSkipped)
      return errorReply(401, 'UNAUTHORIZED', 'X-App-Signature does not fit the body')
    return scopes && access.denial(request, scopes)
  }

  async function orderProcessed({ orderId }: OrderEvent): Promise<void> {
    const ticket = book.get(orderId)
    if (ticket?.hasLoop) await new Promise<void>((resolve) => ticket.afterPass.push(resolve))
  }

  function isLate({ orderId, eventType }: OrderEvent): boolean {
    const [announced, known] = [statusByEventType.get(eventType), book.get(orderId)?.status]
    return (
      announced !== undefined && known !== undefined && statusRank(announced) < statusRank(known)
    )
  }

  return async (asked) => {
    const event = OrderEvent.safeParse(parseJson(asked.text))
    if (event.success && wrong('remembers-before-checking'))
      memory.markProcessed(`event/${event.data.eventId}`)
    if (event.success && wrong('acts-before-checking'))
      intake.take({ ...event.data, eventId: `unchecked/${event.data.eventId}` }, 'webhook')
    const refused = authenticate(asked)
    if (refused) return refused
    if (!event.success) return errorReply(400, 'INVALID_PAYLOAD', 'this is no event of an order')
    const merchantId = asked.request.headers.get('x-app-merchantid') ?? ''
    if (merchantId !== '' && !partner.serves(merchantId) && !wrong('acts-for-any-merchant'))
      return errorReply(403, 'FORBIDDEN', 'this merchant is not ours')
    if (wrong('fails-on-late-events') && isLate(event.data))
      return errorReply(500, 'INTERNAL_ERROR', 'the order is not in that status')
    if (wrong('webhook-reads-first')) await readOf(partner, event.data)
    if (wrong('answers-before-storing')) {
      life.runInBackground(async () => {
        if (await isReadable(partner, event.data)) intake.take(event.data, 'webhook')
      })
      return reply(204)
    }
    const handled = intake.handle(event.data, 'webhook', () => isReadable(partner, event.data))
    const result = typeof handled === 'string' ? handled : await handled
    if (wrong('webhook-waits-for-order')) await orderProcessed(event.data)
    if (result === 'known' && wrong('refuses-known-events'))
      return errorReply(409, 'CONFLICT', 'this event is known')
    return answers[result]()
  }
}

/** What is written before anything acts on it; defects keep some of it in memory. */
const keptBy =
  (wrong: DefectSwitch) =>
  (line: StoredLine): boolean => {
    const storesRead = wrong('stores-what-it-has-read')
    return 'processed' in line
      ? !storesRead && !wrong('dedupes-in-memory')
      : line.order.status !== undefined || !(storesRead || wrong('writes-ids-first'))
  }

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

  const memory = createDurableStore({ file: options.memory, keeps: keptBy(equipment.wrong) })
  const book = createOrderBook({ life, memory, maxOrders: options.maxOrders })
  const partner = equipment.partner({
    url: options.partner,
    capability: 'orders',
    side: 'originator',
    scope: scope('orders'),
  })
  const shop: StoreContext = { ...equipment, memory, book, partner, desk: {} }
  const platform = equipment.platform(options.platform)
  const shipping = platform && new Shipping({ ...shop, serves: partner.serves, platform, store })
  const printer = new Printer(shop)
  const orders = new OrderProcessor({ ...shop, shipping, printer })
  const intake = new Intake({
    ...shop,
    begin: (ticket) => orders.start(ticket),
    onNews: (ticket) => printer.onNews(ticket),
  })
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
      method: 'GET',
      path: '/probe/orders/{orderId}/effects',
      answer: probe(({ printed }) => reply(200, { tickets: printed })),
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
        if (!isOver(ticket.status) && !equipment.wrong('resumes-nothing')) orders.start(ticket)
      }
      if (polls) new Poller({ ...shop, intake }).start()
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
