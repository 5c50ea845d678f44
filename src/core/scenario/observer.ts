/**
 * Observer of a run: records calls, event arrivals, acknowledgments and order statuses from the traffic and the journal.
 * Queried by waits, checks and expectations.
 */
import { setBounded } from '../engine/bounded.ts'
import type { Instant } from '../engine/instant.ts'
import { acknowledgedEventIds, handedOverEvents } from '../rules/invariants/judge/carried-events.ts'
import { bearerToken, orderIdOfCall } from '../rules/invariants/helpers/call-outcome.ts'
import { IdleDetector } from './idle-detector.ts'
import { createExchangeObserver } from '../rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import { operation as rowOf, type OperationId } from '../protocol/catalogue.ts'
import { type Role, roles } from '../protocol/role.ts'
import type { ExchangeSpan } from '../traffic/log.ts'
import { type Counting, isSameOperation } from './shared-shapes.ts'
import type { Session } from '../session-api/session.ts'
import { createDigest } from '../engine/digest.ts'
import { isUnknownRecord, textMember, type UnknownRecord } from '../protocol/unknown-record.ts'
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
class OrderLog {
  readonly #session: Session
  readonly #subject: Role
  readonly #hasDigest: boolean
  readonly #reached = new Set<string>()
  readonly #acknowledgedAtHost = new Set<string>()
  readonly #acknowledged = new Set<string>()
  readonly #events = new Map<string, KnownEvent>()
  readonly #slots = new Map<string, string>()
  /** Order ids by slot, oldest first. */
  readonly slots: ReadonlyMap<string, string> = this.#slots
  readonly #byId = new Map<string, string>()
  readonly #statusLists = new Map<string, OrderStatus[]>()
  readonly events: ReadonlyMap<string, KnownEvent> = this.#events
  readonly #unacknowledged = new Map<string, KnownEvent>()
  /** Ids of acknowledged events. */
  readonly acknowledged: ReadonlySet<string> = this.#acknowledged
  /** Ids of events whose acknowledgment took effect, whether or not it was answered. */
  readonly acknowledgedAtHost: ReadonlySet<string> = this.#acknowledgedAtHost
  /** Events delivered to the subject or its mailbox; not those lost in transit. */
  readonly reached: ReadonlySet<string> = this.#reached
  readonly #digest = createDigest()
  /** Orders that our own side hosts: a status read by others is not new. */
  readonly #hosted = new Set<string>()
  #accepted = false
  readonly #rejections: string[] = []
  #last = 0
  #lastChange: Instant = 0

  constructor(session: Session, subject: Role, hasDigest = true) {
    this.#session = session
    this.#subject = subject
    this.#hasDigest = hasDigest
  }

