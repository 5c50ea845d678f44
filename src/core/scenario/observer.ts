/**
 * Observer of a run: records calls, event arrivals, acknowledgments and order statuses from the traffic and the journal.
 * Queried by waits, checks and expectations.
 */
import { setBounded } from '../engine/bounded.ts'
import type { Instant } from '../engine/instant.ts'
import { acknowledgedEventIds, handedOverEvents } from '../rules/invariants/judge/carried-events.ts'
import { createExchangeObserver } from '../rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import { operation as rowOf, type OperationId } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import type { ExchangeSpan } from '../traffic/log.ts'
import { type Counting, isSameOperation } from './shared-shapes.ts'
import type { Session } from '../session-api/session.ts'
import { createDigest } from '../engine/digest.ts'
import type { Fact } from '../engine/fact.ts'
import { isFinalStatus } from '../rules/invariants/tracking/status-rank.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'

/** Projection of the journal: order slots, their statuses, events and their acknowledgments. */
interface KnownEvent {
  readonly eventType: string
  /** The role that it is handed over to. */
  readonly to: Role
  readonly orderId: string | undefined
}

interface OrderLog {
  readonly read: () => void
  /** Order ids by slot, oldest first. */
  readonly slots: ReadonlyMap<string, string>
  readonly slotOf: (orderId: string) => string | undefined
  /** Statuses of an order, oldest first. */
  readonly statusesOf: (orderId: string) => readonly OrderStatus[]
  /** Whether the last known status is final. */
  readonly hasEnded: (orderId: string) => boolean
  readonly events: ReadonlyMap<string, KnownEvent>
  readonly acknowledge: (eventId: string, at: Instant) => void
  /** Marks an event as carried by an exchange. */
  readonly markReached: (eventId: string) => void
  /** Events delivered to the subject or its mailbox; not those lost in transit. */
  readonly reached: ReadonlySet<string>
  /** Events in the mailbox that have not been acknowledged. */
  readonly unacknowledged: () => readonly KnownEvent[]
  /** Ids of acknowledged events. */
  readonly acknowledged: ReadonlySet<string>
  /** Ids of events whose acknowledgment took effect, whether or not it was answered. */
  readonly acknowledgedAtHost: ReadonlySet<string>
  /** Reasons of all manifest rejections; empty once the manifest was accepted. */
  readonly manifestRejections: () => readonly string[]
  /** Instant of the last fact that is not bookkeeping. */
  readonly lastChange: () => Instant
  readonly facts: () => number
  /** Hash over all facts since the beginning; equal for equal runs. */
  readonly digest: () => string
}

/** Bookkeeping facts that recur for ever. */
const bookkeepingKinds: ReadonlySet<string> = new Set([
  'events.polled',
  'ticket.polled',
  'fault.passed',
  // A courier who waits for food.
  'delivery.waited',
])
const isChange = ({ kind }: Fact): boolean =>
  !bookkeepingKinds.has(kind) && !/^(agenda|pause|call|token|partner)\./.test(kind)

