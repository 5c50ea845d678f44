/**
 * The kitchen printer: one ticket for each order, once GET has shown it confirmed, however often it is read. How many were printed is
 * kept with the order, in one write.
 */
import type { DefectSwitch } from './defects.ts'
import type { Ticket } from './order-book.ts'
import { statusRank } from './lifecycle.ts'
import type { StoreContext } from './store-context.ts'

/** Defects that take each arrival of an event for a new one. */
export const takesEachArrival = (wrong: DefectSwitch): boolean =>
  wrong('forgets-event-ids') ||
  wrong('dedupes-per-channel') ||
  wrong('checks-then-acts') ||
  wrong('prints-before-it-fails')

/** How long a job of the defect waits for its turn, in preparation times. */
const jobRounds = 60

export class Printer {
  readonly #shop: StoreContext
  readonly #wrong: StoreContext['wrong']
  /** The confirmations of which an order has heard: a defect takes each for a reason of its own. */
  readonly #confirmations = new WeakMap<Ticket, Set<string>>()
  /** Orders with a job in the queue of the defect that has one. */
  readonly #queued = new WeakSet<Ticket>()

  constructor(shop: StoreContext) {
    this.#shop = shop
    this.#wrong = shop.wrong
  }

  /** Called when an event of the order was stored, before the order is read. */
  onNews(ticket: Ticket): void {
    const { confirmedBy } = ticket
    const known = this.#confirmations.get(ticket) ?? new Set()
    if (confirmedBy !== undefined) this.#confirmations.set(ticket, known.add(confirmedBy))
    if (this.#wrong('prints-unread')) this.#print(ticket, ticket.orderId)
  }

  /** Called after the order was read, with the cause of the read. */
  onOrderRead(ticket: Ticket, cause: string): void {
    const { status, order, halted, cancelled, orderId } = ticket
    const isOpen = halted === undefined && !cancelled
    if (!order || !status || !isOpen || !this.#shop.partner.serves(order.merchant.id)) return
    if (this.#wrong('print-jobs-outlive-orders')) return this.#queue(ticket)
    if (statusRank(status) < statusRank('CONFIRMED')) return
    if (this.#wrong('print-jobs-in-memory')) {
      if (this.#shop.memory.markProcessed(`job/${orderId}`)) this.#queue(ticket)
      return
    }
    const needsEvent =
      this.#wrong('prints-by-event-alone') || this.#wrong('dedupes-before-handling')
    if (needsEvent && ticket.confirmedBy === undefined) return
    const isRepeated = this.#wrong('reconcile-reapplies') && cause === 'reconcile'
    this.#print(ticket, isRepeated ? `${orderId}-${this.#shop.clock.now()}` : orderId)
    if (!takesEachArrival(this.#wrong)) return
    for (const confirmedBy of [...(this.#confirmations.get(ticket) ?? [])].slice(1))
      this.#print(ticket, `${orderId}-${confirmedBy}`)
  }

  #print(ticket: Ticket, key: string): void {
    const { orderId, printed } = ticket
    const isPrinted =
      key === orderId ? printed > 0 : !this.#shop.memory.markProcessed(`ticket/${key}`)
    if (isPrinted) return
    ticket.printed += 1
    this.#shop.book.save(ticket)
  }

  /** The defect's queue: what is in it is printed, whatever came in since. */
  #queue(ticket: Ticket): void {
    const { life, pace } = this.#shop
    if (this.#queued.has(ticket)) return
    this.#queued.add(ticket)
    life.runInBackground(async () => {
      await life.createSignal().wait(jobRounds * pace.thinkMs)
      if (life.isRunning()) this.#print(ticket, ticket.orderId)
    })
  }
}
