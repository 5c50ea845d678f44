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
  const { fault, wall, unparsed, resendOf, reason, advice, trace } = place
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
    ...compact({ failure, fault, unparsed, resendOf, reason, advice, trace }),
  }
}

export interface TrafficLog {
  /** Registers a call in flight as its request begins; answers its sequence number. */
  readonly begin: (call?: CallStart) => number
  /** Calls in flight, oldest first; only those that were registered with a `CallStart`. */
  readonly inFlight: () => Generator<InFlightCall>
  /**
   * Adds a finished exchange with its times on the wall clock; returns it with those of the session's clock. Exchanges
   * may end in another order than they began in.
   */
  readonly add: (exchange: Exchange) => Exchange
  readonly get: (seq: number) => Exchange | undefined
  /** Start and end of an exchange in memory, in session time. */
  readonly spanOf: (seq: number) => ExchangeSpan | undefined
  /** Exchanges in memory before a sequence number, newest first. */
  readonly before: (seq: number) => Generator<Exchange>
  /** Exchanges in memory after a sequence number, oldest first. */
  readonly after: (seq: number) => Generator<Exchange>
  /** Values made from exchanges, each once while its exchange is in memory. */
  readonly derive: <Value>(make: (exchange: Exchange) => Value) => DerivedLog<Value>
  /** Number of exchanges since the session began. */
  readonly count: () => number
  readonly onExchange: (listener: ExchangeListener) => () => void
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

export function createTrafficLog({
  window = defaultTrafficWindow,
  maxChars = defaultMaxBodyChars,
  now = () => 0,
  toSessionTime = (exchange) => exchange,
}: TrafficLogOptions = {}): TrafficLog {
  // Indexed by `seq % window`: an exchange that ends late still has its slot, and the oldest is overwritten.
  const ring: (ExchangeSlot | undefined)[] = Array.from({ length: window })
  const listeners = new Set<ExchangeListener>()
  /** Calls in flight, by sequence number. */
  const inFlight = new Map<
    number,
    { readonly began: Instant; readonly call: CallStart | undefined }
  >()
  let last = 0
  let count = 0
  let charsHeld = 0
  /** Exchanges with a smaller number have been evicted. */
  let oldest = 1

  function findSlot(seq: number): ExchangeSlot | undefined {
    const slot = seq < oldest ? undefined : ring[seq % window]
    return slot?.seq === seq ? slot : undefined
  }

  function get(seq: number): Exchange | undefined {
    const slot = findSlot(seq)
    return slot && exchangeFromSlot(slot)
  }

  function store(exchange: Exchange, { began, ended }: ExchangeSpan): void {
    const { seq } = exchange
    oldest = Math.max(oldest, last - window + 1)
    if (seq < oldest) return
    const slot = (ring[seq % window] ??= createExchangeSlot(exchange))
    charsHeld -= slot.chars
    fillSlot(slot, exchange)
    slot.began = began
    slot.ended = ended
    charsHeld += slot.chars
    while (charsHeld > maxChars && oldest < seq) evictOldest()
  }

  function evictOldest(): void {
    const slot = findSlot(oldest)
    oldest++
    if (!slot) return
    charsHeld -= slot.chars
    clearSlot(slot)
  }

  /** Walks over what there is for each number in memory. */
  const walk = <Value>(
    find: (seq: number) => { readonly value: Value } | undefined,
  ): DerivedLog<Value> => ({
    *before(seq) {
      const start = Math.min(seq - 1, last)
      for (let number = start; number > Math.max(0, last - window); number--) {
        const found = find(number)
        if (found) yield found.value
      }
    },
    *after(seq) {
      for (let number = Math.max(seq, last - window) + 1; number <= last; number++) {
        const found = find(number)
        if (found) yield found.value
      }
    },
  })
  const exchanges = walk((seq) => {
    const value = get(seq)
    return value && { value }
  })

  return {
    begin(call) {
      inFlight.set(++last, { began: now(), call })
      return last
    },
    *inFlight() {
      for (const [seq, { began, call }] of inFlight) {
        if (!call) continue
        const { startedAt } = call
        const soFar = (tookMs: number): Exchange => {
          const { reply: _reply, failure: _failure, ...known } = call.soFar()
          return toSessionTime({ ...known, seq, startedAt, tookMs }, { began, ended: now() })
        }
        yield { seq, startedAt, soFar }
      }
    },
    add(finished) {
      count++
      const ended = now()
      const span = { began: inFlight.get(finished.seq)?.began ?? ended, ended }
      inFlight.delete(finished.seq)
      const exchange = toSessionTime(finished, span)
      store(exchange, span)
      for (const listener of listeners) listener(exchange, span)
      return exchange
    },
    get,
    spanOf(seq) {
      const slot = findSlot(seq)
      return slot && { began: slot.began, ended: slot.ended }
    },
    ...exchanges,
    derive(make) {
      const kept: (
        | { readonly seq: number; readonly value: ReturnType<typeof make> }
        | undefined
      )[] = []
      return walk((seq) => {
        const slot = findSlot(seq)
        if (!slot) return undefined
        const before = kept[seq % window]
        if (before?.seq === seq) return before
        const made = { seq, value: make(exchangeFromSlot(slot)) }
        kept[seq % window] = made
        return made
      })
    },
    count: () => count,
    onExchange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
