/** Keeps what all invariants go by, in O(1) for everything that is seen. Bounded: what is long over is forgotten. */
import { addBounded } from '../../engine/bounded.ts'
import type { Entry } from '../../engine/journal.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Settings } from '../../engine/settings.ts'
import type { World } from '../../engine/world.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'
import type { SeenAcknowledgment, SeenExchange, SeenHandover } from '../seen.ts'
import { isAcknowledgment, ownId } from '../pace/acknowledged.ts'
import { createLedger } from './ledger.ts'
import { projected } from './progress.ts'
import type { Knowledge, OrderWatch, Patience, Watch } from './watch.ts'
import { createWeather } from './weather.ts'

export interface KeeperOptions {
  readonly subject: Role
  readonly settings: Settings
  readonly patience: Patience
  readonly world: World
  readonly now: () => Instant
}

export interface Keeper {
  readonly watch: Watch
  readonly exchange: (seen: SeenExchange) => void
  readonly handover: (seen: SeenHandover) => void
  readonly acknowledgment: (seen: SeenAcknowledgment) => void
  readonly fact: (entry: Entry) => void
  /** Somebody had the subject ask to cancel an order. */
  readonly asked: (orderId: string) => void
}

const mostAsked = 20_000

/** How long an answer of ours bids the subject wait: Retry-After, in seconds or as a date. */
function pauseIn({ answerHeader, ended }: SeenExchange): number {
  const value = answerHeader('retry-after')
  if (value === undefined) return 0
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - ended
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}

/** The subject knew a status from then on. Of two proofs of one moment a reading is the better one. */
function know(order: OrderWatch, knowledge: Knowledge): void {
  const { status, since, how } = knowledge
  const before = order.known.get(status)
  const isEarlier = !before || before.since > since
  if (isEarlier || (before.since === since && how === 'read')) order.known.set(status, knowledge)
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { subject, settings, patience, world, now } = options
  const began = now()
  const weather = createWeather(world, now)
  const ledger = createLedger(world, subject)
  const { orders, events } = ledger
  const asked = new Set<string>()
  let lastCall: Watch['lastCall']

  function orderOf(orderId: string | undefined): OrderWatch | undefined {
    return orderId === undefined ? undefined : orders.get(orderId)
  }

  function show(order: OrderWatch, status: OrderStatus, since: Instant, by: SeenExchange): void {
    const before = order.shown.get(status)
    if (!before?.cite || before.since > since)
      order.shown.set(status, { since: Math.min(since, before?.since ?? since), cite: by.cite })
  }

  function name(id: string, at: Instant): void {
    const event = events.get(ownId(id, options))
    if (event) event.named = at
  }

  function keepExchange(seen: SeenExchange): void {
    if (seen.faulted) weather.settled(seen.ended + pauseIn(seen))
    if (seen.by !== 'subject') return
    lastCall = seen.cite
    if (isAcknowledgment(seen)) for (const id of seen.named() ?? []) name(id, seen.ended)
    const order = orderOf(seen.orderId)
    if (!order) return
    order.lastCall = seen.cite
    if (seen.operation !== 'getOrder' || !seen.ok) return
    if (!order.lastRead || order.lastRead.began <= seen.began) {
      const { ended, answered, cite } = seen
      order.lastRead = { began: seen.began, ended, answered, cite }
      order.read ??= order.lastRead
    }
    const status = seen.orderStatus
    if (!status) return
    show(order, status, seen.ended, seen)
    know(order, { status, since: seen.ended, cite: seen.cite, how: 'read' })
  }

  function keepHandover({
    eventId,
    eventType,
    orderId,
    at,
    channel,
    nth,
    exchange,
  }: SeenHandover): void {
    const event = events.get(eventId)
    const order = orderOf(orderId)
    if (order) {
      order.handed++
      if (nth === 1) order.heard++
      if (channel === 'polling' || exchange.ok)
        order.told ??= { since: exchange.ended, cite: exchange.cite, eventType }
      const status = projected(eventType)
      if (status) show(order, status, at, exchange)
    }
    if (event) event.handovers++
  }

  function keepAcknowledgment(seen: SeenAcknowledgment): void {
    const { eventType, orderId, at, channel, exchange } = seen
    const order = orderOf(orderId)
    const status = eventType === undefined ? undefined : projected(eventType)
    const how = channel === 'polling' ? 'acknowledged' : 'webhook'
    if (order && status) know(order, { status, since: at, cite: exchange.cite, how })
  }

  return {
    asked: (orderId) => void addBounded(asked, orderId, mostAsked),
    exchange: keepExchange,
    handover: keepHandover,
    acknowledgment: keepAcknowledgment,
    fact(entry) {
      weather.fact(entry)
      ledger.fact(entry)
    },
    watch: {
      subject,
      settings,
      patience,
      world,
      get now() {
        return now()
      },
      get lastCall() {
        return lastCall
      },
      began,
      orders,
      events,
      asked,
      calmSince: weather.calmSince,
      wasCalm(since) {
        const calm = weather.calmSince()
        return calm !== undefined && since >= (calm === began ? began : calm + patience.graceMs)
      },
      overdue(since, ms = patience.convergeMs) {
        const calm = weather.calmSince()
        return calm !== undefined && now() > Math.max(since, calm) + ms
      },
      robustness: weather.robustness,
    },
  }
}
