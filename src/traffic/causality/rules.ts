/**
 * How one exchange tells what another came of: by tokens, ids and lifecycles. A request tells its host something when it
 * begins, a reply its caller when it ends; the tables hold what somebody knew at that moment, as places of exchanges.
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

/** How sure each way to a cause is. */
const sure = {
  said: 1,
  sameId: 1,
  sameToken: 1,
  heard: 0.95,
  effect: 0.95,
  repeated: 0.9,
  lastToken: 0.9,
  told: 0.85,
  /** A poll that brought news of several would have come with less as well. */
  partly: 0.7,
  answered: 0.5,
  before: 0.4,
} as const

/** Calls about one entity whose effects are still awaited. */
const mostAwaited = 64

const nameOf = ({ role, party }: Party): string => `${party} ${role}`

const headerOf = ({ request }: Exchange, ...names: readonly string[]): string | undefined =>
  request.headers.find(([name]) => names.includes(name.toLowerCase()))?.[1]

const tokenOf = (exchange: Exchange): string | undefined =>
  headerOf(exchange, 'authorization')?.replace(/^\w+ +/, '')

const accessToken = /"access_token"\s*:\s*"([^"]+)"/

/** Marks that a caller gives to a message, so that its tries are known as one. */
const markOf = (exchange: Exchange): string | undefined =>
  headerOf(exchange, 'x-request-id', 'idempotency-key', 'x-idempotency-key')

interface Awaited {
  readonly place: number
  readonly effects: ReadonlySet<string>
  readonly callee: string
}

export class Tables {
  /** By token, and by caller and host: the exchange that gave it out. */
  readonly tokens = new Map<string, number>()
  /** By event: the last exchange that handed it over. */
  readonly handed = new Map<string, number>()
  /** By receiver and entity: the last exchange that told about it. */
  readonly told = new Map<string, number>()
  /** By party and entity: the exchange from which it first heard the name; one that it made up itself has none. */
  readonly heard = new Map<string, number | undefined>()
  /** By entity: calls whose effects may still come. */
  readonly awaited = new Map<string, Awaited[]>()
  readonly lanes = new Map<string, number>()
  /** By the caller's mark, and by what was sent. */
  readonly tries = new Map<string, number>()
  /** By the two sides and the entity: the last call the other way. */
  readonly calls = new Map<string, number>()
}

export type Add = (place: number | undefined, kind: Kind, how: number) => void

function session(exchange: Exchange, tables: Tables, add: Add): void {
  const token = tokenOf(exchange)
  if (token === undefined) return
  const known = tables.tokens.get(token)
  if (known !== undefined) return add(known, 'session', sure.sameToken)
  const way = `${nameOf(exchange.from)} > ${nameOf(exchange.to)}`
  add(tables.tokens.get(way), 'session', sure.lastToken)
}

/** The events that it hands over, or what was sent and where to. */
const contentOf = ({ eventIds, request: { url, body = '' } }: Exchange): string =>
  eventIds?.join(' ') ?? fingerprint(`${url}\n${body}`)

function retry(exchange: Exchange, tables: Tables, place: number, add: Add): void {
  const { operation, from, request, attempt } = exchange
  // Polls are alike, and none is another try of one before.
  if (isPoll(exchange)) return
  const call = `${nameOf(from)} ${operation ?? request.method}`
  const mark = markOf(exchange)
  const byMark = mark === undefined ? undefined : `${call} ${mark}`
  const marked = byMark === undefined ? undefined : tables.tries.get(byMark)
  if (byMark !== undefined) tables.tries.set(byMark, place)
  if (marked !== undefined) add(marked, 'retry', sure.sameId)
  // Calls that do not count their tries say nothing by being alike.
  if (attempt === undefined) return
  const byContent = `${call}\n${contentOf(exchange)}`
  if (attempt > 1) add(tables.tries.get(byContent), 'retry', sure.repeated)
  tables.tries.set(byContent, place)
}

/** An event about an order that somebody asked to move: which call it is the effect of. */
function callBehind(event: HandedEvent, sender: string, tables: Tables): number | undefined {
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
  /** The events are in the answer to a poll, and not in the request. */
  readonly polled: boolean
  readonly tables: Tables
  readonly add: Add
}

export function seenOf(exchange: RecordedExchange, place: number, tables: Tables, add: Add): Seen {
  const named = namedIn(exchange)
  const events = handedIn(exchange)
  return { exchange, place, named, events, polled: isPoll(exchange), tables, add }
}

