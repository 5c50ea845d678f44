/** An exchange with what everybody wants to know of it, and what came with it: events handed over, acknowledged. */
import { clockOf, type Instant } from '../engine/instant.ts'
import { orderView } from '../engine/orders/record.ts'
import { operation as rowOf, type OperationId } from '../protocol/catalogue.ts'
import { Acknowledgment, acknowledgedIds } from '../protocol/orders/acknowledgment.ts'
import { type OrderEventType, orderEventTypes } from '../protocol/orders/events.ts'
import { type Order, type OrderStatus, orderStatuses } from '../protocol/orders/order.ts'
import { type Role, shortName } from '../protocol/role.ts'
import type { Exchange, HeaderPairs } from '../traffic/exchange.ts'
import type { Span } from '../traffic/log.ts'
import type { CitedCall, NamedEvent, SeenExchange, SeenReading } from './seen.ts'
import { fieldOf } from './watch/about.ts'
import type { EventWatch, Watch } from './watch/watch.ts'

function parsed(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bodies whose values are at hand: as many as one thing that is seen may have to do with. */
const mostAtHand = 4

/**
 * Reads bodies when they are asked for. The last few values are at hand, since everybody asks for the same; none is kept
 * longer, because thousands of exchanges are, and a value takes several times as much as its text.
 */
function createReading(): Reading {
  const atHand: { readonly text: string; readonly value: unknown }[] = []
  return (text) => {
    if (text === undefined || text === '') return undefined
    const known = atHand.find((each) => each.text === text)
    if (known) return known.value
    const value = parsed(text)
    atHand.push({ text, value })
    if (atHand.length > mostAtHand) atHand.shift()
    return value
  }
}

/**
 * Our own host writes the status last, or last but one; then only the root can be what ends there. To read a whole
 * order for that one word would cost more than all else that is done about an exchange.
 */
const lastStatus = /,"status":"(?<status>[A-Z_]+)"(?:,"lastEvent":"(?<lastEvent>[A-Z_]+)")?\}$/
const tail = 120

/** The end of the answer to a GET of an order, where it reads so. */
const endIn = (text: string | undefined): RegExpExecArray | undefined =>
  (text === undefined ? undefined : lastStatus.exec(text.slice(-tail))) ?? undefined

/** The status in such an answer. */
function statusIn(answer: unknown): OrderStatus | undefined {
  const told = typeof answer === 'object' && answer !== null && 'status' in answer && answer.status
  return orderStatuses.find((each) => each === told)
}

function headerIn(headers: HeaderPairs | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined
  // Names of another length are not even looked at: this is asked of every call, and most have no such header.
  for (const [key, value] of headers)
    if (key.length === name.length && key.toLowerCase() === name) return value
  return undefined
}

function pathOf(url: string): string {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return at === -1 ? '/' : url.slice(at)
}

/** Many are kept, and few are ever read: it holds no more than it needs, and makes its line when it is asked. */
class Citation implements CitedCall {
  readonly seq: number
  readonly at: Instant
  readonly operation: OperationId | undefined
  readonly #asker: string
  readonly #asked: string
  readonly #method: string
  readonly #url: string
  readonly #end: string | number | undefined

  constructor({ seq, operation, from, to, request, reply, failure }: Exchange, at: Instant) {
    this.seq = seq
    this.at = at
    this.operation = operation
    this.#asker = shortName[from.role]
    this.#asked = shortName[to.role]
    this.#method = request.method
    this.#url = request.url
    this.#end = reply ? reply.status : failure?.code
  }

  get line(): string {
    const call = `${this.#method} ${pathOf(this.#url)}`
    return `${clockOf(this.at)}  ${this.#asker} > ${this.#asked}  ${call}  ${this.#end ?? 'no answer'}`
  }
}

/**
 * What may be kept of a reading, for as long as its order is. Most say what the host had written down of the order then,
 * which is in memory anyway; of all others the text is kept.
 */
class KeptReading implements SeenReading {
  readonly began: Instant
  readonly ended: Instant
  readonly cite: CitedCall
  readonly status: OrderStatus | undefined
  readonly #lastEvent: OrderEventType | undefined
  readonly #said: Order | string | undefined
  readonly #reading: Reading

  constructor(
    { began, ended, cite, orderStatus, order, faulted, exchange }: SeenExchange,
    end: RegExpExecArray | undefined,
    reading: Reading,
  ) {
    const lastEvent = end?.groups?.['lastEvent']
    this.began = began
    this.ended = ended
    this.cite = cite
    this.status = orderStatus
    // Its own word for it: what a pattern finds holds on to the whole text.
    this.#lastEvent = orderEventTypes.find((each) => each === lastEvent)
    const isPlain = end !== undefined && !faulted && this.#lastEvent === lastEvent
    this.#said = (isPlain ? order?.document : undefined) ?? exchange.reply?.body
    this.#reading = reading
  }

