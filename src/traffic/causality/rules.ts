/**
 * The rules that infer causes: by tokens, ids and lifecycles. A request informs its host when it begins, a reply its
 * caller when it ends; the tables hold what each party knew at that moment, as indices of exchanges.
 */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import { editJson } from '../correlation/json-text.ts'
import { fingerprint } from '../correlation/shapes.ts'
import type { Exchange, Party } from '../exchange.ts'
import { isAcknowledgment, isPoll } from '../polling.ts'
import type { Cause, RecordedExchange } from '../recording/recorded-exchange.ts'
import { effectsOf } from './effects.ts'
import { type Entity, laneOf, mainEntityOf, type Named, namedIn } from './entities.ts'
import { type HandedEvent, handedIn } from './handed-events.ts'

type Kind = Cause['kind']

/** Certainty of a cause, by rule. */
const certainty = {
  said: 1,
  sameId: 1,
  sameToken: 1,
  heard: 0.95,
  effect: 0.95,
  repeated: 0.9,
  lastToken: 0.9,
  told: 0.85,
  /** A poll with events of several entities would also have happened with fewer of them. */
  partly: 0.7,
  answered: 0.5,
  before: 0.4,
} as const

/** Maximum number of calls per entity whose effects are awaited. */
const maxAwaited = 64

const partyName = ({ role, party }: Party): string => `${party} ${role}`

const headerOf = ({ request }: Exchange, ...names: readonly string[]): string | undefined =>
  request.headers.find(([name]) => names.includes(name.toLowerCase()))?.[1]

const tokenOf = (exchange: Exchange): string | undefined =>
  headerOf(exchange, 'authorization')?.replace(/^\w+ +/, '')

const accessToken = /"access_token"\s*:\s*"([^"]+)"/

/** Request id or idempotency key: the same for all attempts of a message. */
const idempotencyKeyOf = (exchange: Exchange): string | undefined =>
  headerOf(exchange, 'x-request-id', 'idempotency-key', 'x-idempotency-key')

interface AwaitedEffects {
  readonly place: number
  readonly effects: ReadonlySet<string>
  readonly callee: string
}

export class Tables {
  /** By token, and by caller and host: the exchange that issued it. */
  readonly tokens = new Map<string, number>()
  /** By event: the last exchange that handed it over. */
  readonly handed = new Map<string, number>()
  /** By receiver and entity: the last exchange that handed over an event about it. */
  readonly told = new Map<string, number>()
  /** By party and entity: the exchange from which it learned the id; undefined when it generated the id. */
  readonly heard = new Map<string, number | undefined>()
  /** By entity: calls whose effects are awaited. */
  readonly awaited = new Map<string, AwaitedEffects[]>()
  readonly lanes = new Map<string, number>()
  /** By idempotency key, and by content: the last attempt. */
  readonly tries = new Map<string, number>()
  /** By caller, host and entity: the last call. */
  readonly calls = new Map<string, number>()
}

export type Add = (place: number | undefined, kind: Kind, how: number) => void

