/**
 * The rules that infer causes: by tokens, ids and lifecycles. A request informs its host when it begins, a reply its
 * caller when it ends; the tables hold what each party knew at that moment, as indices of exchanges.
 */
import { operation as rowOf } from '../../../core/protocol/catalogue.ts'
import { editJson } from '../../../core/traffic/entities/edit-json.ts'
import { fingerprint } from '../../../core/traffic/entities/identifier-shapes.ts'
import {
  type Exchange,
  type Party,
  headerValue,
  hasSucceeded,
} from '../../../core/traffic/exchange.ts'
import { isAcknowledgmentCall, isPollCall } from '../../../core/traffic/polling.ts'
import type { Cause, RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import { effectEventTypes } from './effects.ts'
import {
  type ExchangeEntity,
  exchangeLane,
  mainExchangeEntity,
  namedExchangeEntities,
  type HandedOverEvent,
  extractHandedOverEvents,
} from '../../../core/traffic/entities/entities.ts'

type Kind = Cause['kind']

/** Certainty of a cause, by rule. */
const certainty = {
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

export class CausalityTables {
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

export type AddCause = (place: number | undefined, kind: Kind, how: number) => void

function addSessionCause(exchange: Exchange, tables: CausalityTables, add: AddCause): void {
  const token = tokenOf(exchange)
  if (token === undefined) return
  const known = tables.tokens.get(token)
  if (known !== undefined) return add(known, 'session', certainty.sameToken)
  const route = `${partyName(exchange.from)} > ${partyName(exchange.to)}`
  add(tables.tokens.get(route), 'session', certainty.lastToken)
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
  if (firstAttempt !== undefined) add(firstAttempt, 'retry', certainty.sameId)
  // Without an attempt number, identical calls prove nothing.
  if (attempt === undefined) return
  const byContent = `${call}\n${contentOf(exchange)}`
  if (attempt > 1) add(tables.attempts.get(byContent), 'retry', certainty.repeated)
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

export type CausalityContext = ReturnType<typeof createCausalityContext>

export function createCausalityContext(
  exchange: RecordedExchange,
  place: number,
  tables: CausalityTables,
  add: AddCause,
) {
  const named = namedExchangeEntities(exchange)
  const events = extractHandedOverEvents(exchange)
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
      add(before, 'retry', isMixed ? certainty.mixedHandover : certainty.sameId)
    else
      add(
        findTriggeringCall(event, sender, tables),
        'followup',
        isMixed ? certainty.mixedHandover : certainty.effect,
      )
    if (event.id !== undefined) tables.handedOver.set(event.id, place)
    for (const entity of event.about) tables.notified.set(`${receiver} ${entity}`, place)
  }
}

function addAcknowledgmentCauses({ exchange, tables, add }: CausalityContext): void {
  for (const id of eventIdsIn(exchange)) add(tables.handedOver.get(id), 'ack', certainty.sameId)
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

const entityKey = ({ kind, id }: ExchangeEntity): string => `${kind} ${id}`

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
    add(tables.learnedFrom.get(`${caller} ${entity}`), 'order', certainty.learnedName)
    if (events.length > 0 || entity !== main) continue
    const notifiedAt = tables.notified.get(`${caller} ${entity}`)
    if (notifiedAt !== undefined) add(notifiedAt, 'event', certainty.notified)
    else add(tables.calls.get(`${host} > ${caller} ${entity}`), 'callback', certainty.callback)
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
export function beginExchange(context: CausalityContext): void {
  const { exchange, place, named, events, polled, tables, add } = context
  addSessionCause(exchange, tables, add)
  addRetryCause(exchange, tables, place, add)
  if (isAcknowledgmentCall(exchange)) addAcknowledgmentCauses(context)
  addEntityCauses(context)
  if (!polled && events.length > 0) addHandoverCauses(context)
  if (!polled) {
    const lane = exchangeLane(exchange, named)
    add(tables.lanes.get(lane), 'order', certainty.before)
    tables.lanes.set(lane, place)
  }
  recordLearnedNames(context, true)
  awaitEffects(context)
}

/** Processes its end: the causes of the reply, and what its caller knows from now on. */
export function finishExchange(context: CausalityContext): void {
  const { exchange, place, polled, tables } = context
  const { operation, reply, from, to } = exchange
  if (polled) addHandoverCauses(context)
  recordLearnedNames(context, false)
  const token = operation === 'issueToken' ? accessToken.exec(reply?.body ?? '')?.[1] : undefined
  if (token === undefined) return
  tables.tokens.set(token, place)
  tables.tokens.set(`${partyName(from)} > ${partyName(to)}`, place)
}
