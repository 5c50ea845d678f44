/**
 * Event intake of both channels: deduplicates an event, stores it with its order, then lets the order be read. The only
 * thing taken from an event directly is that the order has ended, because the read could come too late to stop a step.
 */
import type { OrderBook, Ticket } from './order-book.ts'
import type { DefectSwitch } from './defects.ts'
import { statusByEventType, isForbidden, isOver, statusRank, statuses } from './lifecycle.ts'
import type { DurableStore } from './durable-store.ts'
import type { Lifetime } from './lifetime.ts'
import type { OrderEvent } from './order-document.ts'

export type Channel = 'polling' | 'webhook'

/**
 * `full`: no room for another order; `forbidden`: the profile of the order does not have such an event; `failed`: by a defect that reads
 * the order first.
 */
export type IntakeResult = 'new' | 'known' | 'full' | 'forbidden' | 'failed'

export interface IntakeParts {
  readonly book: OrderBook
  readonly memory: DurableStore
  readonly wrong: DefectSwitch
  readonly life: Lifetime
  /** Called when an event was stored, before the order is read. */
  readonly onNews: (ticket: Ticket) => void
  /** Starts the processing loop of the order, if none runs. */
  readonly begin: (ticket: Ticket) => void
}

/** Whether the event is news; for a finished order only a later status is. */
function isNews(ticket: Ticket, eventType: string): boolean {
  const to = statusByEventType.get(eventType)
  if (!ticket.status || !isOver(ticket.status)) return true
  return to !== undefined && statusRank(to) > statusRank(ticket.status)
}

/** Defects that take an event in steps. */
const stepwise = ['checks-then-acts', 'dedupes-before-handling', 'prints-before-it-fails'] as const

/** What a look into the store takes, in milliseconds. */
const storeMs = 200

export class Intake {
  readonly #options: IntakeParts
  readonly #wrong: IntakeParts['wrong']
  #newest = ''
  #arrivals = 0

  constructor(options: IntakeParts) {
    this.#options = options
    this.#wrong = options.wrong
  }

  /** Takes an event, at once. Defects do so in steps, and read the order within that. */
  handle(
    event: OrderEvent,
    channel: Channel,
    isReadable: () => Promise<boolean>,
  ): IntakeResult | Promise<IntakeResult> {
    return stepwise.some(this.#wrong)
      ? this.#handleInSteps(event, channel, isReadable)
      : this.take(event, channel)
  }

  async #handleInSteps(
    event: OrderEvent,
    channel: Channel,
    isReadable: () => Promise<boolean>,
  ): Promise<IntakeResult> {
    const { memory, life } = this.#options
    const key = this.#keyOf(event, channel)
    const isKnown = memory.isProcessed(key)
    const reads = this.#wrong('checks-then-acts') ? undefined : isReadable
    if (!reads) await life.createSignal().wait(storeMs)
    if (isKnown) return 'known'
    const take = (): IntakeResult =>
      this.take({ ...event, eventId: `${event.eventId}/${++this.#arrivals}` }, channel)
    const early = this.#wrong('prints-before-it-fails') ? take() : undefined
    if (early === undefined) memory.markProcessed(key)
    if (reads && !(await reads())) return 'failed'
    memory.markProcessed(key)
    return early ?? take()
  }