  readonly read = (): void => {
    const facts = this.#session.facts(this.#last)
    const first = facts[0]?.seq ?? 1
    for (const entry of facts.slice(Math.max(0, this.#last + 1 - first))) {
      this.#last = entry.seq
      this.#applyFact(entry.fact)
      if (isChange(entry.fact)) this.#lastChange = entry.at
      if (this.#hasDigest) this.#digest.add(JSON.stringify(entry))
    }
  }

  readonly slotOf = (orderId: string): string | undefined => this.#byId.get(orderId)

  /** Statuses of an order, oldest first. */
  readonly statusesOf = (orderId: string): readonly OrderStatus[] => {
    return this.#statusLists.get(orderId) ?? []
  }

  /** Whether the last known status is final. */
  readonly hasEnded = (orderId: string): boolean => {
    const status = this.statusesOf(orderId).at(-1)
    return status !== undefined && isFinalStatus(status)
  }

  readonly acknowledge = (eventId: string): void => {
    this.#unacknowledged.delete(eventId)
    this.#acknowledged.add(eventId)
  }

  /** Marks an event as carried by an exchange. */
  readonly markReached = (eventId: string): void => void this.#reached.add(eventId)
  /** Events in the mailbox that have not been acknowledged. */
  readonly unacknowledged = (): readonly KnownEvent[] => [...this.#unacknowledged.values()]
  /** Reasons of all manifest rejections; empty once the manifest was accepted. */
  readonly manifestRejections = (): readonly string[] => (this.#accepted ? [] : this.#rejections)
  /** Instant of the last fact that is not bookkeeping. */
  readonly lastChange = (): Instant => this.#lastChange
  readonly facts = (): number => this.#last
  /** Hash over all facts since the beginning; equal for equal runs. */
  readonly digest = (): string => this.#digest.text()

  #assignSlot(orderId: string): void {
    if (this.#byId.has(orderId)) return
    const slot = `o${this.#byId.size + 1}`
    this.#byId.set(orderId, slot)
    this.#slots.set(slot, orderId)
  }

  #recordStatus(orderId: string, to: OrderStatus): void {
    const statuses = this.#statusLists.get(orderId)
    if (!statuses) this.#statusLists.set(orderId, [to])
    else if (statuses.at(-1) !== to) statuses.push(to)
  }

  #applyFact(fact: Fact): void {
    switch (fact.kind) {
      case 'order.created':
        this.#hosted.add(fact.order.id)
        this.#assignSlot(fact.order.id)
        return this.#recordStatus(fact.order.id, 'CREATED')
      case 'order.moved':
        return this.#recordStatus(fact.orderId, fact.to)
      case 'ticket.announced':
        return fact.eventType === 'CREATED' ? this.#assignSlot(fact.orderId) : undefined
      case 'ticket.read':
        if (!this.#hosted.has(fact.orderId)) this.#recordStatus(fact.orderId, fact.status)
        return
      case 'event.emitted': {
        const { eventId, eventType, orderId } = fact.event
        return void this.#events.set(eventId, { eventType, orderId, to: 'software-service' })
      }
      case 'event.announced': {
        const { eventId, eventType, orderId, to } = fact.event
        return void this.#events.set(eventId, { eventType, orderId, to })
      }
      case 'event.offered': {
        const event = this.events.get(fact.eventId)
        this.#reached.add(fact.eventId)
        if (event && !this.acknowledged.has(fact.eventId))
          this.#unacknowledged.set(fact.eventId, event)
        return
      }
      case 'events.acknowledged':
        return fact.eventIds.forEach((eventId) => {
          this.#acknowledgedAtHost.add(eventId)
          this.acknowledge(eventId)
        })
      case 'event.pushed':
        return this.acknowledge(fact.eventId)
      case 'partner.accepted':
        this.#accepted ||= fact.partner === this.#subject
        return
      case 'partner.rejected':
        if (fact.partner === this.#subject && this.#rejections.length < 100)
          this.#rejections.push(fact.because)
        return
      default:
    }
  }
}

interface ObservedCall {
  readonly operation: OperationId
  readonly orderId: string | undefined
  readonly ok: boolean
  readonly isRefused: boolean
  /** A request that is sent again has the same. */
  readonly requestId: string | undefined
  /** Of a call of ours. */
  readonly answered: number | undefined
  /** The role that was called. */
  readonly host: Role
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

/**
 * Whether a call counts as refused. A 401 asks for a fresh token, and what a fault of ours does is not the other
 * side's.
 */
const isRefusal = ({ status, isFaulted }: ObservedExchange): boolean =>
  status >= 400 && status !== 401 && !isFaulted

/** Whether a handover was not taken: a redirect takes nothing, and a 401 asks for a fresh token only where it had one. */
const isRefusedHandover = (observed: ObservedExchange): boolean =>
  observed.status >= 300 &&
  !observed.isFaulted &&
  (observed.status !== 401 || bearerToken(observed) === undefined)

/** Entries kept of each kind. */
const maxEntries = 200_000
/** Characters kept of what an event says. */
const maxKeyChars = 1000
/** Refusals of our credentials (401, 403) after which waiting is pointless. */
const maxRefusals = 3

export class SessionObserver implements Disposable {
  readonly #calls: ObservedCall[] = []
  readonly #arrivals: ObservedEvent[] = []
  readonly #acknowledgments: ObservedEvent[] = []
  /** Events with an acknowledgment that was answered. */
  readonly #answered = new Set<string>()
  readonly #refused: (ObservedEvent & { readonly status: number })[] = []
  /** Events of the subject, by their ids. */
  readonly #announced = new Map<string, Omit<ObservedEvent, 'channel'>>()
  readonly #lastAbout = new Map<string, Instant>()
  readonly orders: OrderLog
  readonly idleDetector: IdleDetector = new IdleDetector()
  readonly #listeners = new Set<ObservedListener>()
  #hasContact = false
  #accepted = false
  #refusals = 0
  #refusal: ObservedExchange | undefined
  readonly #stop: () => void

  constructor(session: Session, subject: Role, hasDigest = true) {
    this.orders = new OrderLog(session, subject, hasDigest)
    const see = createExchangeObserver(subject)
    this.#stop = session.onExchange((exchange, span) => {
      const observed = see(exchange, span)
      if (!observed) return
      this.#record(observed, span.ended)
      for (const listener of this.#listeners) listener(observed, span)
      observed.release()
    })
  }

  readonly [Symbol.dispose] = (): void => this.#stop()
  /** Reads the journal entries since the last read. */
  readonly read = (): void => this.orders.read()

  /** Calls the listener with each exchange of the subject, after recording it; returns the unsubscribe function. */
  readonly onObserved = (listener: ObservedListener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Number of matching calls; of what each side serves, such as tokens, those of the subject at the side that it asked most. A
   * request that is sent again, as after an answer that was late, succeeds once.
   */
  readonly countCalls = ({ call, orderId, counting = 'successes' }: CallQuery): number => {
    const isServedByAll = rowOf(call).hosts.length === roles.length
    const matching = this.#calls.filter(
      (each) =>
        !(isServedByAll && each.answered !== undefined) &&
        (orderId === undefined || each.orderId === orderId) &&
        isSameOperation(each.operation, call) &&
        (counting === 'refusals' ? each.isRefused : each.ok || counting === 'tries'),
    )
    const countOf = (calls: readonly ObservedCall[]): number => {
      if (counting !== 'successes') return calls.length
      const requests = calls.map(({ orderId: of, requestId }, index) =>
        requestId === undefined ? index : `${of} ${requestId}`,
      )
      return new Set<unknown>(requests).size
    }
    return isServedByAll
      ? Math.max(...roles.map((role) => countOf(matching.filter(({ host }) => host === role))))
      : countOf(matching)
  }

  /** The statuses with which the subject answered such calls of ours. */
  readonly answersTo = (call: OperationId): readonly number[] =>
    this.#calls.flatMap(({ operation, answered }) =>
      answered !== undefined && isSameOperation(operation, call) ? [answered] : [],
    )

  /** Number of matching handovers to the subject. */
  readonly countArrived = (query: EventQuery): number => this.#count(this.#arrivals, query)

  /** Statuses with which the subject refused matching events. */
  readonly refusedHandovers = (query: EventQuery): readonly number[] => {
    return this.#refused.filter(this.#matching(query)).map(({ status }) => status)
  }

  /** Number of matching events that the subject acknowledged. */
  readonly countAcknowledged = (query: EventQuery): number => {
    return this.#count(this.#acknowledgments, query) + this.#count(this.#unanswered(), query)
  }

  /** Number of events that the subject has sent, each once, of these types. */
  readonly countAnnounced = (types: readonly string[], orderId?: string): number =>
    [...this.#announced.values()].filter(
      (each) =>
        types.includes(each.eventType) && (orderId === undefined || each.orderId === orderId),
    ).length

  /** Successful operations on an order, in the order of their first success; what sends an event is none. */
  readonly sequence = (orderId: string): readonly OperationId[] => {
    const mine = this.#calls.filter((each) => each.orderId === orderId && each.ok)
    return [...new Set(mine.map((each) => each.operation))].filter((id) => !rowOf(id).webhook)
  }

  /** End of the last exchange about an order or one of its events. */
  readonly lastAbout = (orderId: string): Instant | undefined => this.#lastAbout.get(orderId)
  /** Whether the subject has made or answered a call. */
  readonly hasContact = (): boolean => this.#hasContact

  /** The last of several 401 or 403 answers in a row by a subject that never accepted our credentials. */
  readonly rejectedCredentials = (): ObservedExchange | undefined => {
    return !this.#accepted && this.#refusals >= maxRefusals ? this.#refusal : undefined
  }

  readonly #typeOf = (eventId: string) => this.orders.events.get(eventId)

  #append<Value>(list: Value[], value: Value): void {
    if (list.length < maxEntries) list.push(value)
  }

  /** A subject that is kept may go on asking for orders that it had before: that is no work of this session. */
  #isOfAnotherSession({ caller, status, orderId }: ObservedExchange): boolean {
    return (
      caller === 'subject' &&
      status === 404 &&
      orderId !== undefined &&
      this.orders.slotOf(orderId) === undefined
    )
  }

  #record(observed: ObservedExchange, ended: Instant): void {
    const { orderId, ok, caller: by, status } = observed
    const { operation, to } = observed.exchange
    this.#hasContact ||= by === 'subject' || status > 0
    if (!this.#isOfAnotherSession(observed)) this.idleDetector.observe(observed)
    if (by === 'sparring') {
      this.#accepted ||= ok && operation !== 'getManifest'
      if (status === 401 || status === 403) {
        this.#refusals++
        this.#refusal = observed
      }
    }
    if (operation === undefined) return
    const markActivity = (about: string | undefined): void => {
      if (about !== undefined) setBounded(this.#lastAbout, about, ended, maxEntries)
    }
    markActivity(orderId)
    const isRefused = isRefusal(observed)
    const answered = by === 'sparring' ? status : undefined
    const requestId = observed.header('x-request-id')
    const host = to.role
    const call = { operation, orderId: orderIdOfCall(observed), ok, isRefused, answered }
    this.#append(this.#calls, { ...call, requestId, host })
    if (by === 'subject' && rowOf(operation).webhook) this.#recordAnnounced(observed)
    const channel = by === 'subject' ? 'polling' : 'webhook'
    for (const { eventId, eventType, orderId: of } of handedOverEvents(observed)) {
      this.#append(this.#arrivals, { eventType, orderId: of, channel })
      if (isRefusedHandover(observed))
        this.#append(this.#refused, { eventType, orderId: of, channel, status })
      this.orders.markReached(eventId)
      markActivity(of)
    }
    this.orders.read()
    for (const eventId of acknowledgedEventIds(observed)) {
      const event = this.#typeOf(eventId)
      if (!event) continue
      this.#append(this.#acknowledgments, { ...event, channel })
      this.#answered.add(eventId)
      markActivity(event.orderId)
      this.orders.acknowledge(eventId)
    }
  }

  /** An event without an id, as those of deliveries are, is known again by what it says. */
  #recordAnnounced(observed: ObservedExchange): void {
    const body = observed.requestJson()
    const outer: UnknownRecord = isUnknownRecord(body) ? body : {}
    const event = isUnknownRecord(outer['event']) ? outer['event'] : outer
    const id = textMember(event, 'eventId') ?? textMember(event, 'id')
    const eventType = textMember(event, 'eventType') ?? textMember(event, 'type') ?? ''
    const inPayload = textMember(event['payload'], 'orderId')
    const orderId =
      textMember(event, 'orderId') ?? inPayload ?? textMember(outer, 'orderId') ?? observed.orderId
    setBounded(
      this.#announced,
      id ?? JSON.stringify(event).slice(0, maxKeyChars),
      { eventType, orderId },
      maxEntries,
    )
  }

  #matching({ event, orderId, channel }: EventQuery) {
    return (each: ObservedEvent): boolean =>
      each.eventType === event &&
      (orderId === undefined || each.orderId === orderId) &&
      (channel === undefined || each.channel === channel)
  }

  #count(list: readonly ObservedEvent[], query: EventQuery): number {
    return list.filter(this.#matching(query)).length
  }

  /** Acknowledgments that took effect, though their answer was lost. */
  #unanswered(): ObservedEvent[] {
    return [...this.orders.acknowledgedAtHost].flatMap((eventId) => {
      const event = this.#answered.has(eventId) ? undefined : this.#typeOf(eventId)
      return event ? [{ ...event, channel: 'polling' as const }] : []
    })
  }
}

/** An observer of a session, or one that shows the orders of one of its schedules only. */
export type ScenarioObserver = Omit<SessionObserver, 'orders'> & {
  readonly orders: Omit<OrderLog, never>
}
