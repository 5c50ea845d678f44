/**
 * The traffic log: a ring buffer of the last exchanges, by sequence number. Older exchanges are only in the recording,
 * if there is one.
 */
import type { Instant } from '../engine/instant.ts'
import { type Exchange, type HeaderPairs, largeChars, type Wire } from './exchange.ts'
import { compact } from '../base/compact.ts'

/**
 * A reusable, flat slot for one exchange in the traffic log's ring buffer. Thousands of exchanges are held and soon
 * overwritten: as objects of their own they would be promoted to the old generation with their bodies, which is
 * collected seldom. A slot is promoted once, and its content is free as soon as it is overwritten.
 */
type OptionalMember =
  | 'operation'
  | 'params'
  | 'orderId'
  | 'eventIds'
  | 'attempt'
  | 'failure'
  | 'fault'
  | 'unparsed'
  | 'resendOf'
  | 'reason'
  | 'advice'
  | 'note'
  | 'sentMs'
  | 'repliedMs'
  | 'wall'
  | 'trace'

type SlotFields = {
  [Key in Exclude<keyof Exchange, OptionalMember | 'request' | 'reply'>]: Exchange[Key]
} & { [Key in OptionalMember]: Exchange[Key] | undefined }

interface ExchangeSlot extends SlotFields {
  /** In session time. */
  began: Instant
  ended: Instant
  method: string
  url: string
  sentHeaders: HeaderPairs
  sentBody: string | undefined
  sentWire: Wire | undefined
  /** 0 without a reply. */
  status: number
  gotHeaders: HeaderPairs
  gotBody: string | undefined
  gotWire: Wire | undefined
  /** Characters that count towards the limit of the log. */
  chars: number
}

const noHeaders: HeaderPairs = []

const createExchangeSlot = ({ from, to }: Pick<Exchange, 'from' | 'to'>): ExchangeSlot => ({
  seq: 0,
  // Not whole numbers, so that V8 lays every slot out for fractions from the start.
  startedAt: 0.5,
  tookMs: 0.5,
  began: 0,
  ended: 0,
  from,
  to,
  operation: undefined,
  params: undefined,
  orderId: undefined,
  eventIds: undefined,
  attempt: undefined,
  failure: undefined,
  fault: undefined,
  unparsed: undefined,
  resendOf: undefined,
  reason: undefined,
  advice: undefined,
  note: undefined,
  sentMs: undefined,
  repliedMs: undefined,
  wall: undefined,
  trace: undefined,
  method: '',
  url: '',
  sentHeaders: noHeaders,
  sentBody: undefined,
  sentWire: undefined,
  status: 0,
  gotHeaders: noHeaders,
  gotBody: undefined,
  gotWire: undefined,
  chars: 0,
})

/** Overwrites the slot with an exchange. */
function fillSlot(place: ExchangeSlot, exchange: Exchange): void {
  const { request, reply } = exchange
  place.seq = exchange.seq
  place.startedAt = exchange.startedAt
  place.tookMs = exchange.tookMs
  place.from = exchange.from
  place.to = exchange.to
  place.operation = exchange.operation
  place.params = exchange.params
  place.orderId = exchange.orderId
  place.eventIds = exchange.eventIds
  place.attempt = exchange.attempt
  place.failure = exchange.failure
  place.fault = exchange.fault
  place.unparsed = exchange.unparsed
  place.resendOf = exchange.resendOf
  place.reason = exchange.reason
  place.advice = exchange.advice
  place.note = exchange.note
  place.sentMs = exchange.sentMs
  place.repliedMs = exchange.repliedMs
  place.wall = exchange.wall
  place.trace = exchange.trace
  place.method = request.method
  place.url = request.url
  place.sentHeaders = request.headers
  place.sentBody = request.body
  place.sentWire = request.wire
  place.status = reply?.status ?? 0
  place.gotHeaders = reply?.headers ?? noHeaders
  place.gotBody = reply?.body
  place.gotWire = reply?.wire
  place.chars = largeChars(exchange)
}

