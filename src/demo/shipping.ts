/**
 * Having orders delivered by a Delivery Platform: one delivery for each DELIVERY order that is confirmed, asked for under
 * one X-Request-Id however often it is tried, and cancelled when the order ends CANCELLED, even when nobody knows whether
 * its creation took effect. A loop of its own for each, so that an order is prepared while its courier is looked for.
 */
import type { Shipment, Ticket } from './book.ts'
import { createCourier, type CourierParts, type Job } from './courier.ts'
import { isOver, rankOf } from './lifecycle.ts'
import type { OrderDocument } from './order-document.ts'
import type { Shop } from './shop.ts'

export interface Shipping {
  /** Hears that an order was read, and what made it be read. */
  readonly consider: (ticket: Ticket, cause: string) => void
  /** A delivery is wanted and not there yet. */
  readonly isOpen: (ticket: Ticket) => boolean
  /** Goes on with what was written down before. */
  readonly resume: (ticket: Ticket) => void
  /** The platform has news of an order's delivery. */
  readonly hear: (orderId: string) => void
  /** Cancels the delivery of an order that is about to be cancelled; resolves when that is done, or takes too long. */
  readonly withdraw: (ticket: Ticket) => Promise<void>
}

export interface ShippingParts
  extends CourierParts, Pick<Shop, 'clock' | 'life' | 'pace' | 'book' | 'memory' | 'desk'> {
  /** Whether orders of this merchant are ours to have delivered. */
  readonly serves: (merchantId: string) => boolean
}

/** A cancellation that cannot be brought home after so many chains of attempts is for people to see to. */
const mostRounds = 20

/** No new effect for an order that has ended, or of which it was heard that it has. */
const isWanted = (ticket: Ticket) => (): boolean =>
  ticket.halted === undefined && !ticket.cancelled && !ticket.withdrawn && !isOver(ticket.status)

export function createShipping(shop: ShippingParts): Shipping {
  const { clock, life, pace, wrong, book, memory, desk, platform, serves } = shop
  const courier = createCourier(shop)

  function settle({ ticket, shipment }: Job, state: Shipment['state']): void {
    shipment.state = state
    book.save(ticket)
    ticket.bell.ring()
  }

  async function ask(job: Job, order: OrderDocument): Promise<boolean> {
    const would = await courier.ask(job, order, isWanted(job.ticket))
    if (would === undefined) return false
    // There is no other platform to ask: what this one does not deliver the store brings itself.
    settle(job, would ? 'available' : 'own')
    return true
  }

  async function create(job: Job, read: OrderDocument): Promise<boolean> {
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

  /** The courier is told that the food is ready, and what becomes of the delivery is looked at now and then. */
  async function follow(job: Job): Promise<void> {
    const { ticket, shipment } = job
    if (ticket.status && rankOf(ticket.status) >= rankOf('READY') && !shipment.toldReady) {
      const { kind } = await courier.tellReady(job, isWanted(ticket))
      shipment.toldReady = kind === 'answered' || kind === 'refused'
    }
    if (clock.now() < shipment.lookAt) return
    shipment.lookAt = clock.now() + pace.reconcileMs
    const status = await courier.look(job)
    if (status !== undefined) shipment.status = status
  }

  /** The next thing about a delivery; answers whether another may follow at once. */
  async function advance(job: Job): Promise<boolean> {
    const { order, halted } = job.ticket
    const { state } = job.shipment
    if (!order || halted) return false
    if (state === 'wanted') return ask(job, order)
    if (state === 'available') return create(job, order)
    if (state === 'there') await follow(job)
    return false
  }

  async function undo(job: Job): Promise<void> {
    const { ticket, shipment } = job
    const isKnown = shipment.state === 'there'
    if (shipment.state === 'undone' || !shipment.attempted || wrong('never-compensates')) return
    if (!isKnown && wrong('undoes-only-what-was-answered')) return
    for (let round = 0; round < mostRounds && life.running(); round++) {
      const outcome = await courier.cancel(job)
      if (wrong('gives-up-undoing')) return
      if (outcome.kind === 'failed' || outcome.kind === 'unwanted') continue
      const isGone = outcome.kind === 'refused' && outcome.answer.status === 404
      if (!isGone || isKnown) break
      // A creation that nobody answered may still be on its way: one look later on says whether it was.
      await ticket.shipmentBell.wait(pace.reconcileMs)
      if ((await courier.look(job)) === undefined) break
    }
    if (life.running()) settle(job, 'undone')
  }

  async function ship(job: Job): Promise<void> {
    const { ticket } = job
    if (!(await platform.declared())) return
    while (life.running()) {
      if (ticket.cancelled || ticket.withdrawn) return undo(job)
      if (isOver(ticket.status)) return
      if (!(await advance(job))) await ticket.shipmentBell.wait(pace.reconcileMs)
    }
  }

  function begin(job: Job): void {
    const end = ship(job)
    job.shipment.end = end
    life.go(() => end)
  }

  /** What a delivery is kept under, here and at the platform: its order, of which there is one. */
  function keyOf({ orderId, confirmedBy }: Ticket, cause: string): string {
    const byEvent =
      wrong('keys-delivery-by-event') || wrong('forgets-event-ids') || wrong('dedupes-per-channel')
    if (byEvent) return `${orderId}-${confirmedBy ?? cause}`
    if (wrong('reconcile-reapplies') && cause === 'reconcile')
      return `${orderId}-${clock.now().toString(36)}`
    return orderId
  }

  return {
    consider(ticket, cause) {
      ticket.shipmentBell.ring()
      const { status, order } = ticket
      if (!order || !status || order.fulfillment.orderType !== 'DELIVERY') return
      const isOurs = serves(order.merchant.id) || wrong('acts-for-any-merchant')
      if (!isOurs || !isWanted(ticket)() || rankOf(status) < rankOf('CONFIRMED')) return
      const key = keyOf(ticket, cause)
      if (memory.has(`delivery/${key}`)) return
      const shipment: Shipment = { key, state: 'wanted', attempted: false, lookAt: 0 }
      ticket.shipment = shipment
      book.save(ticket)
      memory.first(`delivery/${key}`)
      begin({ ticket, shipment })
    },
    isOpen: ({ shipment }) => shipment?.state === 'wanted' || shipment?.state === 'available',
    resume(ticket) {
      const { shipment } = ticket
      if (shipment) begin({ ticket, shipment })
    },
    hear(orderId) {
      const ticket = book.get(orderId)
      if (!ticket?.shipment) return
      ticket.shipment.lookAt = 0
      ticket.shipmentBell.ring()
    },
    async withdraw(ticket) {
      const { shipment } = ticket
      if (!shipment?.attempted || shipment.state === 'undone') return
      ticket.withdrawn = true
      ticket.shipmentBell.ring()
      await Promise.race([shipment.end, life.bell().wait(2 * pace.reconcileMs)])
    },
  }
}
