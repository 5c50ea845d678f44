/** Maintains the tracker state, in O(1) per observation. Memory is bounded: finished orders are evicted. */
import { addBounded } from '../../engine/bounded.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Settings } from '../../engine/settings.ts'
import type { World } from '../../engine/world.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import type { SeenAcknowledgment, SeenExchange, SeenHandover } from '../judge/observations.ts'
import { isAcknowledgment } from '../helpers/polling.ts'
import { untilDate } from '../helpers/call-outcome.ts'
import { isRead } from '../helpers/order-reads.ts'
import type { Knowledge } from './status-history.ts'
import { comingIn } from './pending-work.ts'
import { seeDeed } from './run-outcome.ts'
import { type Keep, keepOf, type Kind } from './fact-handlers.ts'
import { createLedger } from './host-state.ts'
import { progressOf, projected } from './progress.ts'
import { createScreen, type Screen } from './fact-filter.ts'
import type { OrderWatch, Patience, Present, Watch } from './tracker-state.ts'
import { beginWait } from './waiting.ts'
import { createWeather } from './fault-window.ts'

export interface KeeperOptions {
  readonly subject: Role
  readonly settings: Settings
  readonly patience: Patience
  readonly world: World
  readonly now: () => Instant
}

export interface Keeper {
  readonly watch: Watch
  /** The state plus the current world, for verdicts. */
  readonly present: () => Present
  readonly exchange: (seen: SeenExchange) => void
  readonly handover: (seen: SeenHandover) => void
  readonly acknowledgment: (seen: SeenAcknowledgment) => void
  /** Whether a fact is relevant. Must be called once per fact, in order. */
  readonly screen: Screen
  /** Handlers for facts of a kind; empty for most kinds. */
  readonly keepsOf: (kind: Kind) => readonly Keep[]
  /** An operator had the subject request a cancellation. */
  readonly asked: (orderId: string) => void
}

const maxOperatorCancellations = 20_000

/** Retry-After of our answer in ms: a number of seconds, or a date. */
function retryAfterMs(seen: SeenExchange): number {
  const value = seen.answerHeader('retry-after')
  if (value === undefined) return 0
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : untilDate(Date.parse(value), seen)
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}

/** Records that the subject knows a status. Of two proofs at the same instant a read is preferred. */
function recordKnown({ known: knownStatuses }: OrderWatch, knowledge: Knowledge): void {
  const { status, since, how: source } = knowledge
  const before = knownStatuses.since(status)
  if (since < before || (since === before && source === 'read')) knownStatuses.set(knowledge)
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { subject, settings, patience: limits, world, now } = options
  const startedAt = now()
  const faultWindow = createWeather(world, now)
  const merchants = new Set(settings.merchants.map(({ merchantId }) => merchantId))
  const hostState = createLedger(world, { subject, merchants })
  const { orders, events, hasForgotten: hasEvicted, arrivals: webhooksInFlight } = hostState
  const operatorCancellations = new Set<string>()
  let lastCall: Watch['lastCall']

  function recordShown(
    order: OrderWatch,
    status: OrderStatus,
    since: Instant,
    by: SeenExchange,
  ): void {
    const { shown: shownStatuses } = order
    const before = shownStatuses.since(status)
    if (since < before || !shownStatuses.isCited(status))
      shownStatuses.set({ status, since: Math.min(since, before), cite: by.cite })
  }

  function trackExchange(seen: SeenExchange): void {
    if (seen.faulted) faultWindow.settled(seen.ended + retryAfterMs(seen))
    if (seen.by !== 'subject') return
    seeDeed(seen, state)
    lastCall = seen.cite
    if (isAcknowledgment(seen))
      for (const { event } of seen.named() ?? []) if (event) event.named = seen.ended
    const { order } = seen
    if (!order) return
    order.lastCall = seen.cite
    if (seen.ok && progressOf(seen)?.from.includes(order.truth)) beginWait(order, seen.ended)
    if (!isRead(seen) || !seen.ok) return
    if (!order.lastRead || order.lastRead.began <= seen.began) {
      order.lastRead = seen.reading()
      order.read ??= order.lastRead
    }
    const status = seen.orderStatus
    if (!status) return
    recordShown(order, status, seen.ended, seen)
    recordKnown(order, { status, since: seen.ended, cite: seen.cite, how: 'read' })
  }

  function trackHandover(seen: SeenHandover): void {
    const { eventType, order, event, at, channel, nth: handoverNumber, exchange } = seen
    if (order) {
      order.handed++
      if (handoverNumber === 1) order.heard++
      if (channel === 'polling' || exchange.ok)
        order.told ??= { since: exchange.ended, cite: exchange.cite, eventType }
      const status = projected(eventType)
      if (status) recordShown(order, status, at, exchange)
    }
    if (!event) return
    // Counts for the order of the event, even if the wire names another one.
    if (event.order && event.isOfOrders && event.handovers === 0) event.order.unheard--
    event.handovers++
  }

  function trackAcknowledgment(seen: SeenAcknowledgment): void {
    const { eventType, order, at, channel, exchange } = seen
    const status = eventType === undefined ? undefined : projected(eventType)
    const how = channel === 'polling' ? 'acknowledged' : 'webhook'
    if (order && status) recordKnown(order, { status, since: at, cite: exchange.cite, how })
  }

  const state: Watch = {
    subject,
    settings,
    patience: limits,
    get now() {
      return now()
    },
    get lastCall() {
      return lastCall
    },
    names: world.ordering.names,
    began: startedAt,
    orders,
    events,
    hasForgotten: hasEvicted,
    arrivals: webhooksInFlight,
    merchants,
    asked: operatorCancellations,
    calmSince: faultWindow.calmSince,
    wasCalm(since) {
      const faultFree = faultWindow.calmSince()
      return (
        faultFree !== undefined &&
        since >= (faultFree === startedAt ? startedAt : faultFree + limits.graceMs)
      )
    },
    overdue(since, ms = limits.convergeMs) {
      const faultFree = faultWindow.calmSince()
      return faultFree !== undefined && now() > Math.max(since, faultFree) + ms
    },
    robustness: faultWindow.robustness,
  }

  return {
    screen: createScreen(),
    asked: (orderId) => void addBounded(operatorCancellations, orderId, maxOperatorCancellations),
    exchange: trackExchange,
    handover: trackHandover,
    acknowledgment: trackAcknowledgment,
    keepsOf: (kind) =>
      [faultWindow.facts, hostState.facts].flatMap((handlers) => keepOf(handlers, kind) ?? []),
    watch: state,
    present: () => ({ ...state, world, coming: comingIn(world, subject) }),
  }
}
