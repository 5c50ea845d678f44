/**
 * Deliveries by a Delivery Platform: one per confirmed DELIVERY order, created under one idempotency key however often
 * it is retried, and cancelled when the order ends CANCELLED, even when the outcome of the creation is unknown. Each
 * delivery has its own loop, parallel to the preparation of the order.
 */
import type { Shipment, Ticket } from './order-book.ts'
import { isOver, statusRank } from './lifecycle.ts'
import type { OrderDocument } from './order-document.ts'
import { takesEachArrival } from './printer.ts'
import type { StoreContext } from './store-context.ts'
import { z } from 'zod'
import type { Call, CallOutcome } from './caller.ts'
import { availabilityBody, creationBody, type DeliveryPlace } from './delivery-body.ts'
import type { DefectSwitch } from './defects.ts'
import type { Partner } from './partner.ts'
import { createSingleAttempt } from './retry-state.ts'

/** Client of a Delivery Platform for the delivery of one order: each call has its own X-Request-Id and is retried. */
interface DeliveryClient {
  /** Whether the platform would deliver; undefined when there was no reply. */
  readonly checkAvailability: (
    job: DeliveryJob,
    order: OrderDocument,
    wanted: () => boolean,
  ) => Promise<boolean | undefined>
  readonly create: (
    job: DeliveryJob,
    order: OrderDocument,
    wanted: () => boolean,
  ) => Promise<CallOutcome>
  readonly reportReady: (job: DeliveryJob, wanted: () => boolean) => Promise<CallOutcome>
  /** The status of the delivery; undefined when it cannot be read. */
  readonly readStatus: (job: DeliveryJob) => Promise<string | undefined>
  readonly cancel: (job: DeliveryJob) => Promise<CallOutcome>
}

/** An order and its delivery. */
interface DeliveryJob {
  readonly ticket: Ticket
  readonly shipment: Shipment
}

interface DeliveryClientParts {
  readonly platform: Partner
  /** The pickup address. */
  readonly store: DeliveryPlace
  readonly wrong: DefectSwitch
}

const Availability = z.looseObject({ available: z.boolean() })
const Delivery = z.looseObject({ status: z.string() })

const pathOf = ({ ticket }: DeliveryJob): string =>
  `/logistics/delivery/${encodeURIComponent(ticket.orderId)}`

const always = (): boolean => true

function createDeliveryClient({ platform, store, wrong }: DeliveryClientParts): DeliveryClient {
  const insist = ({ ticket }: DeliveryJob, call: Call, wanted = always): Promise<CallOutcome> =>
    platform.callWithRetry(call, {
      retry: ticket.retryState(call.operation),
      bell: ticket.shipmentSignal,
      wanted,
    })

  return {
    async checkAvailability(job, order, wanted) {
      const outcome = await insist(
        job,
        {
          operation: 'checkDeliveryAvailability',
          method: 'POST',
          path: '/logistics/availability',
          requestId: `availability-${job.shipment.key}`,
          body: availabilityBody(order, store, wrong),
        },
        wanted,
      )
      if (outcome.kind === 'refused') return false
      if (outcome.kind !== 'answered') return undefined
      const read = Availability.safeParse(outcome.answer.json)
      return !read.success || read.data.available
    },
    create: (job, order, wanted) =>
      insist(
        job,
        {
          operation: 'createDelivery',
          method: 'POST',
          path: '/logistics/delivery',
          requestId: `delivery-${job.shipment.key}`,
          body: creationBody(job.ticket.orderId, order, store, wrong),
        },
        wanted,
      ),
    reportReady: (job, wanted) =>
      insist(
        job,
        {
          operation: 'setDeliveryReadyForPickup',
          method: 'POST',
          path: `${pathOf(job)}/ready-for-pickup`,
          requestId: `ready-${job.shipment.key}`,
        },
        wanted,
      ),
    async readStatus(job) {
      const outcome = await insist(job, {
        operation: 'getDelivery',
        method: 'GET',
        path: pathOf(job),
      })
      const read = Delivery.safeParse(outcome.kind === 'answered' ? outcome.answer.json : undefined)
      return read.data?.status
    },
    cancel: (job) =>
      platform.callWithRetry(
        {
          operation: 'cancelDelivery',
          method: 'POST',
          path: `${pathOf(job)}/cancel`,
          requestId: `cancel-${job.shipment.key}`,
          body: { cancellationCode: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'order cancelled' },
        },
        {
          retry: wrong('gives-up-undoing')
            ? createSingleAttempt()
            : job.ticket.retryState('cancelDelivery'),
          bell: job.ticket.shipmentSignal,
        },
      ),
  }
}