  answered(): unknown {
    const said = this.#said
    if (typeof said !== 'object') return this.#reading(said)
    const [status, lastEvent] = [this.status ?? said.status, this.#lastEvent]
    return orderView({ order: said, status, ...(lastEvent === undefined ? {} : { lastEvent }) })
  }
}

type Reading = (text: string | undefined) => unknown

/** The ids in an acknowledgment's body, however it is written; undefined when that is no list of anything. */
function idsIn(body: unknown): readonly string[] | undefined {
  const list = fieldOf(body, 'eventIds') ?? body
  if (!Array.isArray(list)) return undefined
  return list.map((entry: unknown) => {
    const id =
      typeof entry === 'string' ? entry : (fieldOf(entry, 'eventId') ?? fieldOf(entry, 'id'))
    return typeof id === 'string' ? id : ''
  })
}

const nothing: readonly never[] = []

const polls: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
/** Whose events look as they were made: V1 has other names for their types. */
const plainPolls: ReadonlySet<string> = new Set(['pollingEvents'])
const acknowledgments: ReadonlySet<string> = new Set(['acknowledgeEvents', 'acknowledgeEventsV1'])

/** Nobody has changed anything of it. */
const isAsMade = ({ createdAt }: EventWatch): boolean => createdAt !== undefined

/** Nobody has asked for it yet: what was found may be undefined. */
const unread = Symbol('unread')

export type Seeing = (exchange: Exchange, span: Span) => SeenExchange | undefined

/** Sees exchanges with the eyes of one who wants to know about this role; none that it had no part in. */
export function createSeeing(subject: Role, known: Known = nobodyKnown): Seeing {
  const eyes = { reading: createReading(), known }
  return (exchange, span) => {
    const { from, to } = exchange
    const by = from.role === subject ? 'subject' : to.role === subject ? 'sparring' : undefined
    return by && new Seen(exchange, by, span, eyes)
  }
}

/** What is known of that which exchanges are about. */
interface Known {
  readonly orders: Pick<Watch['orders'], 'get'>
  readonly events: Pick<Watch['events'], 'get'>
  readonly names: Watch['names']
}

const nobodyKnown: Known = { orders: new Map(), events: new Map(), names: new Map() }

interface Eyes {
  readonly reading: Reading
  readonly known: Known
}

/**
 * One object for each exchange, whose words all share, and no larger than it must be: it is most of what a judge leaves
 * behind.
 */
class Seen implements SeenExchange {
  readonly exchange: Exchange
  readonly by: 'subject' | 'sparring'
  readonly began: Instant
  readonly ended: Instant
  readonly order: SeenExchange['order']
  readonly ok: boolean
  readonly orderStatus: OrderStatus | undefined = undefined
  readonly #eyes: Eyes
  #cite: CitedCall | undefined = undefined
  #kept: SeenReading | undefined = undefined
  #named: readonly NamedEvent[] | undefined | typeof unread = unread
  #brought: readonly EventWatch[] | undefined | typeof unread = unread

  constructor(exchange: Exchange, by: 'subject' | 'sparring', { began, ended }: Span, eyes: Eyes) {
    const { operation, orderId, reply } = exchange
    this.exchange = exchange
    this.by = by
    this.began = began
    this.ended = ended
    this.order = orderId === undefined ? undefined : eyes.known.orders.get(orderId)
    this.ok = this.status >= 200 && this.status < 300 && exchange.failure === undefined
    this.#eyes = eyes
    if (!this.ok || operation !== 'getOrder') return
    const end = endIn(reply?.body)
    this.orderStatus = statusIn(end?.groups ?? eyes.reading(reply?.body))
    this.#kept = new KeptReading(this, end, eyes.reading)
  }

  get kind(): 'exchange' {
    return 'exchange'
  }

  get operation(): OperationId | undefined {
    return this.exchange.operation
  }

  /** The id as it is known already: to look up one that was just read costs many times as much. */
  get orderId(): string | undefined {
    return this.order?.orderId ?? this.exchange.orderId
  }

  get status(): number {
    return this.exchange.reply?.status ?? 0
  }

  get faulted(): boolean {
    return this.exchange.fault !== undefined
  }

  get cite(): CitedCall {
    return (this.#cite ??= new Citation(this.exchange, this.began))
  }

  asked(): unknown {
    return this.#eyes.reading(this.exchange.request.body)
  }

  answered(): unknown {
    return this.#eyes.reading(this.exchange.reply?.body)
  }

  header(name: string): string | undefined {
    return headerIn(this.exchange.request.headers, name)
  }

  answerHeader(name: string): string | undefined {
    return headerIn(this.exchange.reply?.headers, name)
  }

  heard(): readonly string[] | undefined {
    return this.#told(acknowledgments)
  }

  named(): readonly NamedEvent[] | undefined {
    if (this.#named === unread) {
      const { names, events } = this.#eyes.known
      this.#named = (this.heard() ?? idsIn(this.asked()))?.map((id) => {
        const eventId = names.get(id) ?? id
        return { id, eventId, event: events.get(eventId) }
      })
    }
    return this.#named
  }