/** Events that are handed over: what they are the effects of, and that their receiver now knows. */
function handOver(seen: Seen): void {
  const { exchange, place, events, polled, tables, add } = seen
  const sender = nameOf(polled ? exchange.to : exchange.from)
  const receiver = nameOf(polled ? exchange.from : exchange.to)
  const isMixed = new Set(events.map(({ about }) => about[0])).size > 1
  for (const event of events) {
    const before = event.id === undefined ? undefined : tables.handed.get(event.id)
    // Handed over again: the first time is what it repeats, and the effect was that one's.
    if (before !== undefined) add(before, 'retry', isMixed ? sure.partly : sure.sameId)
    else add(callBehind(event, sender, tables), 'followup', isMixed ? sure.partly : sure.effect)
    if (event.id !== undefined) tables.handed.set(event.id, place)
    for (const entity of event.about) tables.told.set(`${receiver} ${entity}`, place)
  }
}

function acknowledged({ exchange, tables, add }: Seen): void {
  for (const id of idsOf(exchange)) add(tables.handed.get(id), 'ack', sure.sameId)
}

/** Whatever the shape of the body: its texts that are events which were handed over. */
function idsOf({ eventIds, request }: Exchange): readonly string[] {
  if (eventIds) return eventIds
  const texts: string[] = []
  editJson(request.body ?? '', (_, value, isNumber) => {
    if (!isNumber) texts.push(value)
    return undefined
  })
  return texts
}

const keyOf = ({ kind, id }: Entity): string => `${kind} ${id}`

/** A call about something: who told of it, where its name came from, and what was said of it before. */
function speakOf({ exchange, named, events, tables, add }: Seen): void {
  const caller = nameOf(exchange.from)
  const host = nameOf(exchange.to)
  const entityOfCall = mainEntityOf(exchange, named)
  const main = entityOfCall && keyOf(entityOfCall)
  for (const each of named) {
    if (!each.asked) continue
    const entity = keyOf(each)
    add(tables.heard.get(`${caller} ${entity}`), 'order', sure.heard)
    if (events.length > 0 || entity !== main) continue
    const told = tables.told.get(`${caller} ${entity}`)
    if (told !== undefined) add(told, 'event', sure.told)
    else add(tables.calls.get(`${host} > ${caller} ${entity}`), 'callback', sure.answered)
  }
}

const isQuestion = ({ operation }: Exchange): boolean =>
  operation !== undefined &&
  (rowOf(operation).behind.kind === 'view' || operation === 'checkDeliveryAvailability')

/** Who wrote a name knows it; who reads it has heard it. */
function hear({ exchange, place, named, tables }: Seen, asked: boolean): void {
  const { from, to } = exchange
  const [speaker, hearer] = asked ? [nameOf(from), nameOf(to)] : [nameOf(to), nameOf(from)]
  for (const each of named) {
    if (each.asked !== asked) continue
    const entity = keyOf(each)
    if (!tables.heard.has(`${speaker} ${entity}`))
      tables.heard.set(`${speaker} ${entity}`, undefined)
    // A question tells its host nothing to act upon.
    if (tables.heard.has(`${hearer} ${entity}`) || (asked && isQuestion(exchange))) continue
    tables.heard.set(`${hearer} ${entity}`, place)
  }
}

/** A call that may change something: the other side may call back about it, and events may follow. */
function awaitEffects({ exchange, place, named, events, tables }: Seen): void {
  const { operation, reply, from, to } = exchange
  if (operation === undefined || rowOf(operation).method === 'GET') return
  const effects = effectsOf(operation)
  const accepted = reply !== undefined && reply.status >= 200 && reply.status < 300
  for (const each of named) {
    if (!each.asked) continue
    const entity = keyOf(each)
    if (events.length === 0) tables.calls.set(`${nameOf(from)} > ${nameOf(to)} ${entity}`, place)
    if (effects.size === 0 || !accepted) continue
    const awaited = tables.awaited.get(entity) ?? []
    if (awaited.length >= mostAwaited) awaited.shift()
    awaited.push({ place, effects, callee: nameOf(to) })
    tables.awaited.set(entity, awaited)
  }
}

/** A request begins: what it came of, and what its host knows from now on. */
export function begin(seen: Seen): void {
  const { exchange, place, named, events, polled, tables, add } = seen
  session(exchange, tables, add)
  retry(exchange, tables, place, add)
  if (isAcknowledgment(exchange)) acknowledged(seen)
  speakOf(seen)
  if (!polled && events.length > 0) handOver(seen)
  if (!polled) {
    const lane = laneOf(exchange, named)
    add(tables.lanes.get(lane), 'order', sure.before)
    tables.lanes.set(lane, place)
  }
  hear(seen, true)
  awaitEffects(seen)
}

/** It ends: what its answer came of, and what its caller knows from now on. */
export function finish(seen: Seen): void {
  const { exchange, place, polled, tables } = seen
  const { operation, reply, from, to } = exchange
  if (polled) handOver(seen)
  hear(seen, false)
  const token = operation === 'issueToken' ? accessToken.exec(reply?.body ?? '')?.[1] : undefined
  if (token === undefined) return
  tables.tokens.set(token, place)
  tables.tokens.set(`${nameOf(from)} > ${nameOf(to)}`, place)
}
