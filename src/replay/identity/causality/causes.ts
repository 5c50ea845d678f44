/**
 * Infers the causes of each exchange of a recording by the rules of the protocol; recorded causes stay. One pass over
 * starts and ends in the order of time: what a long poll returns is known only when it ends.
 */
import { lowerBound } from '../../../core/traffic/lower-bound.ts'
import type { Cause, RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import {
  endOf,
  type Exchange,
  hasSucceeded,
  headerValue,
  type Party,
} from '../../../core/traffic/exchange.ts'
import { operation as rowOf } from '../../../core/protocol/catalogue.ts'
import { editJson } from '../../../core/traffic/entities/edit-json.ts'
import { fingerprint } from '../../../core/traffic/entities/identifier-shapes.ts'
import { isAcknowledgmentCall, isPollCall } from '../../../core/traffic/polling.ts'
import { effectEventTypes } from './effects.ts'
import {
  type ExchangeEntity,
  exchangeLane,
  extractHandedOverEvents,
  type HandedOverEvent,
  mainExchangeEntity,
  namedAccountPlaces,
  namedExchangeEntities,
} from '../../../core/traffic/entities/entities.ts'

/**
 * The rules that infer causes: by tokens, ids and lifecycles. A request informs its host when it begins, a reply its
 * caller when it ends; the tables hold what each party knew at that moment, as indices of exchanges.
 */
type Kind = Cause['kind']

/** Certainty of a cause, by rule. */
const certaintyOf = {
  said: 1,
  sameId: 1,
  sameToken: 1,
  learnedName: 0.95,
  effect: 0.95,
  repeated: 0.9,
  lastToken: 0.9,
  notified: 0.85,
  /** A poll with events of several entities would also have happened with fewer of them. */
  mixedHandover: 0.7,
  callback: 0.5,
  before: 0.4,
} as const

/** Maximum number of calls per entity whose effects are awaited. */
const maxAwaited = 64

const partyName = ({ role, party }: Party): string => `${party} ${role}`

const tokenOf = ({ request }: Exchange): string | undefined =>
  headerValue(request.headers, 'authorization')?.replace(/^\w+ +/, '')

const accessToken = /"access_token"\s*:\s*"([^"]+)"/

const idempotencyHeaders = /^(?:x-request-id|(?:x-)?idempotency-key)$/i

/** Request id or idempotency key: the same for all attempts of a message. */
const idempotencyKeyOf = ({ request }: Exchange): string | undefined =>
  request.headers.find(([name]) => idempotencyHeaders.test(name))?.[1]

interface AwaitedEffects {
  readonly place: number
  readonly effects: ReadonlySet<string>
  readonly callee: string
}

class CausalityTables {
  /** By token, and by caller and host: the exchange that issued it. */
  readonly tokens = new Map<string, number>()
  /** By event: the last exchange that handed it over. */
  readonly handedOver = new Map<string, number>()
  /** By receiver and entity: the last exchange that handed over an event about it. */
  readonly notified = new Map<string, number>()
  /** By party and entity: the exchange from which it learned the id; undefined when it generated the id. */
  readonly learnedFrom = new Map<string, number | undefined>()
  /** By entity: calls whose effects are awaited. */
  readonly awaited = new Map<string, AwaitedEffects[]>()
  readonly lanes = new Map<string, number>()
  /** By idempotency key, and by content: the last attempt. */
  readonly attempts = new Map<string, number>()
  /** By caller, host and entity: the last call. */
  readonly calls = new Map<string, number>()
}

type AddCause = (place: number | undefined, kind: Kind, how: number) => void

function addSessionCause(exchange: Exchange, tables: CausalityTables, add: AddCause): void {
  const token = tokenOf(exchange)
  if (token === undefined) return
  const known = tables.tokens.get(token)
  if (known !== undefined) return add(known, 'session', certaintyOf.sameToken)
  const route = `${partyName(exchange.from)} > ${partyName(exchange.to)}`
  add(tables.tokens.get(route), 'session', certaintyOf.lastToken)
}

/** Content key of a call: its events, or a hash of URL and body. */
const contentOf = ({ eventIds, request: { url, body = '' } }: Exchange): string =>
  eventIds?.join(' ') ?? fingerprint(`${url}\n${body}`)

function addRetryCause(
  exchange: Exchange,
  tables: CausalityTables,
  place: number,
  add: AddCause,
): void {
  const { operation, from, request, attempt } = exchange
  // Polls are identical and never retries.
  if (isPollCall(exchange)) return
  const call = `${partyName(from)} ${operation ?? request.method}`
  const idempotencyKey = idempotencyKeyOf(exchange)
  const byKey = idempotencyKey === undefined ? undefined : `${call} ${idempotencyKey}`
  const firstAttempt = byKey === undefined ? undefined : tables.attempts.get(byKey)
  if (byKey !== undefined) tables.attempts.set(byKey, place)
  if (firstAttempt !== undefined) add(firstAttempt, 'retry', certaintyOf.sameId)
  // Without an attempt number, identical calls prove nothing.
  if (attempt === undefined) return
  const byContent = `${call}\n${contentOf(exchange)}`
  if (attempt > 1) add(tables.attempts.get(byContent), 'retry', certaintyOf.repeated)
  tables.attempts.set(byContent, place)
}