export interface ShippingParts
  extends
    DeliveryClientParts,
    Pick<StoreContext, 'clock' | 'life' | 'pace' | 'book' | 'memory' | 'desk'> {
  /** Whether we handle orders of this merchant. */
  readonly serves: (merchantId: string) => boolean
}

/** Reads of a delivery whose cancellation was accepted, until it is taken for cancelled. */
const maxCancelReads = 5
const overDeliveryStatuses: ReadonlySet<string> = new Set(['CANCELLED', 'DELIVERED', 'FAILED'])

/** Chains of attempts after which a failing cancellation is left to people. */
const maxRounds = 20

/** No new calls for an order that ended or whose end was announced. */
const isWanted = (ticket: Ticket) => (): boolean =>
  ticket.halted === undefined && !ticket.cancelled && !ticket.isWithdrawn && !isOver(ticket.status)

export class Shipping {
  readonly #shop: ShippingParts
  readonly #pace: ShippingParts['pace']
  readonly #life: ShippingParts['life']
  readonly #wrong: ShippingParts['wrong']
  readonly #courier: DeliveryClient
  /** With a defect, what another process draws anew. */
  #processKey: string | undefined

  constructor(shop: ShippingParts) {
    this.#shop = shop
    this.#pace = shop.pace
    this.#life = shop.life
    this.#wrong = shop.wrong
    this.#courier = createDeliveryClient(shop)
  }

  /** Called after an order was read, with the cause of the read. */
  onOrderRead(ticket: Ticket, cause: string): void {
    ticket.shipmentSignal.notify()
    const { status, order } = ticket
    if (!order || !status || order.fulfillment.orderType !== 'DELIVERY') return
    const isOurs = this.#shop.serves(order.merchant.id) || this.#wrong('acts-for-any-merchant')
    if (!isOurs || !isWanted(ticket)() || statusRank(status) < statusRank('CONFIRMED')) return
    const key = this.#keyOf(ticket, cause)
    if (this.#shop.memory.isProcessed(`delivery/${key}`)) return
    const shipment: Shipment = { key, state: 'wanted', attempted: false, lookAt: 0 }
    ticket.shipment = shipment
    this.#shop.book.save(ticket)
    this.#shop.memory.markProcessed(`delivery/${key}`)
    this.#begin({ ticket, shipment })
  }

  /** Whether a delivery is wanted but not created yet. */
  isPending({ shipment }: Ticket): boolean {
    return shipment?.state === 'wanted' || shipment?.state === 'available'
  }

  /** Resumes a stored delivery. */
  resume(ticket: Ticket): void {
    const { shipment } = ticket
    if (shipment) this.#begin({ ticket, shipment })
  }

  /** Called for a delivery event: the delivery is read again. */
  onDeliveryNews(orderId: string): void {
    const ticket = this.#shop.book.get(orderId)
    if (!ticket?.shipment) return
    ticket.shipment.lookAt = 0
    ticket.shipmentSignal.notify()
  }

  /** Cancels the delivery of an order about to be cancelled; resolves when done, or after a time limit. */
  async withdraw(ticket: Ticket): Promise<void> {
    const { shipment } = ticket
    if (!shipment?.attempted || shipment.state === 'undone') return
    ticket.isWithdrawn = true
    ticket.shipmentSignal.notify()
    await Promise.race([shipment.end, this.#life.createSignal().wait(2 * this.#pace.reconcileMs)])
  }

  #settle({ ticket, shipment }: DeliveryJob, state: Shipment['state']): void {
    shipment.state = state
    this.#shop.book.save(ticket)
    ticket.wakeSignal.notify()
  }

  async #ask(job: DeliveryJob, order: OrderDocument): Promise<boolean> {
    const isAvailable = await this.#courier.checkAvailability(job, order, isWanted(job.ticket))
    if (isAvailable === undefined) return false
    // There is only one platform: what it does not deliver, the store delivers itself.
    this.#settle(job, isAvailable ? 'available' : 'own')
    return true
  }

  async #create(job: DeliveryJob, read: OrderDocument): Promise<boolean> {
    const { ticket, shipment } = job
    const order = this.#wrong('mixes-orders') ? (this.#shop.desk.current?.order ?? read) : read
    shipment.attempted = true
    this.#shop.book.save(ticket)
    const { kind } = await this.#courier.create(job, order, isWanted(ticket))
    if (kind === 'answered') this.#settle(job, 'there')
    if (kind === 'refused') this.#settle(job, 'own')
    if (kind === 'failed' && this.#wrong('takes-failure-for-created')) this.#settle(job, 'there')
    return shipment.state !== 'available'
  }

  /** Reports that the food is ready, and reads the delivery periodically. */
  async #follow(job: DeliveryJob): Promise<void> {
    const { ticket, shipment } = job
    if (
      ticket.status &&
      statusRank(ticket.status) >= statusRank('READY') &&
      !shipment.readyReported
    ) {
      const { kind } = await this.#courier.reportReady(job, isWanted(ticket))
      shipment.readyReported = kind === 'answered' || kind === 'refused'
    }
    if (this.#shop.clock.now() < shipment.lookAt) return
    shipment.lookAt = this.#shop.clock.now() + this.#pace.reconcileMs
    const status = await this.#courier.readStatus(job)
    if (status !== undefined) shipment.status = status
  }

  /** Takes the next step of a delivery; returns whether another may follow at once. */
  async #advance(job: DeliveryJob): Promise<boolean> {
    const { order, halted } = job.ticket
    const { state } = job.shipment
    if (!order || halted) return false
    if (state === 'wanted') return this.#ask(job, order)
    if (state === 'available') return this.#create(job, order)
    if (state === 'there') await this.#follow(job)
    return false
  }

