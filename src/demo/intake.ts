/**
 * Events come in here, whichever channel brought them. An event is news and no more: it is stored with its order before
 * anything is done, and what it leads to is that the order is read. The one thing taken from it at once is that the
 * order has ended, because then nothing must be done that the reading would come too late for.
 */
import type { Book, Ticket } from './book.ts'
import type { Wrong } from './defects.ts'
import { announced, isForbidden, isOver, rankOf, statuses } from './lifecycle.ts'
import type { Memory } from './memory.ts'
import type { OrderEvent } from './order-document.ts'

export type Channel = 'polling' | 'webhook'

/** `full`: there is no room for another order; `forbidden`: an order of this profile cannot have such an event. */
export type Taken = 'new' | 'known' | 'full' | 'forbidden'

export interface Intake {
  readonly take: (event: OrderEvent, channel: Channel) => Taken
}

export interface IntakeParts {
  readonly book: Book
  readonly memory: Memory
  readonly wrong: Wrong
  /** Has somebody see to the order. */
  readonly begin: (ticket: Ticket) => void
}

export function createIntake({ book, memory, wrong, begin }: IntakeParts): Intake {
  let newest = ''
  let arrivals = 0

  const keyOf = ({ eventId, createdAt }: OrderEvent, channel: Channel): string => {
    if (wrong('equal-times-are-duplicates') && createdAt !== undefined) return `event/${createdAt}`
    return wrong('dedupes-per-channel') ? `event/${channel}/${eventId}` : `event/${eventId}`
  }

  /** Whether it is thrown away, by services that throw events away. */
  function isIgnored({ eventType, orderId, createdAt = '' }: OrderEvent): boolean {
    const isOld = createdAt < newest
    if (!isOld) newest = createdAt
    return (
      (wrong('global-watermark') && isOld) ||
      (wrong('drops-events-of-unknown-orders') && eventType !== 'CREATED' && !book.get(orderId))
    )
  }

  /**
   * What services make of an event that take it for more than a reason to read the order. Answers whether it is not read.
   */
  function isMisread(ticket: Ticket, { eventType }: OrderEvent, channel: Channel): boolean {
    const to = announced.get(eventType)
    const knows = ticket.order !== undefined
    if (wrong('confirms-unread') && eventType === 'CREATED' && ticket.status === undefined) {
      ticket.status = 'CREATED'
      // For such a service an order begins here: what it heard of it before is forgotten.
      ticket.news = 0
      delete ticket.halted
      return true
    }
    if (wrong('created-resets-order') && eventType === 'CREATED' && knows) {
      ticket.status = 'CREATED'
      ticket.asked = undefined
      delete ticket.halted
      return true
    }
    if (wrong('closes-on-request-accepted') && eventType === 'CANCELLATION_REQUEST_ACCEPTED') {
      ticket.status = 'CANCELLED'
      return true
    }
    if (wrong('compensates-on-request-accepted') && eventType === 'CANCELLATION_REQUEST_ACCEPTED')
      ticket.cancelled = true
    const trusts =
      wrong('trusts-event-status') || (wrong('trusts-webhook-status') && channel === 'webhook')
    if (trusts && to) {
      if (!ticket.status || rankOf(to) > rankOf(ticket.status)) ticket.status = to
      return true
    }
    if (wrong('follows-events') && to && knows) {
      ticket.status = to
      return true
    }
    if (wrong('counts-events') && ticket.status && knows && !isOver(ticket.status)) {
      ticket.status = statuses[rankOf(ticket.status) + 1] ?? ticket.status
      return true
    }
    return false
  }

  /** What holds from now on, before anything is read. */
  function hint(ticket: Ticket, { eventId, eventType }: OrderEvent): void {
    if (eventType === 'CANCELLED') ticket.halted = 'CANCELLED'
    if (eventType === 'CONCLUDED') ticket.halted ??= 'CONCLUDED'
    if (eventType === 'CANCELLATION_REQUEST_DENIED' && !wrong('never-resumes'))
      ticket.cancelling = undefined
    // Under the defect each arrival is an event of its own, as it is to a service that remembers none.
    const forgets = wrong('forgets-event-ids') || wrong('dedupes-per-channel')
    if (eventType === 'CONFIRMED')
      ticket.confirmedBy = forgets ? `${eventId}/${++arrivals}` : eventId
  }

  /** Whether it says anything that an order which is over has not had already. */
  function isNews(ticket: Ticket, eventType: string): boolean {
    const to = announced.get(eventType)
    if (!ticket.status || !isOver(ticket.status)) return true
    return to !== undefined && rankOf(to) > rankOf(ticket.status)
  }

  return {
    take(event, channel) {
      const { eventType, orderId } = event
      if (isForbidden(eventType, book.get(orderId)?.order?.fulfillment.orderType))
        return 'forbidden'
      const key = keyOf(event, channel)
      if (memory.has(key) && !wrong('forgets-event-ids')) return 'known'
      if (isIgnored(event)) return 'known'
      const ticket = book.open(orderId)
      if (!ticket) return 'full'
      const isUnread = !isMisread(ticket, event, channel)
      if (isUnread) hint(ticket, event)
      // The order first, then the event: whatever is lost between the two comes again and changes nothing.
      book.save(ticket)
      memory.first(key)
      if (!isNews(ticket, eventType)) return 'new'
      if (isUnread) ticket.news += 1
      ticket.lost = false
      ticket.missing = 0
      ticket.refused.clear()
      ticket.bell.ring()
      ticket.shipmentBell.ring()
      begin(ticket)
      return 'new'
    },
  }
}