/** Releases what may be large and marks the slot as empty: sequence numbers begin at 1. */
function clearSlot(place: ExchangeSlot): void {
  place.seq = 0
  place.chars = 0
  place.url = ''
  place.params = undefined
  place.eventIds = undefined
  place.reason = undefined
  place.advice = undefined
  place.note = undefined
  place.trace = undefined
  place.sentHeaders = noHeaders
  place.gotHeaders = noHeaders
  place.sentBody = undefined
  place.gotBody = undefined
  place.sentWire = undefined
  place.gotWire = undefined
}

/** A message with `body` and `wire` only where they exist. */
function messageOf<Head extends object>(
  head: Head,
  body: string | undefined,
  wire: Wire | undefined,
): Head & { readonly body?: string; readonly wire?: Wire } {
  if (wire) return body === undefined ? { ...head, wire } : { ...head, body, wire }
  return body === undefined ? head : { ...head, body }
}

/** The exchange in a slot, without its absent optional members. */
function exchangeFromSlot(place: ExchangeSlot): Exchange {
  const { operation, params, orderId, eventIds, attempt, failure, sentMs, repliedMs } = place
  const { fault, wall, unparsed, resendOf, reason, advice, note, trace } = place
  const { method, url, sentHeaders, status, gotHeaders } = place
  const request = { method, url, headers: sentHeaders }
  const reply = { status, headers: gotHeaders }
  return {
    seq: place.seq,
    startedAt: place.startedAt,
    tookMs: place.tookMs,
    ...compact({ sentMs, repliedMs, wall }),
    from: place.from,
    to: place.to,
    ...compact({ operation, params, orderId, eventIds, attempt }),
    request: messageOf(request, place.sentBody, place.sentWire),
    ...(status === 0 ? {} : { reply: messageOf(reply, place.gotBody, place.gotWire) }),
    ...compact({ failure, fault, unparsed, resendOf, reason, advice, note, trace }),
  }
}

interface Derived<Value> {
  readonly seq: number
  readonly note: string | undefined
  readonly value: Value
}

/** Values made from the exchanges in memory. */
export interface DerivedLog<Value> {
  /** Of those before a sequence number, newest first. */
  readonly before: (seq: number) => Generator<Value>
  /** Of those after a sequence number, oldest first. */
  readonly after: (seq: number) => Generator<Value>
}

/** What is known of a call when it begins. */
export interface CallStart {
  /** Wall clock at the beginning of the request, in milliseconds since 1970. */
  readonly startedAt: number
  /**
   * The exchange as far as it is known, without valid `seq`, times or reply. Computed lazily, for calls that are in
   * flight for long: most calls end before it is needed.
   */
  readonly soFar: () => Pick<Exchange, 'from' | 'to' | 'request'> & Partial<Exchange>
}

export interface InFlightCall extends Pick<CallStart, 'startedAt'> {
  readonly seq: number
  /** The exchange as far as it is known, after so many milliseconds on the wall clock. */
  readonly soFar: (tookMs: number) => Exchange
}

/** Start and end of an exchange, in session time. */
export interface ExchangeSpan {
  readonly began: Instant
  readonly ended: Instant
}

export type ExchangeListener = (exchange: Exchange, span: ExchangeSpan) => void

/**
 * Whether an exchange shows what its parties do: its request was parsed, and no operator sent it in place of its
 * caller.
 */
export const isOfItsParties = ({
  unparsed,
  resendOf,
}: Pick<Exchange, 'unparsed' | 'resendOf'>): boolean => !unparsed && resendOf === undefined

/** A listener that gets only exchanges that show what their parties do. */
export const onlyOfItsParties =
  (listener: ExchangeListener): ExchangeListener =>
  (exchange, span) => {
    if (isOfItsParties(exchange)) listener(exchange, span)
  }

