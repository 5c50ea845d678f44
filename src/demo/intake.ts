/**
 * Event intake of both channels: deduplicates an event, stores it with its order, then lets the order be read. The only
 * thing taken from an event directly is that the order has ended, because the read could come too late to stop a step.
 */
import type { OrderBook, Ticket } from './order-book.ts'
import type { DefectSwitch } from './defects.ts'
import { statusByEventType, isForbidden, isOver, statusRank, statuses } from './lifecycle.ts'
import type { DurableStore } from './durable-store.ts'
import type { OrderEvent } from './order-document.ts'

export type Channel = 'polling' | 'webhook'

/** `full`: no room for another order; `forbidden`: the profile of the order does not have such an event. */
export type IntakeResult = 'new' | 'known' | 'full' | 'forbidden'

export interface Intake {
  readonly take: (event: OrderEvent, channel: Channel) => IntakeResult
}

export interface IntakeParts {
  readonly book: OrderBook
  readonly memory: DurableStore
  readonly wrong: DefectSwitch
  /** Starts the processing loop of the order, if none runs. */
  readonly begin: (ticket: Ticket) => void
}

export function createIntake({ book, memory, wrong, begin }: IntakeParts): Intake {
  let newest = ''
  let arrivals = 0

  const keyOf = ({ eventId, createdAt }: OrderEvent, channel: Channel): string => {
    if (wrong('equal-times-are-duplicates') && createdAt !== undefined) return `event/${createdAt}`
    return wrong('dedupes-per-channel') ? `event/${channel}/${eventId}` : `event/${eventId}`
  }

  /** Whether a defect drops the event. */
  function isIgnored({ eventType, orderId, createdAt = '' }: OrderEvent): boolean {
    const isOld = createdAt < newest
    if (!isOld) newest = createdAt
    return (
      (wrong('global-watermark') && isOld) ||
      (wrong('drops-events-of-unknown-orders') && eventType !== 'CREATED' && !book.get(orderId))
    )
  }

  /** Defects that derive a status from the event. Returns whether the order is therefore not read. */
  function isHandledByDefect(ticket: Ticket, { eventType }: OrderEvent, channel: Channel): boolean {
    const to = statusByEventType.get(eventType)
    const knows = ticket.order !== undefined
    if (wrong('confirms-unread') && eventType === 'CREATED' && ticket.status === undefined) {
      ticket.status = 'CREATED'
      // With this defect the order begins here: earlier events are forgotten.
      ticket.unreadEvents = 0
      delete ticket.halted
      return true
    }
    if (wrong('created-resets-order') && eventType === 'CREATED' && knows) {
      ticket.status = 'CREATED'
      ticket.pendingStep = undefined
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
      if (!ticket.status || statusRank(to) > statusRank(ticket.status)) ticket.status = to
      return true
    }
    if (wrong('follows-events') && to && knows) {
      ticket.status = to
      return true
    }
    if (wrong('counts-events') && ticket.status && knows && !isOver(ticket.status)) {
      ticket.status = statuses[statusRank(ticket.status) + 1] ?? ticket.status
      return true
    }
    return false
  }

  /** Applies what the event says about final states and cancellation, before the order is read. */
  function applyHints(ticket: Ticket, { eventId, eventType }: OrderEvent): void {
    if (eventType === 'CANCELLED') ticket.halted = 'CANCELLED'
    if (eventType === 'CONCLUDED') ticket.halted ??= 'CONCLUDED'
    if (eventType === 'CANCELLATION_REQUEST_DENIED' && !wrong('never-resumes'))
      ticket.cancellationAskedAt = undefined
    // With the defect each arrival counts as a new event.
    const forgets = wrong('forgets-event-ids') || wrong('dedupes-per-channel')
    if (eventType === 'CONFIRMED')
      ticket.confirmedBy = forgets ? `${eventId}/${++arrivals}` : eventId
  }

  /** Whether the event is news; for a finished order only a later status is. */
  function isNews(ticket: Ticket, eventType: string): boolean {
    const to = statusByEventType.get(eventType)
    if (!ticket.status || !isOver(ticket.status)) return true
    return to !== undefined && statusRank(to) > statusRank(ticket.status)
  }

  return {
    take(event, channel) {
      const { eventType, orderId } = event
      if (isForbidden(eventType, book.get(orderId)?.order?.fulfillment.orderType))
        return 'forbidden'
      const key = keyOf(event, channel)
      if (memory.isProcessed(key) && !wrong('forgets-event-ids')) return 'known'
      if (isIgnored(event)) return 'known'
      const ticket = book.open(orderId)
      if (!ticket) return 'full'
      const isUnread = !isHandledByDefect(ticket, event, channel)
      if (isUnread) applyHints(ticket, event)
      // Order before event id: if the process dies in between, the event is redelivered and changes nothing.
      book.save(ticket)
      memory.markProcessed(key)
      if (!isNews(ticket, eventType)) return 'new'
      if (isUnread) ticket.unreadEvents += 1
      ticket.isUnreadable = false
      ticket.notFoundCount = 0
      ticket.refused.clear()
      ticket.wakeSignal.notify()
      ticket.shipmentSignal.notify()
      begin(ticket)
      return 'new'
    },
  }
}
