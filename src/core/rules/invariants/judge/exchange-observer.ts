/** Builds observed exchanges: an exchange with parsed bodies, its order, events and evidence, all on demand. */
import { tokenFieldsIn } from '../../../traffic/token-fields.ts'
import type { Instant } from '../../../engine/instant.ts'
import { hasTrait } from '../../../faults/catalogue.ts'
import type { OperationId } from '../../../protocol/catalogue.ts'
import { type Order, type OrderStatus, orderStatuses } from '../../../protocol/orders/order.ts'
import type { Role } from '../../../protocol/role.ts'
import type { BodyPart, BodyTranslator } from '../../../protocol/translation/translator.ts'
import { v2OperationOf } from '../../../protocol/v1/operation-names.ts'
import { type Exchange, wallTimesOf } from '../../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../../traffic/log.ts'
import {
  headerIn,
  LazyEvidence,
  nothingSaid,
  type ReleasableExchange,
  retainedPart,
  type Said,
} from './retained-exchange.ts'
import type { ObservedExchange, ReferencedEvent } from './observations.ts'
import { isNamedInBody, textAt, valueAt } from '../tracking/exchange-fields.ts'
import { lengthAndHash, shortText } from '../../../engine/short-text.ts'
import type { Moment } from '../tracking/service-clock.ts'
import type {
  CallEvidence,
  OrderSnapshot,
  TrackedEvent,
  TrackerState,
} from '../tracking/tracker-state.ts'
import { compact } from '../../../base/compact.ts'
import { orderView } from '../../../engine/orders/record.ts'
import { type OrderEventType, orderEventTypes } from '../../../protocol/orders/events.ts'
import { v1StatusOfLastEvent } from '../../../protocol/v1/events.ts'
import { tryParseJson } from '../../../traffic/json/try-parse-json.ts'

interface JsonReader {
  /** Parses JSON; undefined if the text is not JSON. */
  readonly read: (text: string | undefined) => unknown
  /** Drops cached values of long texts. */
  readonly dropLong: () => void
}

/** Size of the cache: the bodies that one observation may involve. */
const cacheSize = 4
/** Longest text that stays in the cache between observations. */
const maxCachedChars = 50_000

/**
 * Caches the last few values, since all invariants ask for the same. No more are retained, because a value takes
 * several times the memory of its text.
 */
function createJsonReader(): JsonReader {
  let cache: { readonly text: string; readonly value: unknown }[] = []
  let hasLong = false
  return {
    read(text) {
      if (text === undefined || text === '') return undefined
      const cached = cache.find((each) => each.text === text)
      if (cached) return cached.value
      const value = tryParseJson(text)
      hasLong ||= text.length > maxCachedChars
      cache.push({ text, value })
      if (cache.length > cacheSize) cache.shift()
      return value
    },
    dropLong() {
      if (hasLong) cache = cache.filter(({ text }) => text.length <= maxCachedChars)
      hasLong = false
    },
  }
}

/**
 * Our host writes the status last, or last but one, so at the end of the text it is the root's. Parsing a whole order
 * for this field would cost more than all else about an exchange.
 */
const lastStatus = /,"status":"(?<status>[A-Z_]+)"(?:,"lastEvent":"(?<lastEvent>[A-Z_]+)")?\}$/
const tail = 120

/** Longest body that is retained; of a longer one only the status is. */
const maxTextChars = 64_000

/** Matches the end of such a body. */
const trailingStatusOf = (text: string | undefined): RegExpExecArray | undefined =>
  (text === undefined ? undefined : lastStatus.exec(text.slice(-tail))) ?? undefined

/** The status in a parsed body. */
function orderStatusOf(answer: unknown): OrderStatus | undefined {
  const status =
    typeof answer === 'object' && answer !== null && 'status' in answer && answer.status
  return orderStatuses.find((each) => each === status)
}

/** A V1 order has no status: its last event implies it, where the order says what that was. */
function v1OrderStatusOf(answer: unknown): OrderStatus | undefined {
  const lastEvent = valueAt(answer, 'lastEvent')
  return typeof lastEvent === 'string' ? v1StatusOfLastEvent(lastEvent) : undefined
}

/**
 * What is retained of a GET of an order, as long as the order. Most bodies equal what the host recorded of the order,
 * which is in memory anyway; of others the text is retained.
 */
class LazyOrderSnapshot implements OrderSnapshot {
  readonly began: Instant
  readonly ended: Instant
  readonly evidence: CallEvidence
  readonly status: OrderStatus | undefined
  readonly #lastEvent: OrderEventType | undefined
  readonly #document: Order | undefined
  readonly #text: string | undefined
  readonly #reading: JsonReader

