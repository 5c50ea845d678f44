/**
 * Observer of a run: records calls, event arrivals, acknowledgments and order statuses from the traffic and the journal.
 * Queried by waits, checks and expectations.
 */
import { setBounded } from '../engine/bounded.ts'
import type { Instant } from '../engine/instant.ts'
import { acknowledgedEventIds, handedOverEvents } from '../rules/invariants/judge/carried-events.ts'
import { createExchangeObserver } from '../rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import type { ExchangeSpan } from '../traffic/log.ts'
import { createOrderLog, type OrderLog } from './order-log.ts'
import { createIdleDetector, type IdleDetector } from './idle-detector.ts'
import { type Counting, isSameOperation } from './shared-shapes.ts'
import type { Session } from '../session-api/session.ts'

interface ObservedCall {
  readonly operation: OperationId
  readonly orderId: string | undefined
  readonly ok: boolean
  readonly isRefused: boolean
}

interface ObservedEvent {
  readonly eventType: string
  readonly orderId: string | undefined
  readonly channel: 'polling' | 'webhook'
}

export interface CallQuery {
  readonly call: OperationId
  readonly orderId?: string | undefined
  readonly counting?: Counting | undefined
}

export interface EventQuery {
  readonly event: string
  readonly orderId?: string | undefined
  readonly channel?: 'polling' | 'webhook' | undefined
}

/** The bodies of the exchange can be read during the call only. */
type ObservedListener = (seen: ObservedExchange, span: ExchangeSpan) => void

export interface ScenarioObserver extends Disposable {
  readonly orders: OrderLog
  readonly idleDetector: IdleDetector
  /** Reads the journal entries since the last read. */
  readonly read: () => void
  /** Calls the listener with each exchange of the subject, after recording it; returns the unsubscribe function. */
  readonly onObserved: (listener: ObservedListener) => () => void
  /** Number of matching calls. */
  readonly countCalls: (query: CallQuery) => number
  /** Number of matching handovers to the subject. */
  readonly countArrived: (query: EventQuery) => number
  /** Statuses with which the subject refused matching events. */
  readonly refusedHandovers: (query: EventQuery) => readonly number[]
  /** Number of matching events that the subject acknowledged. */
  readonly countAcknowledged: (query: EventQuery) => number
  /** Successful operations on an order, in the order of their first success. */
  readonly sequence: (orderId: string) => readonly OperationId[]
  /** End of the last exchange about an order or one of its events. */
  readonly lastAbout: (orderId: string) => Instant | undefined
  /** Whether the subject has made or answered a call. */
  readonly hasContact: () => boolean
  /** The last of several 401 or 403 answers in a row by a subject that never accepted our credentials. */
  readonly rejectedCredentials: () => ObservedExchange | undefined
}

/** Whether a call counts as refused. A 401 asks for a fresh token, and what a fault of ours does is not the other side's. */
const isRefusal = ({ status, isFaulted }: ObservedExchange): boolean =>
  status >= 400 && status !== 401 && !isFaulted

/** Entries kept of each kind. */
const maxEntries = 200_000
/** Refusals of our credentials (401, 403) after which waiting is pointless. */
const maxRefusals = 3