export interface TrafficLogOptions {
  /** Maximum number of exchanges in memory. */
  readonly window?: number
  /** Maximum characters of all bodies, and of unusually long heads, in memory. */
  readonly maxChars?: number
  /** Session clock; without it all spans are 0. */
  readonly now?: () => Instant
  /** Gives an exchange with times of the wall clock those of the session's clock; without it they are the same. */
  readonly toSessionTime?: (exchange: Exchange, span: ExchangeSpan) => Exchange
}

/** Default number of exchanges in memory. */
export const defaultTrafficWindow = 2000
/**
 * Default maximum of characters of all bodies in memory: beyond it the oldest exchanges are evicted earlier. 1,000 for
 * each exchange is more than calls about orders have; without a bound, 2,000 long bodies could fill the memory of the
 * machine.
 */
export const defaultMaxBodyChars = 2_000_000

/** Walks over what there is for each number in memory. */
const walkOf = <Value>(
  window: number,
  lastSeq: () => number,
  find: (seq: number) => { readonly value: Value } | undefined,
): DerivedLog<Value> => ({
  *before(seq) {
    const start = Math.min(seq - 1, lastSeq())
    for (let number = start; number > Math.max(0, lastSeq() - window); number--) {
      const found = find(number)
      if (found) yield found.value
    }
  },
  *after(seq) {
    for (let number = Math.max(seq, lastSeq() - window) + 1; number <= lastSeq(); number++) {
      const found = find(number)
      if (found) yield found.value
    }
  },
})

export class TrafficLog {
  readonly #window: number
  readonly #maxChars: number
  readonly #now: () => Instant
  readonly #toSessionTime: NonNullable<TrafficLogOptions['toSessionTime']>
  // Indexed by `seq % window`: an exchange that ends late still has its slot, and the oldest is overwritten.
  readonly #ring: (ExchangeSlot | undefined)[]
  readonly #listeners = new Set<ExchangeListener>()
  /** Calls in flight, by sequence number. */
  readonly #inFlight = new Map<
    number,
    { readonly began: Instant; readonly call: CallStart | undefined }
  >()
  #last = 0
  #count = 0
  #charsHeld = 0
  /** Exchanges with a smaller number have been evicted. */
  #oldest = 1
  /** The last exchange of the world before the present one. */
  #lastOfOthers = 0
  readonly #exchanges: DerivedLog<Exchange>