  constructor(
    { began, ended, evidence, orderStatus, order, isFaulted, exchange }: ObservedExchange,
    end: RegExpExecArray | undefined,
    reading: JsonReader,
  ) {
    const lastEvent = end?.groups?.['lastEvent']
    this.began = began
    this.ended = ended
    this.evidence = evidence
    this.status = orderStatus
    // The interned constant: a substring of a match would retain the whole text.
    this.#lastEvent = orderEventTypes.find((each) => each === lastEvent)
    const isPlain = end !== undefined && !isFaulted && this.#lastEvent === lastEvent
    this.#document = isPlain && orderStatus !== undefined ? order?.document : undefined
    const text = this.#document ? undefined : exchange.reply?.body
    this.#text = text !== undefined && text.length > maxTextChars ? undefined : text
    this.#reading = reading
  }

  responseJson(): unknown {
    const { status } = this
    if (!this.#document || !status)
      return this.#text === undefined ? compact({ status }) : this.#reading.read(this.#text)
    const lastEvent = this.#lastEvent
    return orderView({
      order: this.#document,
      status,
      ...compact({ lastEvent }),
    })
  }
}

/** Event ids in the body of an acknowledgment, in any of its formats; undefined if it holds no list. */
function idsIn(body: unknown): readonly string[] | undefined {
  const list = valueAt(body, 'eventIds') ?? body
  if (!Array.isArray(list)) return undefined
  return list.map((entry: unknown) => {
    const id =
      typeof entry === 'string' ? entry : (valueAt(entry, 'eventId') ?? valueAt(entry, 'id'))
    return typeof id === 'string' ? shortText(id) : ''
  })
}

const nothing: readonly never[] = []

/** The event was not altered after it was emitted. */
const isAsMade = ({ createdAt }: TrackedEvent): boolean => createdAt !== undefined

/** Marks a value that was not computed yet, since the computed value may be undefined. */
const unread = Symbol('unread')

export type ExchangeObserver = (
  exchange: Exchange,
  span: ExchangeSpan,
) => ReleasableExchange | undefined

/** Observes the exchanges that involve a role; others give undefined. Bodies are read in the documents’ form. */
export function createExchangeObserver(
  subject: Role,
  known: Known = nothingKnown,
  translator?: BodyTranslator,
): ExchangeObserver {
  const reading = createJsonReader()
  const orders = (id: OperationId): JsonReader | undefined =>
    translator?.translates(id, 'reply')
      ? {
          ...reading,
          read: (text) => translator.fromWire(id, 'reply', reading.read(text)),
        }
      : undefined
  const context: Context = { reading, orders, known, translator }
  return (exchange, span) => {
    const { from, to } = exchange
    const by = from.role === subject ? 'subject' : to.role === subject ? 'sparring' : undefined
    return by && new LazyExchange(exchange, by, span, context)
  }
}

/** Tracked orders and events that exchanges refer to. */
interface Known {
  readonly orders: Pick<TrackerState['orders'], 'get'>
  readonly events: Pick<TrackerState['events'], 'get'>
  readonly eventIdAliases: TrackerState['eventIdAliases']
}

const nothingKnown: Known = { orders: new Map(), events: new Map(), eventIdAliases: new Map() }

interface Context {
  readonly reading: JsonReader
  /** Reads the orders that an operation answers, where they are not in the documents’ form. */
  readonly orders: (operation: OperationId) => JsonReader | undefined
  readonly known: Known
  readonly translator: BodyTranslator | undefined
}

/**
 * One small object per exchange, with its methods on the prototype: these objects are most of the garbage of a judge.
 */
class LazyExchange implements ReleasableExchange {
  exchange: Exchange
  readonly operation: OperationId | undefined
  readonly caller: 'subject' | 'sparring'
  readonly began: Instant
  readonly ended: Instant
  readonly order: ObservedExchange['order']
  readonly ok: boolean
  readonly orderStatus: OrderStatus | undefined = undefined
  readonly #eyes: Context
  #cite: CallEvidence | undefined = undefined
  #kept: OrderSnapshot | undefined = undefined
  #named: readonly ReferencedEvent[] | undefined | typeof unread = unread
  #said: Said | undefined = undefined

  constructor(
    exchange: Exchange,
    by: 'subject' | 'sparring',
    { began, ended }: ExchangeSpan,
    context: Context,
  ) {
    const { operation, orderId, reply } = exchange
    this.exchange = exchange
    this.operation = operation && v2OperationOf(operation)
    this.caller = by
    this.began = began
    this.ended = ended
    this.order = orderId === undefined ? undefined : context.known.orders.get(orderId)
    this.ok = this.status >= 200 && this.status < 300 && exchange.failure === undefined
    this.#eyes = context
    if (!this.ok || !operation || this.operation !== 'getOrder') return
    const translated = context.orders(operation)
    const reader = translated ?? context.reading
    // A translation may have another word for the status.
    const end = translated ? undefined : trailingStatusOf(reply?.body)
    const answer = end?.groups ?? reader.read(reply?.body)
    this.orderStatus = operation === 'getOrderV1' ? v1OrderStatusOf(answer) : orderStatusOf(answer)
    this.#kept = new LazyOrderSnapshot(this, end, reader)
  }

  /** Prefers the id string of the tracked order: lookups with a freshly parsed string are many times as expensive. */
  get orderId(): string | undefined {
    const { order, exchange } = this
    if (order) return order.orderId
    return exchange.orderId === undefined ? undefined : shortText(exchange.orderId)
  }

