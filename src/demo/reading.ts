/**
 * Reading one order, and what its owner knows after that. GET has the last word on the status, and an order never goes
 * back: an answer that is older than what is known changes nothing.
 */
import type { Ticket } from './book.ts'
import { isOver, rankOf } from './lifecycle.ts'
import { OrderDocument } from './order-document.ts'
import { jittered } from './patience.ts'
import type { Answer } from './send.ts'
import type { Shop } from './shop.ts'

export interface Reading {
  /** GET of the order; answers whether it is known now what is so. */
  readonly read: (ticket: Ticket) => Promise<boolean>
  /** Whether it is to be read now. */
  readonly isDue: (ticket: Ticket) => boolean
  readonly pauseOf: (ticket: Ticket) => number
}

/** An order that GET has not shown for so many chains of attempts is not coming. */
const mostMissing = 20

export interface ReadingParts extends Shop {
  /** Hears what was read, and what made it be read. */
  readonly onRead: (ticket: Ticket, cause: 'news' | 'reconcile') => void
}

export function createReading(shop: ReadingParts): Reading {
  const { clock, pace, wrong, book, partner } = shop
  /** Reconciliations that came to nothing, for services that let that be the end of them. */
  const ended = new WeakSet<Ticket>()
  const rounds = new WeakMap<Ticket, number>()
  let allEnded = false

  /** Whether GET says that the order ended by being cancelled; CONCLUDED follows on either end. */
  function wasCancelled({ status, halted, asked }: Ticket, to: OrderDocument['status']): boolean {
    if (to !== 'CONCLUDED') return to === 'CANCELLED'
    if (status === 'DELIVERED') return false
    return halted === 'CANCELLED' || asked?.step.to !== 'DELIVERED'
  }

  function learn(ticket: Ticket, document: OrderDocument, lastWins = false): void {
    const { status: to, lastEvent } = document
    const { status: before } = ticket
    const isNewer = before === undefined || rankOf(to) > rankOf(before) || lastWins
    if (isNewer && to !== before) {
      ticket.cancelled ||= wasCancelled(ticket, to)
      ticket.status = to
      ticket.asked = undefined
      ticket.refused.clear()
    }
    if (isNewer || to === before) ticket.order = document
    const isDenied = lastEvent === 'CANCELLATION_REQUEST_DENIED'
    const isLate = clock.now() - (ticket.cancelling ?? 0) > 3 * pace.reconcileMs
    if ((isDenied || isLate) && !wrong('never-resumes')) ticket.cancelling = undefined
    // An event told of its end, and what was read after that says otherwise: GET is right.
    if (ticket.news === 0 && !isOver(ticket.status)) delete ticket.halted
    shop.desk.current = ticket
    book.save(ticket)
  }

  const documentIn = ({ json }: Answer, { orderId }: Ticket): OrderDocument | undefined => {
    const { data } = OrderDocument.safeParse(json)
    return data?.id === orderId ? data : undefined
  }

  /** An answer that nobody waited for any longer. */
  const tooLate = (ticket: Ticket) => (answer: Answer) => {
    const document = answer.status === 200 ? documentIn(answer, ticket) : undefined
    if (document) learn(ticket, document, true)
    ticket.bell.ring()
  }

  function pauseAfter(ticket: Ticket): number {
    const round = (rounds.get(ticket) ?? 0) + 1
    rounds.set(ticket, round)
    const usual = jittered(pace.reconcileMs, clock)
    return wrong('reconciles-ever-faster') ? Math.max(20, usual / 2 ** round) : usual
  }

  async function read(ticket: Ticket): Promise<boolean> {
    const { news } = ticket
    const cause = news > 0 || ticket.status === undefined ? 'news' : 'reconcile'
    ticket.news = wrong('reads-per-event') && news > 1 ? news - 1 : 0
    const outcome = await partner.insist(
      {
        operation: 'getOrder',
        method: 'GET',
        path: `/orders/${encodeURIComponent(ticket.orderId)}`,
        mayComeLater: true,
        ...(wrong('late-answers-count') ? { tooLate: tooLate(ticket) } : {}),
      },
      { patience: ticket.patience('getOrder'), bell: ticket.bell },
    )
    const document = outcome.kind === 'answered' ? documentIn(outcome.answer, ticket) : undefined
    ticket.unread = document === undefined
    ticket.dueAt = clock.now() + pauseAfter(ticket)
    if (document) {
      ticket.missing = 0
      learn(ticket, document, wrong('last-answer-wins'))
      shop.onRead(ticket, cause)
      return true
    }
    // An answer that cannot be read is asked for again in its time, as one that did not come.
    if (outcome.kind === 'answered') ticket.patience('getOrder').notBefore = ticket.dueAt
    if (cause === 'reconcile') {
      ended.add(ticket)
      allEnded = true
    }
    // What was heard has still to be read.
    ticket.news += news
    ticket.missing += outcome.kind === 'failed' && outcome.answer?.status === 404 ? 1 : 0
    ticket.lost = outcome.kind === 'refused' || ticket.missing > mostMissing
    if (ticket.lost) ticket.news = 0
    return false
  }

  function reconciles({ status }: Ticket): boolean {
    if (wrong('never-reconciles')) return false
    return !wrong('reconciles-only-created') || status === undefined || status === 'CREATED'
  }

  const isDead = (ticket: Ticket): boolean =>
    (wrong('reconcile-dies-on-error') && allEnded) ||
    (wrong('reconcile-gives-up') && ended.has(ticket))

  return {
    read,
    isDue(ticket) {
      if (ticket.news > 0 || (ticket.status === undefined && !ticket.lost)) return true
      return reconciles(ticket) && !isDead(ticket) && clock.now() >= ticket.dueAt
    },
    pauseOf(ticket) {
      if (!reconciles(ticket) || isDead(ticket)) return Number.POSITIVE_INFINITY
      return Math.max(1, ticket.dueAt - clock.now())
    },
  }
}