export function createScenarioObserver(
  session: Session,
  subject: Role,
  hasDigest = true,
): ScenarioObserver {
  const calls: ObservedCall[] = []
  const arrivals: ObservedEvent[] = []
  const acknowledgments: ObservedEvent[] = []
  /** Events with an acknowledgment that was answered. */
  const answered = new Set<string>()
  const refused: (ObservedEvent & { readonly status: number })[] = []
  const lastAbout = new Map<string, Instant>()
  const typeOf = (eventId: string) => orders.events.get(eventId)
  const orders = createOrderLog(session, subject, hasDigest)
  const idleDetector = createIdleDetector()
  const listeners = new Set<ObservedListener>()
  let hasContact = false
  let accepted = false
  let refusals = 0
  let refusal: ObservedExchange | undefined

  const append = <Value>(list: Value[], value: Value): void => {
    if (list.length < maxEntries) list.push(value)
  }

  /** A subject that is kept may go on asking for orders that it had before: that is no work of this session. */
  const isOfAnotherSession = ({ caller, status, orderId }: ObservedExchange): boolean =>
    caller === 'subject' &&
    status === 404 &&
    orderId !== undefined &&
    orders.slotOf(orderId) === undefined

  function record(seen: ObservedExchange, ended: Instant): void {
    const { orderId, ok, caller: by, status } = seen
    const { operation } = seen.exchange
    hasContact ||= by === 'subject' || status > 0
    if (!isOfAnotherSession(seen)) idleDetector.observe(seen)
    if (by === 'sparring') {
      accepted ||= ok && operation !== 'getManifest'
      if (status === 401 || status === 403) {
        refusals++
        refusal = seen
      }
    }
    if (operation === undefined) return
    const markActivity = (about: string | undefined): void => {
      if (about !== undefined) setBounded(lastAbout, about, ended, maxEntries)
    }
    markActivity(orderId)
    const isRefused = isRefusal(seen)
    append(calls, { operation, orderId, ok, isRefused })
    const channel = by === 'subject' ? 'polling' : 'webhook'
    for (const { eventId, eventType, orderId: of } of handedOverEvents(seen)) {
      append(arrivals, { eventType, orderId: of, channel })
      if (isRefused) append(refused, { eventType, orderId: of, channel, status })
      orders.markReached(eventId)
      markActivity(of)
    }
    orders.read()
    for (const eventId of acknowledgedEventIds(seen)) {
      const event = typeOf(eventId)
      if (!event) continue
      append(acknowledgments, { ...event, channel })
      answered.add(eventId)
      markActivity(event.orderId)
      orders.acknowledge(eventId, ended)
    }
  }

  const see = createExchangeObserver(subject)
  const stop = session.onExchange((exchange, span) => {
    const seen = see(exchange, span)
    if (!seen) return
    record(seen, span.ended)
    for (const listener of listeners) listener(seen, span)
    seen.release()
  })

  const matching =
    ({ event, orderId, channel }: EventQuery) =>
    (each: ObservedEvent): boolean =>
      each.eventType === event &&
      (orderId === undefined || each.orderId === orderId) &&
      (channel === undefined || each.channel === channel)
  const count = (list: readonly ObservedEvent[], query: EventQuery): number =>
    list.filter(matching(query)).length

  /** Acknowledgments that took effect, though their answer was lost. */
  const unanswered = (): ObservedEvent[] =>
    [...orders.acknowledgedAtHost].flatMap((eventId) => {
      const event = answered.has(eventId) ? undefined : typeOf(eventId)
      return event ? [{ ...event, channel: 'polling' as const }] : []
    })

  return {
    orders,
    idleDetector,
    read: orders.read,
    onObserved(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    countCalls: ({ call, orderId, counting = 'successes' }) =>
      calls.filter(
        (each) =>
          (orderId === undefined || each.orderId === orderId) &&
          isSameOperation(each.operation, call) &&
          (counting === 'refusals' ? each.isRefused : each.ok || counting === 'tries'),
      ).length,
    countArrived: (query) => count(arrivals, query),
    refusedHandovers: (query) => refused.filter(matching(query)).map(({ status }) => status),
    countAcknowledged: (query) => count(acknowledgments, query) + count(unanswered(), query),
    sequence(orderId) {
      const mine = calls.filter((each) => each.orderId === orderId && each.ok)
      return [...new Set(mine.map(({ operation }) => operation))]
    },
    lastAbout: (orderId) => lastAbout.get(orderId),
    hasContact: () => hasContact,
    rejectedCredentials: () => (!accepted && refusals >= maxRefusals ? refusal : undefined),
    [Symbol.dispose]: stop,
  }
}
