/**
 * Deliveries by a Delivery Platform: one per confirmed DELIVERY order, created under one idempotency key however often
 * it is retried, and cancelled when the order ends CANCELLED, even when the outcome of the creation is unknown. Each
 * delivery has its own loop, parallel to the preparation of the order.
 */
import type { Shipment, Ticket } from './order-book.ts'
import { isOver, statusRank } from './lifecycle.ts'
import type { OrderDocument } from './order-document.ts'
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

export interface Shipping {
  /** Called after an order was read, with the cause of the read. */
  readonly onOrderRead: (ticket: Ticket, cause: string) => void
  /** Whether a delivery is wanted but not created yet. */
  readonly isPending: (ticket: Ticket) => boolean
  /** Resumes a stored delivery. */
  readonly resume: (ticket: Ticket) => void
  /** Called for a delivery event: the delivery is read again. */
  readonly onDeliveryNews: (orderId: string) => void
  /** Cancels the delivery of an order about to be cancelled; resolves when done, or after a time limit. */
  readonly withdraw: (ticket: Ticket) => Promise<void>
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

export function createShipping(shop: ShippingParts): Shipping {
  const { clock, life, pace, wrong, book, memory, desk, platform, serves } = shop
  const courier = createDeliveryClient(shop)

  function settle({ ticket, shipment }: DeliveryJob, state: Shipment['state']): void {
    shipment.state = state
    book.save(ticket)
    ticket.wakeSignal.notify()
  }

  async function ask(job: DeliveryJob, order: OrderDocument): Promise<boolean> {
    const isAvailable = await courier.checkAvailability(job, order, isWanted(job.ticket))
    if (isAvailable === undefined) return false
    // There is only one platform: what it does not deliver, the store delivers itself.
    settle(job, isAvailable ? 'available' : 'own')
    return true
  }

  async function create(job: DeliveryJob, read: OrderDocument): Promise<boolean> {
    const { ticket, shipment } = job
    const order = wrong('mixes-orders') ? (desk.current?.order ?? read) : read
    shipment.attempted = true
    book.save(ticket)
    const { kind } = await courier.create(job, order, isWanted(ticket))
    if (kind === 'answered') settle(job, 'there')
    if (kind === 'refused') settle(job, 'own')
    if (kind === 'failed' && wrong('takes-failure-for-created')) settle(job, 'there')
    return shipment.state !== 'available'
  }

  /** Reports that the food is ready, and reads the delivery periodically. */
  async function follow(job: DeliveryJob): Promise<void> {
    const { ticket, shipment } = job
    if (
      ticket.status &&
      statusRank(ticket.status) >= statusRank('READY') &&
      !shipment.readyReported
    ) {
      const { kind } = await courier.reportReady(job, isWanted(ticket))
      shipment.readyReported = kind === 'answered' || kind === 'refused'
    }
    if (clock.now() < shipment.lookAt) return
    shipment.lookAt = clock.now() + pace.reconcileMs
    const status = await courier.readStatus(job)
    if (status !== undefined) shipment.status = status
  }

  /** Takes the next step of a delivery; returns whether another may follow at once. */
  async function advance(job: DeliveryJob): Promise<boolean> {
    const { order, halted } = job.ticket
    const { state } = job.shipment
    if (!order || halted) return false
    if (state === 'wanted') return ask(job, order)
    if (state === 'available') return create(job, order)
    if (state === 'there') await follow(job)
    return false
  }

  /** A 202 is a receipt: a read shows whether the delivery is cancelled, after an event or a pause. */
  async function awaitCancelled(job: DeliveryJob): Promise<void> {
    for (let reads = 0; reads < maxCancelReads && life.isRunning(); reads++) {
      const status = await courier.readStatus(job)
      if (status === undefined || overDeliveryStatuses.has(status)) return
      await job.ticket.shipmentSignal.wait(pace.retryMs)
    }
  }

  async function undo(job: DeliveryJob): Promise<void> {
    const { ticket, shipment } = job
    const isKnown = shipment.state === 'there'
    if (shipment.state === 'undone' || !shipment.attempted || wrong('never-compensates')) return
    if (!isKnown && wrong('undoes-only-what-was-answered')) return
    for (let round = 0; round < maxRounds && life.isRunning(); round++) {
      const outcome = await courier.cancel(job)
      if (wrong('gives-up-undoing')) return
      if (outcome.kind === 'failed' || outcome.kind === 'unwanted') continue
      if (outcome.kind === 'answered') await awaitCancelled(job)
      const isGone = outcome.kind === 'refused' && outcome.answer.status === 404
      if (!isGone || isKnown) break
      // An unanswered creation may still take effect: a read after a pause shows whether it did.
      await ticket.shipmentSignal.wait(pace.reconcileMs)
      if ((await courier.readStatus(job)) === undefined) break
    }
    if (life.isRunning()) settle(job, 'undone')
  }

  async function ship(job: DeliveryJob): Promise<void> {
    const { ticket } = job
    if (!(await platform.discover())) return
    while (life.isRunning()) {
      if (ticket.cancelled || ticket.isWithdrawn) return undo(job)
      if (isOver(ticket.status)) return
      if (!(await advance(job))) await ticket.shipmentSignal.wait(pace.reconcileMs)
    }
  }

  function begin(job: DeliveryJob): void {
    const end = ship(job)
    job.shipment.end = end
    life.runInBackground(() => end)
  }

  /** The idempotency key of a delivery: its order, since an order has one delivery. */
  function keyOf({ orderId, confirmedBy }: Ticket, cause: string): string {
    const byEvent =
      wrong('keys-delivery-by-event') || wrong('forgets-event-ids') || wrong('dedupes-per-channel')
    if (byEvent) return `${orderId}-${confirmedBy ?? cause}`
    if (wrong('reconcile-reapplies') && cause === 'reconcile')
      return `${orderId}-${clock.now().toString(36)}`
    return orderId
  }

  return {
    onOrderRead(ticket, cause) {
      ticket.shipmentSignal.notify()
      const { status, order } = ticket
      if (!order || !status || order.fulfillment.orderType !== 'DELIVERY') return
      const isOurs = serves(order.merchant.id) || wrong('acts-for-any-merchant')
      if (!isOurs || !isWanted(ticket)() || statusRank(status) < statusRank('CONFIRMED')) return
      const key = keyOf(ticket, cause)
      if (memory.isProcessed(`delivery/${key}`)) return
      const shipment: Shipment = { key, state: 'wanted', attempted: false, lookAt: 0 }
      ticket.shipment = shipment
      book.save(ticket)
      memory.markProcessed(`delivery/${key}`)
      begin({ ticket, shipment })
    },
    isPending: ({ shipment }) => shipment?.state === 'wanted' || shipment?.state === 'available',
    resume(ticket) {
      const { shipment } = ticket
      if (shipment) begin({ ticket, shipment })
    },
    onDeliveryNews(orderId) {
      const ticket = book.get(orderId)
      if (!ticket?.shipment) return
      ticket.shipment.lookAt = 0
      ticket.shipmentSignal.notify()
    },
    async withdraw(ticket) {
      const { shipment } = ticket
      if (!shipment?.attempted || shipment.state === 'undone') return
      ticket.isWithdrawn = true
      ticket.shipmentSignal.notify()
      await Promise.race([shipment.end, life.createSignal().wait(2 * pace.reconcileMs)])
    },
  }
}