  take(event: OrderEvent, channel: Channel): IntakeResult {
    const { eventType, orderId } = event
    if (isForbidden(eventType, this.#options.book.get(orderId)?.order?.fulfillment.orderType))
      return 'forbidden'
    const key = this.#keyOf(event, channel)
    if (this.#options.memory.isProcessed(key) && !this.#wrong('forgets-event-ids')) return 'known'
    if (this.#isIgnored(event)) return 'known'
    const ticket = this.#options.book.open(orderId)
    if (!ticket) return 'full'
    const isUnread = !this.#isHandledByDefect(ticket, event, channel)
    if (isUnread) this.#applyHints(ticket, event)
    // Order before event id: if the process dies in between, the event is redelivered and changes nothing.
    this.#options.book.save(ticket)
    this.#options.memory.markProcessed(key)
    this.#options.onNews(ticket)
    if (!isNews(ticket, eventType)) return 'new'
    if (isUnread) ticket.unreadEvents += 1
    ticket.isUnreadable = false
    ticket.notFoundCount = 0
    ticket.refused.clear()
    ticket.wakeSignal.notify()
    ticket.shipmentSignal.notify()
    this.#options.begin(ticket)
    return 'new'
  }

  #keyOf({ eventId, createdAt }: OrderEvent, channel: Channel): string {
    if (this.#wrong('equal-times-are-duplicates') && createdAt !== undefined)
      return `event/${createdAt}`
    return this.#wrong('dedupes-per-channel') ? `event/${channel}/${eventId}` : `event/${eventId}`
  }

  /** Whether a defect drops the event. */
  #isIgnored({ eventType, orderId, createdAt = '' }: OrderEvent): boolean {
    const isOld = createdAt < this.#newest
    if (!isOld) this.#newest = createdAt
    return (
      (this.#wrong('global-watermark') && isOld) ||
      (this.#wrong('drops-events-of-unknown-orders') &&
        eventType !== 'CREATED' &&
        !this.#options.book.get(orderId))
    )
  }

  /** Defects that derive a status from the event. Returns whether the order is therefore not read. */
  #isHandledByDefect(ticket: Ticket, { eventType }: OrderEvent, channel: Channel): boolean {
    const to = statusByEventType.get(eventType)
    const knows = ticket.order !== undefined
    if (this.#wrong('confirms-unread') && eventType === 'CREATED' && ticket.status === undefined) {
      ticket.status = 'CREATED'
      // With this defect the order begins here: earlier events are forgotten.
      ticket.unreadEvents = 0
      delete ticket.halted
      return true
    }
    const isMistaken = this.#wrong('takes-unknown-for-created') && eventType.startsWith('X_')
    const isAnew = this.#wrong('created-resets-order') && eventType === 'CREATED'
    if (knows && (isMistaken || isAnew)) {
      if (isMistaken) ticket.printed += 1
      ticket.status = 'CREATED'
      ticket.pendingStep = undefined
      delete ticket.halted
      return true
    }
    if (
      this.#wrong('closes-on-request-accepted') &&
      eventType === 'CANCELLATION_REQUEST_ACCEPTED'
    ) {
      ticket.status = 'CANCELLED'
      return true
    }
    if (
      this.#wrong('compensates-on-request-accepted') &&
      eventType === 'CANCELLATION_REQUEST_ACCEPTED'
    )
      ticket.cancelled = true
    const trusts =
      this.#wrong('trusts-event-status') ||
      (this.#wrong('trusts-webhook-status') && channel === 'webhook')
    if (trusts && to) {
      if (!ticket.status || statusRank(to) > statusRank(ticket.status)) ticket.status = to
      return true
    }
    if (this.#wrong('follows-events') && to && knows) {
      ticket.status = to
      return true
    }
    if (this.#wrong('counts-events') && ticket.status && knows && !isOver(ticket.status)) {
      ticket.status = statuses[statusRank(ticket.status) + 1] ?? ticket.status
      return true
    }
    return false
  }

  /** Applies what the event says about final states and cancellation, before the order is read. */
  #applyHints(ticket: Ticket, { eventId, eventType }: OrderEvent): void {
    if (eventType === 'CANCELLED') ticket.halted = 'CANCELLED'
    if (eventType === 'CONCLUDED') ticket.halted ??= 'CONCLUDED'
    if (eventType === 'CANCELLATION_REQUEST_DENIED' && !this.#wrong('never-resumes'))
      ticket.cancellationAskedAt = undefined
    // With the defect each arrival counts as a new event.
    const forgets = this.#wrong('forgets-event-ids') || this.#wrong('dedupes-per-channel')
    if (eventType === 'CONFIRMED')
      ticket.confirmedBy = forgets ? `${eventId}/${++this.#arrivals}` : eventId
  }
}
