/**
 * Collects the evidence for an explanation: facts and exchanges of one order that are in memory, and its two sides. One
 * bounded pass, newest first.
 */
import { compact } from '../base/compact.ts'
import type { Instant } from '../engine/instant.ts'
import type { JournalEntry, Journal } from '../engine/journal.ts'
import type { Settings } from '../engine/settings.ts'
import type { OrderRecord, World } from '../engine/world.ts'
import { createExchangeObserver } from '../rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import { fullRoleName, type Role } from '../protocol/role.ts'
import { v2OperationOf } from '../protocol/v1/operation-names.ts'
import type { Exchange } from '../traffic/exchange.ts'
import { isOfItsParties, type TrafficLog } from '../traffic/log.ts'
import type { ObservedEffects } from '../rules/invariants/tracking/tracker-state.ts'
import { orderIdOfFact } from '../engine/fact.ts'

export interface ExplainSources {
  readonly world: World
  readonly journal: Journal
  readonly log: TrafficLog
  readonly settings: Settings
  readonly now: Instant
  readonly verdicts: readonly Verdict[]
  readonly subject?: { readonly role: Role } | undefined
  /** What the service has done for an order inside, where effects are counted. */
  readonly effectsOf?: (orderId: string) => ObservedEffects | undefined
}

/** One side of an order, with its display name. */
export interface OrderSide {
  readonly role: Role
  readonly name: string
}

/** All evidence about one order, oldest first. */
export interface OrderEvidence extends ExplainSources {
  readonly orderId: string
  readonly record: OrderRecord | undefined
  /** The Ordering Application, ours or the subject. */
  readonly host: OrderSide
  /** The Software Service, ours or the subject. */
  readonly other: OrderSide
  readonly facts: readonly JournalEntry[]
  readonly exchanges: readonly ObservedExchange[]
  /** Exchanges with a user's service beside those of the two sides: with a Delivery Platform or a CRM, or as one. */
  readonly withService: readonly ObservedExchange[]
  /** Last poll of the other side, empty or not. */
  readonly lastPoll: Exchange | undefined
  /** Event types of this order, by event id. */
  readonly events: ReadonlyMap<string, string>
  /** What was exchanged before this instant is no longer in memory; absent where everything is. */
  readonly wholeSince?: Instant
}

/** Maximum facts and exchanges per explanation, and facts scanned for them. */
const maxFacts = 2000
const maxExchanges = 1000
export const maxScanned = 20_000

const hostRole: Role = 'ordering-application'
const clientRole: Role = 'software-service'

export const sideName = (role: Role, subject: ExplainSources['subject']): string =>
  subject?.role === role ? 'your service' : `the ${fullRoleName[role]}`

const isAbout = (entry: JournalEntry, orderId: string, world: World): boolean => {
  const { fact } = entry
  if (fact.kind === 'events.polled' || fact.kind === 'events.acknowledged')
    return fact.eventIds.some((id) => world.ordering.events.get(id)?.orderId === orderId)
  return orderIdOfFact(fact, world) === orderId
}

function factsOf(orderId: string, { journal, world }: ExplainSources): readonly JournalEntry[] {
  const found: JournalEntry[] = []
  let scanned = 0
  for (const entry of journal.before(Number.MAX_SAFE_INTEGER)) {
    if (found.length >= maxFacts || scanned++ >= maxScanned) break
    if (isAbout(entry, orderId, world)) found.push(entry)
  }
  return found.toReversed()
}

/** Events of an order: those in the world, and those that only facts name. */
function eventsOf(
  orderId: string,
  record: OrderRecord | undefined,
  facts: readonly JournalEntry[],
  { world }: ExplainSources,
): ReadonlyMap<string, string> {
  const events = new Map<string, string>()
  for (const eventId of record?.eventIds ?? [])
    events.set(eventId, world.ordering.events.get(eventId)?.eventType ?? 'an event')
  for (const { fact } of facts) {
    if (fact.kind === 'event.emitted') events.set(fact.event.eventId, fact.event.eventType)
    // Announcements between other roles are left out.
    if (fact.kind === 'event.announced' && fact.event.to === clientRole)
      events.set(fact.event.eventId, fact.event.eventType)
    // Where the subject is the host, its events are known from our ticket.
    if (fact.kind === 'ticket.announced' && fact.orderId === orderId)
      events.set(fact.eventId, fact.eventType)
  }
  return events
}