  constructor({
    window = defaultTrafficWindow,
    maxChars = defaultMaxBodyChars,
    now = () => 0,
    toSessionTime = (exchange) => exchange,
  }: TrafficLogOptions = {}) {
    this.#window = window
    this.#maxChars = maxChars
    this.#now = now
    this.#toSessionTime = toSessionTime
    this.#ring = Array.from({ length: window })
    this.#exchanges = walkOf(
      window,
      () => this.#last,
      (seq) => {
        const value = this.get(seq)
        return value && { value }
      },
    )
  }

  /** A fresh world begins: its ids may be those of the world before, and its stories are its own. */
  beginWorld(): void {
    this.#lastOfOthers = this.#last
  }

  isOfThisWorld(seq: number): boolean {
    return seq > this.#lastOfOthers
  }

  /** The exchanges of this world that are in memory, newest first. */
  *ofThisWorld(): Generator<Exchange> {
    for (const exchange of this.before(Number.MAX_SAFE_INTEGER)) {
      if (!this.isOfThisWorld(exchange.seq)) return
      yield exchange
    }
  }

  /** Since when every exchange of this world is in memory; undefined where none was evicted. */
  wholeSince(): Instant | undefined {
    if (!this.isOfThisWorld(this.#oldest - 1)) return undefined
    for (let seq = this.#oldest; seq <= this.#last; seq++) {
      const slot = this.#findSlot(seq)
      if (slot) return slot.began
    }
    return this.#now()
  }

  /** Registers a call in flight as its request begins; answers its sequence number. */
  begin(call?: CallStart): number {
    this.#inFlight.set(++this.#last, { began: this.#now(), call })
    return this.#last
  }

  hasInFlight(): boolean {
    return this.#inFlight.size > 0
  }

  /** Calls in flight, oldest first; only those that were registered with a `CallStart`. */
  readonly inFlight = (): Generator<InFlightCall> => this.#callsInFlight()

  /**
   * Adds a finished exchange with its times on the wall clock; returns it with those of the session's clock. Exchanges
   * may end in another order than they began in.
   */
  add(finished: Exchange): Exchange {
    this.#count++
    const ended = this.#now()
    const span = { began: this.#inFlight.get(finished.seq)?.began ?? ended, ended }
    this.#inFlight.delete(finished.seq)
    const exchange = this.#toSessionTime(finished, span)
    this.#store(exchange, span)
    for (const listener of this.#listeners) listener(exchange, span)
    return exchange
  }

  get(seq: number): Exchange | undefined {
    const slot = this.#findSlot(seq)
    return slot && exchangeFromSlot(slot)
  }

  /** Start and end of an exchange in memory, in session time. */
  spanOf(seq: number): ExchangeSpan | undefined {
    const slot = this.#findSlot(seq)
    return slot && { began: slot.began, ended: slot.ended }
  }

  /** Exchanges in memory before a sequence number, newest first. */
  before(seq: number): Generator<Exchange> {
    return this.#exchanges.before(seq)
  }

  /** Exchanges in memory after a sequence number, oldest first. */
  after(seq: number): Generator<Exchange> {
    return this.#exchanges.after(seq)
  }

  /** Values made from exchanges, each once while its exchange is in memory. */
  derive<Value>(make: (exchange: Exchange) => Value): DerivedLog<Value> {
    const kept: (Derived<Value> | undefined)[] = []
    return walkOf(
      this.#window,
      () => this.#last,
      (seq) => {
        const slot = this.#findSlot(seq)
        if (!slot) return undefined
        const before = kept[seq % this.#window]
        const { note } = slot
        if (before?.seq === seq && before.note === note) return before
        const made = { seq, note, value: make(exchangeFromSlot(slot)) }
        kept[seq % this.#window] = made
        return made
      },
    )
  }

  /** Notes this text at an exchange in memory, or takes its note away; false where there is none. */
  note(seq: number, text: string | undefined): boolean {
    const slot = this.#findSlot(seq)
    if (slot) slot.note = text
    return slot !== undefined
  }

  /** Number of exchanges since the session began. */
  count(): number {
    return this.#count
  }

  readonly onExchange = (listener: ExchangeListener): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  };

  *#callsInFlight(): Generator<InFlightCall> {
    for (const [seq, { began, call }] of this.#inFlight) {
      if (!call) continue
      const { startedAt } = call
      const soFar = (tookMs: number): Exchange => {
        const { reply: _reply, failure: _failure, ...known } = call.soFar()
        return this.#toSessionTime(
          { ...known, seq, startedAt, tookMs },
          { began, ended: this.#now() },
        )
      }
      yield { seq, startedAt, soFar }
    }
  }

  #findSlot(seq: number): ExchangeSlot | undefined {
    const slot = seq < this.#oldest ? undefined : this.#ring[seq % this.#window]
    return slot?.seq === seq ? slot : undefined
  }

  #store(exchange: Exchange, { began, ended }: ExchangeSpan): void {
    const { seq } = exchange
    this.#oldest = Math.max(this.#oldest, this.#last - this.#window + 1)
    if (seq < this.#oldest) return
    const slot = (this.#ring[seq % this.#window] ??= createExchangeSlot(exchange))
    this.#charsHeld -= slot.chars
    fillSlot(slot, exchange)
    slot.began = began
    slot.ended = ended
    this.#charsHeld += slot.chars
    while (this.#charsHeld > this.#maxChars && this.#oldest < seq) this.#evictOldest()
  }

  #evictOldest(): void {
    const slot = this.#findSlot(this.#oldest)
    this.#oldest++
    if (!slot) return
    this.#charsHeld -= slot.chars
    clearSlot(slot)
  }
}
