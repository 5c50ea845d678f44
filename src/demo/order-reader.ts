/**
 * Reads one order and updates its state. GET decides the status, and statuses never go back: an older reply changes
 * nothing.
 */
import type { Ticket } from './order-book.ts'
import { isOver, statusRank } from './lifecycle.ts'
import { OrderDocument } from './order-document.ts'
import { jittered } from './retry-state.ts'
import type { Answer } from './send.ts'
import type { StoreContext } from './store-context.ts'

export interface OrderReader {
  /** GET of the order; returns whether its state is known now. */
  readonly read: (ticket: Ticket) => Promise<boolean>
  /** Whether a read is due. */
  readonly isDue: (ticket: Ticket) => boolean
  readonly pauseMs: (ticket: Ticket) => number
}

/** Number of chains ending in 404 after which an order is abandoned. */
const maxNotFound = 20

export interface OrderReaderParts extends StoreContext {
  /** Called after a read, with what caused it. */
  readonly onRead: (ticket: Ticket, cause: 'news' | 'reconcile') => void
}

export function createOrderReader(shop: OrderReaderParts): OrderReader {
  const { clock, pace, wrong, book, partner } = shop
  /** Orders with a failed reconciliation, for defects that stop after one. */
  const ended = new WeakSet<Ticket>()
  const rounds = new WeakMap<Ticket, number>()
  let allEnded = false

  /** Whether GET shows that the order was cancelled; CONCLUDED follows DELIVERED and CANCELLED alike. */
  function wasCancelled(
    { status, halted, pendingStep: asked }: Ticket,
    to: OrderDocument['status'],
  ): boolean {
    if (to !== 'CONCLUDED') return to === 'CANCELLED'
    if (status === 'DELIVERED') return false
    return halted === 'CANCELLED' || asked?.step.to !== 'DELIVERED'
  }

  function applyDocument(ticket: Ticket, document: OrderDocument, lastWins = false): void {
    const { status: to, lastEvent } = document
    const { status: before } = ticket
    const isNewer = before === undefined || statusRank(to) > statusRank(before) || lastWins
    if (isNewer && to !== before) {
      ticket.cancelled ||= wasCancelled(ticket, to)
      ticket.status = to
      ticket.pendingStep = undefined
      ticket.refused.clear()
    }
    if (isNewer || to === before) ticket.order = document
    const isDenied = lastEvent === 'CANCELLATION_REQUEST_DENIED'
    const isLate = clock.now() - (ticket.cancellationAskedAt ?? 0) > 3 * pace.reconcileMs
    if ((isDenied || isLate) && !wrong('never-resumes')) ticket.cancellationAskedAt = undefined
    // An event announced the end, but a later read shows otherwise: GET decides.
    if (ticket.unreadEvents === 0 && !isOver(ticket.status)) delete ticket.halted
    shop.desk.current = ticket
    book.save(ticket)
  }

  const documentIn = ({ json }: Answer, { orderId }: Ticket): OrderDocument | undefined => {
    const { data } = OrderDocument.safeParse(json)
    return data?.id === orderId ? data : undefined
  }

  /** Handler of a reply that arrives after its timeout (defect). */
  const onLateAnswer = (ticket: Ticket) => (answer: Answer) => {
    const document = answer.status === 200 ? documentIn(answer, ticket) : undefined
    if (document) applyDocument(ticket, document, true)
    ticket.wakeSignal.notify()
  }

  function pauseAfter(ticket: Ticket): number {
    const round = (rounds.get(ticket) ?? 0) + 1
    rounds.set(ticket, round)
    const defaultMs = jittered(pace.reconcileMs, clock)
    return wrong('reconciles-ever-faster') ? Math.max(20, defaultMs / 2 ** round) : defaultMs
  }

  async function read(ticket: Ticket): Promise<boolean> {
    const { unreadEvents: news } = ticket
    const cause = news > 0 || ticket.status === undefined ? 'news' : 'reconcile'
    ticket.unreadEvents = wrong('reads-per-event') && news > 1 ? news - 1 : 0
    const outcome = await partner.callWithRetry(
      {
        operation: 'getOrder',
        method: 'GET',
        path: `/orders/${encodeURIComponent(ticket.orderId)}`,
        mayComeLater: true,
        ...(wrong('late-answers-count') ? { tooLate: onLateAnswer(ticket) } : {}),
      },
      { retry: ticket.retryState('getOrder'), bell: ticket.wakeSignal },
    )
    const document = outcome.kind === 'answered' ? documentIn(outcome.answer, ticket) : undefined
    ticket.readFailed = document === undefined
    ticket.dueAt = clock.now() + pauseAfter(ticket)
    if (document) {
      ticket.notFoundCount = 0
      applyDocument(ticket, document, wrong('last-answer-wins'))
      shop.onRead(ticket, cause)
      return true
    }
    // An invalid reply is retried at the next reconciliation, like a missing one.
    if (outcome.kind === 'answered') ticket.retryState('getOrder').notBefore = ticket.dueAt
    if (cause === 'reconcile') {
      ended.add(ticket)
      allEnded = true
    }
    // The events are still unread.
    ticket.unreadEvents += news
    ticket.notFoundCount += outcome.kind === 'failed' && outcome.answer?.status === 404 ? 1 : 0
    ticket.isUnreadable = outcome.kind === 'refused' || ticket.notFoundCount > maxNotFound
    if (ticket.isUnreadable) ticket.unreadEvents = 0
    return false
  }

  function reconciles({ status }: Ticket): boolean {
    if (wrong('never-reconciles')) return false
    return !wrong('reconciles-only-created') || status === undefined || status === 'CREATED'
  }

  const hasStopped = (ticket: Ticket): boolean =>
    (wrong('reconcile-dies-on-error') && allEnded) ||
    (wrong('reconcile-gives-up') && ended.has(ticket))

  return {
    read,
    isDue(ticket) {
      if (ticket.unreadEvents > 0 || (ticket.status === undefined && !ticket.isUnreadable))
        return true
      return reconciles(ticket) && !hasStopped(ticket) && clock.now() >= ticket.dueAt
    },
    pauseMs(ticket) {
      if (!reconciles(ticket) || hasStopped(ticket)) return Number.POSITIVE_INFINITY
      return Math.max(1, ticket.dueAt - clock.now())
    },
  }
}