  /** A 202 is a receipt: a read shows whether the delivery is cancelled, after an event or a pause. */
  async #awaitCancelled(job: DeliveryJob): Promise<void> {
    for (let reads = 0; reads < maxCancelReads && this.#life.isRunning(); reads++) {
      const status = await this.#courier.readStatus(job)
      if (status === undefined || overDeliveryStatuses.has(status)) return
      await job.ticket.shipmentSignal.wait(this.#pace.retryMs)
    }
  }

  async #undo(job: DeliveryJob): Promise<void> {
    const { ticket, shipment } = job
    const isKnown = shipment.state === 'there'
    if (shipment.state === 'undone' || !shipment.attempted || this.#wrong('never-compensates'))
      return
    if (!isKnown && this.#wrong('undoes-only-what-was-answered')) return
    for (let round = 0; round < maxRounds && this.#life.isRunning(); round++) {
      const outcome = await this.#courier.cancel(job)
      if (this.#wrong('gives-up-undoing')) return
      if (outcome.kind === 'failed' || outcome.kind === 'unwanted') continue
      if (outcome.kind === 'answered') await this.#awaitCancelled(job)
      const isGone = outcome.kind === 'refused' && outcome.answer.status === 404
      if (!isGone || isKnown) break
      // An unanswered creation may still take effect: a read after a pause shows whether it did.
      await ticket.shipmentSignal.wait(this.#pace.reconcileMs)
      if ((await this.#courier.readStatus(job)) === undefined) break
    }
    if (this.#life.isRunning()) this.#settle(job, 'undone')
  }

  async #ship(job: DeliveryJob): Promise<void> {
    const { ticket } = job
    if (!(await this.#shop.platform.discover())) return
    while (this.#life.isRunning()) {
      if (ticket.cancelled || ticket.isWithdrawn) return this.#undo(job)
      if (isOver(ticket.status)) return
      if (!(await this.#advance(job))) await ticket.shipmentSignal.wait(this.#pace.reconcileMs)
    }
  }

  #begin(job: DeliveryJob): void {
    const end = this.#ship(job)
    job.shipment.end = end
    this.#life.runInBackground(() => end)
  }

  /** The idempotency key of a delivery: its order, since an order has one delivery. */
  #keyOf({ orderId, confirmedBy }: Ticket, cause: string): string {
    if (this.#wrong('keys-delivery-by-event') || takesEachArrival(this.#wrong))
      return `${orderId}-${confirmedBy ?? cause}`
    if (this.#wrong('dedupes-in-memory'))
      return `${orderId}-${(this.#processKey ??= this.#shop.clock.random().toString(36))}`
    if (this.#wrong('reconcile-reapplies') && cause === 'reconcile')
      return `${orderId}-${this.#shop.clock.now().toString(36)}`
    return orderId
  }
}