/** The call whose effect an event is. */
function findTriggeringCall(
  event: HandedOverEvent,
  sender: string,
  tables: CausalityTables,
): number | undefined {
  for (const entity of event.about) {
    const awaited = tables.awaited.get(entity)
    const found = awaited?.findLast(
      ({ effects, callee }) => callee === sender && effects.has(event.type),
    )
    if (found) return found.place
  }
  return undefined
}

const entityKey = ({ kind, id }: ExchangeEntity): string => `${kind} ${id}`

type CausalityContext = ReturnType<typeof createCausalityContext>

function createCausalityContext(
  exchange: RecordedExchange,
  place: number,
  tables: CausalityTables,
  add: AddCause,
) {
  const places = namedAccountPlaces(exchange)
  const named = [...namedExchangeEntities(exchange), ...places]
  const events = extractHandedOverEvents(exchange).map((event) => ({
    ...event,
    about: [...event.about, ...places.map(entityKey)],
  }))
  return {
    exchange,
    place,
    named,
    events,
    /** The events are in the reply to a poll, not in the request. */
    polled: isPollCall(exchange),
    tables,
    add,
  }
}

/** Adds the causes of handed-over events, and records that their receiver knows them. */
function addHandoverCauses(context: CausalityContext): void {
  const { exchange, place, events, polled, tables, add } = context
  const sender = partyName(polled ? exchange.to : exchange.from)
  const receiver = partyName(polled ? exchange.from : exchange.to)
  const isMixed = new Set(events.map(({ about }) => about[0])).size > 1
  for (const event of events) {
    const before = event.id === undefined ? undefined : tables.handedOver.get(event.id)
    // A repeated handover is a retry of the previous one, which has the effect cause.
    if (before !== undefined)
      add(before, 'retry', isMixed ? certaintyOf.mixedHandover : certaintyOf.sameId)
    else
      add(
        findTriggeringCall(event, sender, tables),
        'followup',
        isMixed ? certaintyOf.mixedHandover : certaintyOf.effect,
      )
    if (event.id !== undefined) tables.handedOver.set(event.id, place)
    for (const entity of event.about) tables.notified.set(`${receiver} ${entity}`, place)
  }
}

function addAcknowledgmentCauses({ exchange, tables, add }: CausalityContext): void {
  for (const id of eventIdsIn(exchange)) add(tables.handedOver.get(id), 'ack', certaintyOf.sameId)
}

/** Event ids of an acknowledgment; without `eventIds` all strings of its body, since its shape varies. */
function eventIdsIn({ eventIds, request }: Exchange): readonly string[] {
  if (eventIds) return eventIds
  const texts: string[] = []
  editJson(request.body ?? '', (_, value, isNumber) => {
    if (!isNumber) texts.push(value)
    return undefined
  })
  return texts
}

/**
 * Adds the causes of a call about entities: the event that announced it, the origin of its ids, and a previous call of
 * the other side.
 */
function addEntityCauses({ exchange, named, events, tables, add }: CausalityContext): void {
  const caller = partyName(exchange.from)
  const host = partyName(exchange.to)
  const entityOfCall = mainExchangeEntity(exchange, named)
  const main = entityOfCall && entityKey(entityOfCall)
  for (const each of named) {
    if (!each.isInRequest) continue
    const entity = entityKey(each)
    add(tables.learnedFrom.get(`${caller} ${entity}`), 'order', certaintyOf.learnedName)
    if (events.length > 0 || entity !== main) continue
    const notifiedAt = tables.notified.get(`${caller} ${entity}`)
    if (notifiedAt !== undefined) add(notifiedAt, 'event', certaintyOf.notified)
    else add(tables.calls.get(`${host} > ${caller} ${entity}`), 'callback', certaintyOf.callback)
  }
}

const isReadOnly = ({ operation }: Exchange): boolean =>
  operation !== undefined &&
  (rowOf(operation).handler.kind === 'view' || operation === 'checkDeliveryAvailability')

/** Records which party knows which ids: the writer, and now the reader. */
function recordLearnedNames(
  { exchange, place, named, tables }: CausalityContext,
  isRequest: boolean,
): void {
  const { from, to } = exchange
  const [writer, reader] = isRequest
    ? [partyName(from), partyName(to)]
    : [partyName(to), partyName(from)]
  for (const each of named) {
    if (each.isInRequest !== isRequest) continue
    const entity = entityKey(each)
    if (!tables.learnedFrom.has(`${writer} ${entity}`))
      tables.learnedFrom.set(`${writer} ${entity}`, undefined)
    // A read gives its host no cause to act.
    if (tables.learnedFrom.has(`${reader} ${entity}`) || (isRequest && isReadOnly(exchange)))
      continue
    tables.learnedFrom.set(`${reader} ${entity}`, place)
  }
}

