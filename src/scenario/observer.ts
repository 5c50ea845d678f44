/**
 * What a scenario goes by while it is played: the calls that were made, the events that arrived, the ways that orders
 * took. Fed by the traffic and the journal, asked by waits, checks and expectations.
 */
import type { Instant } from '../engine/instant.ts'
import { acknowledgedEventIds, handedOverEvents } from '../invariants/judge/carried-events.ts'
import { createExchangeObserver } from '../invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../invariants/judge/observations.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import { createOrderLog, type OrderLog } from './order-log.ts'
import { createRhythm, type Rhythm } from './poll-interval.ts'
import { isCall } from './shared-shapes.ts'
import type { Session } from '../session-api/session.ts'

interface CallSeen {
  readonly operation: OperationId
  readonly orderId: string | undefined
  readonly ok: boolean
}

interface EventSeen {
  readonly eventType: string
  readonly orderId: string | undefined
  readonly channel: 'polling' | 'webhook'
}

export interface CallWish {
  readonly call: OperationId
  readonly orderId?: string | undefined
  readonly counting?: 'successes' | 'tries' | undefined
}

export interface EventWish {
  readonly event: string
  readonly orderId?: string | undefined
  readonly channel?: 'polling' | 'webhook' | undefined
}

export interface Witness extends Disposable {
  readonly orders: OrderLog
  readonly rhythm: Rhythm
  /** Reads what has been written in the journal since it was last read. */
  readonly read: () => void
  /** How often a call was made. */
  readonly calls: (wish: CallWish) => number
  /** How often events like this one reached the subject. */
  readonly arrived: (wish: EventWish) => number
  /** How many events like this one the subject took responsibility for. */
  readonly taken: (wish: EventWish) => number
  /** The operations about an order that succeeded, each by its first success. */
  readonly sequence: (orderId: string) => readonly OperationId[]
  /** Whether the subject has shown itself: it has called, or answered. */
  readonly hasMet: () => boolean
  /** The subject's last refusals of our credentials, one after the other; it has never taken them. */
  readonly turnedAway: () => ObservedExchange | undefined
}

/** What it remembers at most of each kind: a scenario is a story, not a load. */
const mostKept = 200_000
/** Refusals of our credentials after which nothing more is to be hoped for. */
const refusalsEnough = 3

export function createWitness(session: Session, subject: Role): Witness {
  const calls: CallSeen[] = []
  const arrivals: EventSeen[] = []
  const acknowledgments: EventSeen[] = []
  const typeOf = (eventId: string) => orders.events.get(eventId)
  const orders = createOrderLog(session, subject)
  const rhythm = createRhythm()
  let met = false
  let accepted = false
  let refusals = 0
  let refusal: ObservedExchange | undefined

  const keep = <Value>(list: Value[], value: Value): void => {
    if (list.length < mostKept) list.push(value)
  }

  function heard(seen: ObservedExchange, ended: Instant): void {
    const { operation, orderId, ok, caller: by, status } = seen
    met ||= by === 'subject' || status > 0
    rhythm.heard(seen)
    if (by === 'sparring') {
      accepted ||= ok && operation !== 'getManifest'
      if (status === 401 || status === 403) {
        refusals++
        refusal = seen
      }
    }
    if (operation === undefined) return
    keep(calls, { operation, orderId, ok })
    const channel = by === 'subject' ? 'polling' : 'webhook'
    for (const { eventId, eventType, orderId: of } of handedOverEvents(seen)) {
      keep(arrivals, { eventType, orderId: of, channel })
      orders.reach(eventId)
    }
    orders.read()
    for (const eventId of acknowledgedEventIds(seen)) {
      const event = typeOf(eventId)
      if (!event) continue
      keep(acknowledgments, { ...event, channel })
      orders.acknowledge(eventId, ended)
    }
  }

  const see = createExchangeObserver(subject)
  const stop = session.onExchange((exchange, span) => {
    const seen = see(exchange, span)
    if (seen) heard(seen, span.ended)
  })

  const count = (list: readonly EventSeen[], { event, orderId, channel }: EventWish): number =>
    list.filter(
      (each) =>
        each.eventType === event &&
        (orderId === undefined || each.orderId === orderId) &&
        (channel === undefined || each.channel === channel),
    ).length

  return {
    orders,
    rhythm,
    read: orders.read,
    calls: ({ call, orderId, counting = 'successes' }) =>
      calls.filter(
        (each) =>
          isCall(each.operation, call) &&
          (orderId === undefined || each.orderId === orderId) &&
          (each.ok || counting === 'tries'),
      ).length,
    arrived: (wish) => count(arrivals, wish),
    taken: (wish) => count(acknowledgments, wish),
    sequence(orderId) {
      const mine = calls.filter((each) => each.orderId === orderId && each.ok)
      return [...new Set(mine.map(({ operation }) => operation))]
    },
    hasMet: () => met,
    turnedAway: () => (!accepted && refusals >= refusalsEnough ? refusal : undefined),
    [Symbol.dispose]: stop,
  }
}