  brought(): readonly EventWatch[] | undefined {
    if (this.#brought === unread) {
      const ids = this.#told(plainPolls)
      const events = ids?.flatMap((id) => this.#eyes.known.events.get(id) ?? nothing)
      const isPlain = events?.length === ids?.length && events?.every(isAsMade) === true
      this.#brought = isPlain ? events : undefined
    }
    return this.#brought
  }

  /**
   * The ids as our own host told them, which wrote them or read them there: to read thousands of bodies once more would
   * cost as much as to judge them. Not where a fault had a hand in it, nor where polls call events by other names.
   */
  #told(operations: ReadonlySet<string>): readonly string[] | undefined {
    const { exchange, operation, by, ok, faulted } = this
    const isMeant = operation !== undefined && operations.has(operation) && by === 'subject'
    const isPlain = isMeant && ok && !faulted && this.#eyes.known.names.size === 0
    return isPlain ? exchange.eventIds : undefined
  }

  reading(): SeenReading {
    return (this.#kept ??= new KeptReading(this, undefined, this.#eyes.reading))
  }
}

export interface CarriedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  readonly createdAt: string | undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function eventIn(value: unknown): CarriedEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const event = value as Readonly<Record<string, unknown>>
  const eventId = text(event['eventId']) ?? text(event['id'])
  if (eventId === undefined) return undefined
  return {
    eventId,
    eventType: text(event['eventType']) ?? text(event['type']) ?? '',
    orderId: text(event['orderId']),
    createdAt: text(event['createdAt']) ?? text(event['occurredAt']),
  }
}

/** As in the schema of acknowledgments. */
const mostIds = 2000
const isId = (id: unknown): boolean => typeof id === 'string' && id !== ''

/** How a call of ours may have failed, and yet have brought its body whole. */
const arrived: ReadonlySet<string> = new Set(['TIMEOUT', 'LOST'])

/** The events that reached the subject with this exchange, in the order in which they stood. */
export function handedOver(seen: SeenExchange): readonly CarriedEvent[] {
  const { operation, exchange } = seen
  if (operation === undefined) return nothing
  if (seen.by === 'subject') {
    if (!polls.has(operation) || !seen.ok) return nothing
    const known = seen.brought()
    if (known) return known
    const body = seen.answered()
    return Array.isArray(body) ? body.map(eventIn).filter((event) => event !== undefined) : nothing
  }
  if (!rowOf(operation).webhook) return nothing
  if (!exchange.reply && !arrived.has(exchange.failure?.code ?? '')) return nothing
  const event = eventIn(seen.asked())
  const eventId = exchange.eventIds?.[0] ?? event?.eventId
  if (eventId === undefined) return nothing
  const orderId = event?.orderId ?? exchange.orderId
  return [{ eventType: event?.eventType ?? '', createdAt: event?.createdAt, eventId, orderId }]
}

/** The first of the bodies that clients acknowledge with; a schema would take longer to say so than all judges together. */
function plainIds(body: unknown): readonly string[] | undefined {
  const ids = fieldOf(body, 'eventIds')
  const isPlain = Array.isArray(ids) && ids.length <= mostIds && ids.every(isId)
  return isPlain ? (ids as readonly string[]) : undefined
}

/** The ids of the events that the subject took responsibility for with this exchange. */
export function acknowledged(seen: SeenExchange): readonly string[] {
  const { operation, exchange } = seen
  if (operation === undefined || !seen.ok) return nothing
  if (seen.by === 'sparring')
    return rowOf(operation).webhook ? (exchange.eventIds ?? nothing).slice(0, 1) : nothing
  if (!acknowledgments.has(operation)) return nothing
  const ids = seen.heard() ?? plainIds(seen.asked())
  if (ids) return ids
  const body = Acknowledgment.safeParse(seen.asked())
  return body.success ? acknowledgedIds(body.data) : []
}

/** The same, looked up: as everybody has them who asks which events it names, wherever that is the same list. */
export function acknowledgedEvents(
  seen: SeenExchange,
  byId: (id: string) => NamedEvent,
): readonly NamedEvent[] {
  const ids = acknowledged(seen)
  const named = ids.length > 0 && seen.by === 'subject' ? seen.named() : undefined
  return named && named.length === ids.length && named.every(({ id }, at) => id === ids[at])
    ? named
    : ids.map(byId)
}