function addSessionCause(exchange: Exchange, tables: Tables, add: Add): void {
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

function addRetryCause(exchange: Exchange, tables: Tables, place: number, add: Add): void {
  const { operation, from, request, attempt } = exchange
  // Polls are identical and never retries.
  if (isPoll(exchange)) return
  const call = `${partyName(from)} ${operation ?? request.method}`
  const idempotencyKey = idempotencyKeyOf(exchange)
  const byKey = idempotencyKey === undefined ? undefined : `${call} ${idempotencyKey}`
  const firstAttempt = byKey === undefined ? undefined : tables.tries.get(byKey)
  if (byKey !== undefined) tables.tries.set(byKey, place)
  if (firstAttempt !== undefined) add(firstAttempt, 'retry', certainty.sameId)
  // Without an attempt number, identical calls prove nothing.
  if (attempt === undefined) return
  const byContent = `${call}\n${contentOf(exchange)}`
  if (attempt > 1) add(tables.tries.get(byContent), 'retry', certainty.repeated)
  tables.tries.set(byContent, place)
}

/** The call whose effect an event is. */
function findTriggeringCall(
  event: HandedEvent,
  sender: string,
  tables: Tables,
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

export interface Seen {
  readonly exchange: RecordedExchange
  readonly place: number
  readonly named: readonly Named[]
  readonly events: readonly HandedEvent[]
  /** The events are in the reply to a poll, not in the request. */
  readonly polled: boolean
  readonly tables: Tables
  readonly add: Add
}

export function seenOf(exchange: RecordedExchange, place: number, tables: Tables, add: Add): Seen {
  const named = namedIn(exchange)
  const events = handedIn(exchange)
  return { exchange, place, named, events, polled: isPoll(exchange), tables, add }
}

/** Adds the causes of handed-over events, and records that their receiver knows them. */
function addHandoverCauses(seen: Seen): void {
  const { exchange, place, events, polled, tables, add } = seen
  const sender = partyName(polled ? exchange.to : exchange.from)
  const receiver = partyName(polled ? exchange.from : exchange.to)
  const isMixed = new Set(events.map(({ about }) => about[0])).size > 1
  for (const event of events) {
    const before = event.id === undefined ? undefined : tables.handed.get(event.id)
    // A repeated handover is a retry of the previous one, which has the effect cause.
    if (before !== undefined) add(before, 'retry', isMixed ? certainty.partly : certainty.sameId)
    else
      add(
        findTriggeringCall(event, sender, tables),
        'followup',
        isMixed ? certainty.partly : certainty.effect,
      )
    if (event.id !== undefined) tables.handed.set(event.id, place)
    for (const entity of event.about) tables.told.set(`${receiver} ${entity}`, place)
  }
}

function addAcknowledgmentCauses({ exchange, tables, add }: Seen): void {
  for (const id of eventIdsIn(exchange)) add(tables.handed.get(id), 'ack', certainty.sameId)
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

const entityKey = ({ kind, id }: Entity): string => `${kind} ${id}`

/**
 * Adds the causes of a call about entities: the event that announced it, the origin of its ids, and a previous call of
 * the other side.
 */
function addEntityCauses({ exchange, named, events, tables, add }: Seen): void {
  const caller = partyName(exchange.from)
  const host = partyName(exchange.to)
  const entityOfCall = mainEntityOf(exchange, named)
  const main = entityOfCall && entityKey(entityOfCall)
  for (const each of named) {
    if (!each.asked) continue
    const entity = entityKey(each)
    add(tables.heard.get(`${caller} ${entity}`), 'order', certainty.heard)
    if (events.length > 0 || entity !== main) continue
    const notifiedAt = tables.told.get(`${caller} ${entity}`)
    if (notifiedAt !== undefined) add(notifiedAt, 'event', certainty.told)
    else add(tables.calls.get(`${host} > ${caller} ${entity}`), 'callback', certainty.answered)
  }
}

const isReadOnly = ({ operation }: Exchange): boolean =>
  operation !== undefined &&
  (rowOf(operation).behind.kind === 'view' || operation === 'checkDeliveryAvailability')

/** Records which party knows which ids: the writer, and now the reader. */
function recordLearnedNames({ exchange, place, named, tables }: Seen, isRequest: boolean): void {
  const { from, to } = exchange
  const [writer, reader] = isRequest
    ? [partyName(from), partyName(to)]
    : [partyName(to), partyName(from)]
  for (const each of named) {
    if (each.asked !== isRequest) continue
    const entity = entityKey(each)
    if (!tables.heard.has(`${writer} ${entity}`)) tables.heard.set(`${writer} ${entity}`, undefined)
    // A read gives its host no cause to act.
    if (tables.heard.has(`${reader} ${entity}`) || (isRequest && isReadOnly(exchange))) continue
    tables.heard.set(`${reader} ${entity}`, place)
  }
}

/** Records a state-changing call: the other side may call back, and events may follow. */
function awaitEffects({ exchange, place, named, events, tables }: Seen): void {
  const { operation, reply, from, to } = exchange
  if (operation === undefined || rowOf(operation).method === 'GET') return
  const effects = effectsOf(operation)
  const accepted = reply !== undefined && reply.status >= 200 && reply.status < 300
  for (const each of named) {
    if (!each.asked) continue
    const entity = entityKey(each)
    if (events.length === 0)
      tables.calls.set(`${partyName(from)} > ${partyName(to)} ${entity}`, place)
    if (effects.size === 0 || !accepted) continue
    const awaited = tables.awaited.get(entity) ?? []
    if (awaited.length >= maxAwaited) awaited.shift()
    awaited.push({ place, effects, callee: partyName(to) })
    tables.awaited.set(entity, awaited)
  }
}

/** Processes the start of an exchange: its causes, and what its host knows from now on. */
export function begin(seen: Seen): void {
  const { exchange, place, named, events, polled, tables, add } = seen
  addSessionCause(exchange, tables, add)
  addRetryCause(exchange, tables, place, add)
  if (isAcknowledgment(exchange)) addAcknowledgmentCauses(seen)
  addEntityCauses(seen)
  if (!polled && events.length > 0) addHandoverCauses(seen)
  if (!polled) {
    const lane = laneOf(exchange, named)
    add(tables.lanes.get(lane), 'order', certainty.before)
    tables.lanes.set(lane, place)
  }
  recordLearnedNames(seen, true)
  awaitEffects(seen)
}

/** Processes its end: the causes of the reply, and what its caller knows from now on. */
export function finish(seen: Seen): void {
  const { exchange, place, polled, tables } = seen
  const { operation, reply, from, to } = exchange
  if (polled) addHandoverCauses(seen)
  recordLearnedNames(seen, false)
  const token = operation === 'issueToken' ? accessToken.exec(reply?.body ?? '')?.[1] : undefined
  if (token === undefined) return
  tables.tokens.set(token, place)
  tables.tokens.set(`${partyName(from)} > ${partyName(to)}`, place)
}