/** `hasDigest`: whether the facts are hashed, which takes longer than everything else that is read of them. */
function createOrderLog(session: Session, subject: Role, hasDigest = true): OrderLog {
  const slots = new Map<string, string>()
  const byId = new Map<string, string>()
  const statusLists = new Map<string, OrderStatus[]>()
  const events = new Map<string, KnownEvent>()
  const unacknowledged = new Map<string, KnownEvent>()
  const acknowledged = new Set<string>()
  const acknowledgedAtHost = new Set<string>()
  const reached = new Set<string>()
  const digest = createDigest()
  /** Orders that our own side hosts: a status read by others is not new. */
  const hosted = new Set<string>()
  let accepted = false
  const rejections: string[] = []
  let last = 0
  let lastChange: Instant = 0

  function assignSlot(orderId: string): void {
    if (byId.has(orderId)) return
    const slot = `o${byId.size + 1}`
    byId.set(orderId, slot)
    slots.set(slot, orderId)
  }

  function recordStatus(orderId: string, to: OrderStatus): void {
    const statuses = statusLists.get(orderId)
    if (!statuses) statusLists.set(orderId, [to])
    else if (statuses.at(-1) !== to) statuses.push(to)
  }

  function settle(eventId: string): void {
    unacknowledged.delete(eventId)
    acknowledged.add(eventId)
  }

  function applyFact(fact: Fact): void {
    switch (fact.kind) {
      case 'order.created':
        hosted.add(fact.order.id)
        assignSlot(fact.order.id)
        return recordStatus(fact.order.id, 'CREATED')
      case 'order.moved':
        return recordStatus(fact.orderId, fact.to)
      case 'ticket.announced':
        return fact.eventType === 'CREATED' ? assignSlot(fact.orderId) : undefined
      case 'ticket.read':
        if (!hosted.has(fact.orderId)) recordStatus(fact.orderId, fact.status)
        return
      case 'event.emitted': {
        const { eventId, eventType, orderId } = fact.event
        return void events.set(eventId, { eventType, orderId, to: 'software-service' })
      }
      case 'event.announced': {
        const { eventId, eventType, orderId, to } = fact.event
        return void events.set(eventId, { eventType, orderId, to })
      }
      case 'event.offered': {
        const event = events.get(fact.eventId)
        reached.add(fact.eventId)
        if (event && !acknowledged.has(fact.eventId)) unacknowledged.set(fact.eventId, event)
        return
      }
      case 'events.acknowledged':
        return fact.eventIds.forEach((eventId) => {
          acknowledgedAtHost.add(eventId)
          settle(eventId)
        })
      case 'event.pushed':
        return settle(fact.eventId)
      case 'partner.accepted':
        accepted ||= fact.partner === subject
        return
      case 'partner.rejected':
        if (fact.partner === subject && rejections.length < 100) rejections.push(fact.because)
        return
      default:
    }
  }

  function read(): void {
    const facts = session.facts(last)
    const first = facts[0]?.seq ?? 1
    for (const entry of facts.slice(Math.max(0, last + 1 - first))) {
      last = entry.seq
      applyFact(entry.fact)
      if (isChange(entry.fact)) lastChange = entry.at
      if (hasDigest) digest.add(JSON.stringify(entry))
    }
  }

  const statusesOf = (orderId: string): readonly OrderStatus[] => statusLists.get(orderId) ?? []

  return {
    read,
    slots,
    slotOf: (orderId) => byId.get(orderId),
    statusesOf,
    hasEnded: (orderId) => {
      const status = statusesOf(orderId).at(-1)
      return status !== undefined && isFinalStatus(status)
    },
    events,
    acknowledge: settle,
    markReached: (eventId) => void reached.add(eventId),
    reached,
    unacknowledged: () => [...unacknowledged.values()],
    acknowledged,
    acknowledgedAtHost,
    manifestRejections: () => (accepted ? [] : rejections),
    lastChange: () => lastChange,
    facts: () => last,
    digest: digest.text,
  }
}

/**
 * Idle detector: learns the subject's poll interval and retry delay from its traffic, and derives from when on it
 * counts as idle: when it was silent for longer than its poll interval, and its last failed call is longer ago than its
 * retry delay.
 */
interface IdleDetector {
  readonly observe: (observed: ObservedExchange) => void
  /** End of the last exchange that was not an empty poll, a token or a manifest. */
  readonly lastActivity: () => Instant
  /** Silence that is longer than its poll interval, in ms. */
  readonly silenceMs: () => number
  /** The instant at which the subject counts as idle, when nothing happens after this activity. */
  readonly idleFrom: (activity: Instant) => Instant
}

