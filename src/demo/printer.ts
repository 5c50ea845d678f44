/**
 * The kitchen printer: one ticket for each order, once GET has shown it confirmed, however often it is read. How many were printed is
 * kept with the order, in one write.
 */
import type { Ticket } from './order-book.ts'
import { statusRank } from './lifecycle.ts'
import type { StoreContext } from './store-context.ts'

/** What is done once for an order is kept under this key: its id. Defects take the event or the read for it. */
export function purposeOf(
  { orderId, confirmedBy }: Pick<Ticket, 'orderId' | 'confirmedBy'>,
  cause: string,
  { wrong, clock }: Pick<StoreContext, 'wrong' | 'clock'>,
): string {
  const isByEvent =
    wrong('forgets-event-ids') ||
    wrong('dedupes-per-channel') ||
    wrong('checks-then-acts') ||
    wrong('prints-before-it-fails')
  if (isByEvent) return `${orderId}-${confirmedBy ?? cause}`
  if (wrong('reconcile-reapplies') && cause === 'reconcile')
    return `${orderId}-${clock.now().toString(36)}`
  return orderId
}

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
    const needsEvent =
      this.#wrong('prints-by-event-alone') || this.#wrong('dedupes-before-handling')
    if (needsEvent && ticket.confirmedBy === undefined) return
    const confirmations = this.#confirmations.get(ticket)
    if (!confirmations) return this.#print(ticket, purposeOf(ticket, cause, this.#shop))
    for (const confirmedBy of confirmations)
      this.#print(ticket, purposeOf({ orderId, confirmedBy }, cause, this.#shop))
  }

  #print(ticket: Ticket, purpose: string): void {
    const { orderId, printed } = ticket
    const isPrinted =
      purpose === orderId ? printed > 0 : !this.#shop.memory.markProcessed(`ticket/${purpose}`)
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
      const until = this.#shop.clock.now() + jobRounds * pace.thinkMs
      const paper = life.createSignal()
      while (life.isRunning() && this.#shop.clock.now() < until)
        await paper.wait(until - this.#shop.clock.now())
      if (life.isRunning()) this.#print(ticket, ticket.orderId)
    })
  }
}