  get start(): Moment {
    return { at: this.began, wall: wallTimesOf(this.exchange).startedAt }
  }

  get end(): Moment {
    const { startedAt, tookMs } = wallTimesOf(this.exchange)
    return { at: this.ended, wall: startedAt + tookMs }
  }

  get status(): number {
    return this.exchange.reply?.status ?? 0
  }

  get isFaulted(): boolean {
    return this.exchange.fault !== undefined
  }

  get isRewritten(): boolean {
    const [name = ''] = this.exchange.fault?.split(' ', 1) ?? []
    return hasTrait({ name }, 'contents')
  }

  get evidence(): CallEvidence {
    return (this.#cite ??= new LazyEvidence(this))
  }

  requestJson(): unknown {
    if (this.#said) throw new Error(`the bodies of exchange ${this.exchange.seq} were released`)
    return this.#inDocumentsForm('request', this.exchange.request.body)
  }

  responseJson(): unknown {
    if (this.#said) throw new Error(`the bodies of exchange ${this.exchange.seq} were released`)
    return this.#inDocumentsForm('reply', this.exchange.reply?.body)
  }

  /** Parses a body; errors are not translated. */
  #inDocumentsForm(part: BodyPart, text: string | undefined): unknown {
    const { reading, translator } = this.#eyes
    const { operation } = this.exchange
    // A token request may be a form.
    if (translator && operation === 'issueToken' && part === 'request')
      return tokenFieldsIn(text, translator)
    const value = reading.read(text)
    return translator && operation && (part === 'request' || this.ok)
      ? translator.fromWire(operation, part, value)
      : value
  }

  get bodyOrderId(): string | undefined {
    return this.#said ? this.#said.bodyOrderId : textAt(this.requestJson(), 'orderId')
  }

  get requestFingerprint(): string | undefined {
    if (this.#said) return this.#said.requestFingerprint
    const { body } = this.exchange.request
    return body === undefined ? undefined : lengthAndHash(body)
  }

  get retryable(): boolean | undefined {
    if (this.#said) return this.#said.retryable
    const body = this.responseJson()
    const flag = valueAt(body, 'error', 'retryable') ?? valueAt(body, 'retryable')
    return typeof flag === 'boolean' ? flag : undefined
  }

  header(name: string): string | undefined {
    return headerIn(this.exchange.request.headers, name)
  }

  responseHeader(name: string): string | undefined {
    return headerIn(this.exchange.reply?.headers, name)
  }

  /** Most exchanges succeed, and of those no rule asks later what their bodies said. */
  release(): void {
    const { bodyOrderId, requestFingerprint, retryable } = this.ok ? nothingSaid : this
    this.#said = {
      bodyOrderId: this.ok && isNamedInBody(this) ? this.bodyOrderId : bodyOrderId,
      requestFingerprint,
      retryable,
    }
    this.#named = unread
    this.exchange = retainedPart(this.exchange)
    this.#eyes.reading.dropLong()
  }

  hostAcknowledgedEvents(): readonly ReferencedEvent[] | undefined {
    return this.#hostEvents('acknowledgeEvents')?.map((event) => {
      const { eventId } = event
      return { id: eventId, eventId, event }
    })
  }

  namedEvents(): readonly ReferencedEvent[] | undefined {
    if (this.#named === unread) {
      const { eventIdAliases, events } = this.#eyes.known
      const parsed = () =>
        idsIn(this.requestJson())?.map((id) => {
          const eventId = eventIdAliases.get(id) ?? id
          return { id, eventId, event: events.get(eventId) }
        })
      this.#named = this.hostAcknowledgedEvents() ?? parsed()
    }
    return this.#named
  }

  hostPolledEvents(): readonly TrackedEvent[] | undefined {
    const events = this.#hostEvents('pollingEvents')
    return events?.every(isAsMade) ? events : undefined
  }

  /**
   * Events of an acknowledgment or poll as the host recorded them; parsing thousands of bodies again would cost as much
   * as judging them. Undefined where a fault distorted the exchange, where polls use aliases, or where an event is
   * unknown: a replayed recording answers with events of another world.
   */
  #hostEvents(named: OperationId): readonly TrackedEvent[] | undefined {
    const { exchange, operation, caller, ok, isFaulted } = this
    const { eventIdAliases, events: all } = this.#eyes.known
    const isNamed = operation === named && caller === 'subject'
    const ids =
      isNamed && ok && !isFaulted && eventIdAliases.size === 0 ? exchange.eventIds : undefined
    const events = ids?.flatMap((id) => all.get(id) ?? nothing)
    return events && events.length > 0 && events.length === ids?.length ? events : undefined
  }

  snapshot(): OrderSnapshot {
    const { reading, orders } = this.#eyes
    const { operation } = this.exchange
    const reader = (operation && orders(operation)) ?? reading
    return (this.#kept ??= new LazyOrderSnapshot(this, undefined, reader))
  }
}