/** Records a state-changing call: the other side may call back, and events may follow. */
function awaitEffects({ exchange, place, named, events, tables }: CausalityContext): void {
  const { operation, reply, from, to } = exchange
  if (operation === undefined || rowOf(operation).method === 'GET') return
  const effects = effectEventTypes(operation)
  for (const each of named) {
    if (!each.isInRequest) continue
    const entity = entityKey(each)
    if (events.length === 0)
      tables.calls.set(`${partyName(from)} > ${partyName(to)} ${entity}`, place)
    if (effects.size === 0 || !hasSucceeded(reply)) continue
    const awaited = tables.awaited.get(entity) ?? []
    if (awaited.length >= maxAwaited) awaited.shift()
    awaited.push({ place, effects, callee: partyName(to) })
    tables.awaited.set(entity, awaited)
  }
}

/** Processes the start of an exchange: its causes, and what its host knows from now on. */
function beginExchange(context: CausalityContext): void {
  const { exchange, place, named, events, polled, tables, add } = context
  addSessionCause(exchange, tables, add)
  addRetryCause(exchange, tables, place, add)
  if (isAcknowledgmentCall(exchange)) addAcknowledgmentCauses(context)
  addEntityCauses(context)
  if (!polled && events.length > 0) addHandoverCauses(context)
  if (!polled) {
    const lane = exchangeLane(exchange, named)
    add(tables.lanes.get(lane), 'order', certaintyOf.before)
    tables.lanes.set(lane, place)
  }
  recordLearnedNames(context, true)
  awaitEffects(context)
}

/** Processes its end: the causes of the reply, and what its caller knows from now on. */
function finishExchange(context: CausalityContext): void {
  const { exchange, place, polled, tables } = context
  const { operation, reply, from, to } = exchange
  if (polled) addHandoverCauses(context)
  recordLearnedNames(context, false)
  const token = operation === 'issueToken' ? accessToken.exec(reply?.body ?? '')?.[1] : undefined
  if (token === undefined) return
  tables.tokens.set(token, place)
  tables.tokens.set(`${partyName(from)} > ${partyName(to)}`, place)
}

/** Maximum number of causes of one exchange; an acknowledgment may name 2,000 events. */
const maxCauses = 2000

interface OpenExchange {
  readonly end: number
  readonly context: CausalityContext
  readonly found: ReadonlyMap<string, Cause>
}

/** Inserts into a list sorted by end, latest first, so that the next one is popped from the end. */
function insertByEnd(open: OpenExchange[], one: OpenExchange): void {
  const place = lowerBound(open.length, (index) => (open[index]?.end ?? 0) > one.end)
  open.splice(place, 0, one)
}

/** Of two reasons for one cause keeps the more specific kind and the higher certainty: `order` is the weakest kind. */
function moreCertain({ id, kind, sure }: Cause, other: Cause['kind'], certainty: number): Cause {
  const isBetter = kind === 'order' || (other !== 'order' && certainty > sure)
  return { id, kind: isBetter ? other : kind, sure: Math.max(sure, certainty) }
}

/** Collects the causes of one exchange: recorded ones take precedence, of the inferred ones the most certain. */
function createCauseCollector(
  exchange: RecordedExchange,
  exchanges: readonly RecordedExchange[],
): { readonly found: ReadonlyMap<string, Cause>; readonly add: AddCause } {
  const recordedCauses = exchange.causes ?? []
  const recordedKinds = new Set(recordedCauses.map(({ kind }) => kind))
  const recordedIds = new Set(recordedCauses.map(({ id }) => id))
  const found = new Map<string, Cause>(recordedCauses.map((cause) => [cause.id, cause]))
  return {
    found,
    add(before, kind, certainty) {
      const id = before === undefined ? undefined : exchanges[before]?.recordId
      if (id === undefined || id === exchange.recordId || recordedKinds.has(kind)) return
      const known = found.get(id)
      if (known ? recordedIds.has(id) : found.size >= maxCauses) return
      found.set(id, known ? moreCertain(known, kind, certainty) : { id, kind, sure: certainty })
    },
  }
}

/**
 * The causes of every exchange, by `recordId`. Exchanges in the order in which they began; the cause of a long poll may
 * have begun after the poll.
 */
export function inferCauses(
  exchanges: readonly RecordedExchange[],
): ReadonlyMap<string, readonly Cause[]> {
  const tables = new CausalityTables()
  const causes = new Map<string, readonly Cause[]>()
  const open: OpenExchange[] = []

  function finishUntil(instant: number): void {
    for (let next = open.at(-1); next && next.end <= instant; next = open.at(-1)) {
      open.pop()
      finishExchange(next.context)
      causes.set(next.context.exchange.recordId, [...next.found.values()])
    }
  }

  for (const [index, exchange] of exchanges.entries()) {
    finishUntil(exchange.startedAt)
    const { found, add } = createCauseCollector(exchange, exchanges)
    const context = createCausalityContext(exchange, index, tables, add)
    beginExchange(context)
    // Reserves its position: the map is ordered by start.
    causes.set(exchange.recordId, [])
    insertByEnd(open, { end: endOf(exchange), context, found })
  }
  finishUntil(Number.POSITIVE_INFINITY)
  return causes
}