/** Whether an exchange is of this operation, in V1 or V2. */
export const isOperation = (
  { operation }: Pick<Exchange, 'operation'>,
  wanted: OperationId,
): boolean => operation !== undefined && v2OperationOf(operation) === wanted

export const isEventPoll = (exchange: Exchange): boolean => isOperation(exchange, 'pollingEvents')
export const isEventAcknowledgment = (exchange: Exchange): boolean =>
  isOperation(exchange, 'acknowledgeEvents')

/** The event types that a poll asks for; empty without a filter. */
export const polledTypesOf = ({ request }: Exchange): readonly string[] =>
  request.url.includes('eventType=') ? new URL(request.url).searchParams.getAll('eventType') : []

/** Whether a fact acknowledges events for a poll that filters them out. */
export const isFilteredOut = ({ fact }: JournalEntry): boolean =>
  fact.kind === 'events.acknowledged' && fact.filtered === true

/** Whether a body contains an id as a whole JSON string: one id may be a prefix of another. */
export const mentionsId = (body: string, eventId: string): boolean =>
  body.includes(JSON.stringify(eventId))

/** Whether an exchange names one of the events; unparsed acknowledgments and our own polls are searched by body. */
function namesEvent(exchange: Exchange, events: ReadonlyMap<string, string>): boolean {
  const { eventIds, request, reply } = exchange
  if (eventIds) return eventIds.some((eventId) => events.has(eventId))
  const body = isEventAcknowledgment(exchange)
    ? request.body
    : isEventPoll(exchange)
      ? reply?.body
      : undefined
  return body !== undefined && [...events.keys()].some((eventId) => mentionsId(body, eventId))
}

/** Whether a fact happened while the exchange went on. */
export const isWithin = (
  { at }: JournalEntry,
  { began, ended }: Pick<ObservedExchange, 'began' | 'ended'>,
): boolean => at >= began && at <= ended

export function gatherEvidence(orderId: string, parts: ExplainSources): OrderEvidence | undefined {
  const { world, log, subject } = parts
  const record = world.ordering.orders.get(orderId)
  const facts = factsOf(orderId, parts)
  const events = eventsOf(orderId, record, facts, parts)
  const host: OrderSide = { role: hostRole, name: sideName(hostRole, subject) }
  const other: OrderSide = { role: clientRole, name: sideName(clientRole, subject) }
  const filteredOut = facts.filter(isFilteredOut)
  const exchanges: ObservedExchange[] = []
  const see = createExchangeObserver(other.role)
  const isThird = subject !== undefined && ![host.role, other.role].includes(subject.role)
  const isBeside = ({ from, to }: Exchange): boolean =>
    isThird || (subject?.role === host.role && ![from.role, to.role].includes(other.role))
  const seeService = subject ? createExchangeObserver(subject.role) : () => undefined
  const withService: ObservedExchange[] = []
  let lastPoll: Exchange | undefined
  let wholeSince = log.wholeSince()
  for (const exchange of log.ofThisWorld()) {
    if (exchanges.length + withService.length >= maxExchanges) {
      wholeSince = log.spanOf(exchange.seq)?.ended
      break
    }
    if (!isOfItsParties(exchange)) continue
    if (isEventPoll(exchange)) lastPoll ??= exchange
    const filtersEvents = filteredOut.length > 0 && polledTypesOf(exchange).length > 0
    const isNamed = exchange.orderId === orderId || namesEvent(exchange, events)
    const span = isNamed || filtersEvents ? log.spanOf(exchange.seq) : undefined
    const isRelevant = isNamed || filteredOut.some((entry) => span && isWithin(entry, span))
    const ofService = span && isNamed && isBeside(exchange) ? seeService(exchange, span) : undefined
    if (ofService) withService.push(ofService)
    const observed = span && isRelevant && !ofService ? see(exchange, span) : undefined
    if (observed) exchanges.push(observed)
  }
  const known = record !== undefined || world.store.tickets.has(orderId)
  const isUnknown = !known && facts.length === 0 && exchanges.length + withService.length === 0
  if (isUnknown) return undefined
  const collected = {
    facts,
    exchanges: exchanges.toReversed(),
    withService: withService.toReversed(),
    lastPoll,
    events,
    ...compact({ wholeSince }),
  }
  return { ...parts, orderId, record, host, other, ...collected }
}

/** Status at the host at an instant; undefined before it had the order, or when unknown. */
export function hostStatusAt({ record }: OrderEvidence, at: Instant): OrderStatus | undefined {
  return record?.way.findLast((step) => step.at <= at)?.status
}