const pollOperations: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
/** Assumed poll interval until one was observed, in ms. */
const defaultPollMs = 1000
/** Maximum poll interval, in ms: a subject that polls once an hour would be waited for all day. */
const maxPollMs = 30_000
/** Of a subject that polls rarely a silence is long enough that is longer by so much than its poll interval, in ms. */
const maxSlackMs = 10_000
/** Maximum retry delay, in ms: a longer one is a cool-down with something pending, which is waited for anyway. */
const maxRetryMs = 10_000

/** Empty polls, tokens and manifests recur for ever, and are no activity. */
function isActivity(observed: ObservedExchange): boolean {
  const { operation } = observed
  if (operation === undefined) return false
  const { capability } = rowOf(operation)
  if (capability === 'auth' || capability === 'discovery') return false
  if (!pollOperations.has(operation)) return true
  const events = observed.responseJson()
  return Array.isArray(events) && events.length > 0
}

function createIdleDetector(): IdleDetector {
  let lastActivity: Instant = 0
  let lastPoll: Instant | undefined
  let pollMs = defaultPollMs
  let retryMs = 0
  let lastFailure: Instant = 0
  /** Last failure by operation and order. */
  const lastFailures = new Map<string, Instant>()

  function learnRetries({ operation, orderId, ok, began, ended }: ObservedExchange): void {
    const key = `${operation} ${orderId ?? ''}`
    const before = lastFailures.get(key)
    if (before !== undefined) retryMs = Math.min(maxRetryMs, Math.max(retryMs, began - before))
    if (ok) return void lastFailures.delete(key)
    lastFailure = Math.max(lastFailure, ended)
    if (lastFailures.size < 10_000) lastFailures.set(key, ended)
  }

  const silenceMs = (): number => Math.min(3 * pollMs, pollMs + maxSlackMs)

  return {
    observe(observed) {
      const { operation, caller: by, began, ended } = observed
      if (isActivity(observed)) lastActivity = Math.max(lastActivity, ended)
      if (by !== 'subject' || operation === undefined) return
      if (pollOperations.has(operation)) {
        if (lastPoll !== undefined) pollMs = Math.min(maxPollMs, Math.max(100, began - lastPoll))
        lastPoll = began
      } else learnRetries(observed)
    },
    lastActivity: () => lastActivity,
    silenceMs,
    idleFrom: (activity) => Math.max(activity + silenceMs(), lastFailure + 2 * retryMs),
  }
}

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
type ObservedListener = (observed: ObservedExchange, span: ExchangeSpan) => void

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

/**
 * Whether a call counts as refused. A 401 asks for a fresh token, and what a fault of ours does is not the other
 * side's.
 */
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

  function record(observed: ObservedExchange, ended: Instant): void {
    const { orderId, ok, caller: by, status } = observed
    const { operation } = observed.exchange
    hasContact ||= by === 'subject' || status > 0
    if (!isOfAnotherSession(observed)) idleDetector.observe(observed)
    if (by === 'sparring') {
      accepted ||= ok && operation !== 'getManifest'
      if (status === 401 || status === 403) {
        refusals++
        refusal = observed
      }
    }
    if (operation === undefined) return
    const markActivity = (about: string | undefined): void => {
      if (about !== undefined) setBounded(lastAbout, about, ended, maxEntries)
    }
    markActivity(orderId)
    const isRefused = isRefusal(observed)
    append(calls, { operation, orderId, ok, isRefused })
    const channel = by === 'subject' ? 'polling' : 'webhook'
    for (const { eventId, eventType, orderId: of } of handedOverEvents(observed)) {
      append(arrivals, { eventType, orderId: of, channel })
      if (isRefused) append(refused, { eventType, orderId: of, channel, status })
      orders.markReached(eventId)
      markActivity(of)
    }
    orders.read()
    for (const eventId of acknowledgedEventIds(observed)) {
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
    const observed = see(exchange, span)
    if (!observed) return
    record(observed, span.ended)
    for (const listener of listeners) listener(observed, span)
    observed.release()
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
