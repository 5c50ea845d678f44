/**
 * The traffic that is still in memory: the last exchanges, in the order in which they began. What left it is in the
 * recording, if there is one.
 */
import type { Instant } from '../engine/instant.ts'
import type { Exchange } from './exchange.ts'
import { createPlace, empty, exchangeIn, lettersIn, type Place, putIn } from './exchange-slot.ts'

export interface TrafficLog {
  /** The number that the next exchange gets, as its request begins. */
  readonly begin: (call?: Begun) => number
  /** The calls that are under way, oldest first; those of which nothing was said are left out. */
  readonly underWay: () => Generator<UnderWay>
  /** An exchange is over. They may end in another order than they began in. */
  readonly add: (exchange: Exchange) => void
  readonly get: (seq: number) => Exchange | undefined
  /** When an exchange in memory was under way, in the session's time. */
  readonly spanOf: (seq: number) => Span | undefined
  /** The exchanges in memory before a number, newest first. */
  readonly before: (seq: number) => Generator<Exchange>
  /** The exchanges in memory after a number, oldest first. */
  readonly after: (seq: number) => Generator<Exchange>
  /** Exchanges since the session began. */
  readonly count: () => number
  readonly onExchange: (listener: ExchangeListener) => () => void
}

/** What is known of a call as it begins. */
export interface Begun {
  /** As in the exchange that comes of it. */
  readonly startedAt: number
  /**
   * The exchange as far as it is known, whatever its number, its times and its reply may say. Worked out only for a call
   * that is under way for long: most are over before anybody asks.
   */
  readonly soFar: () => Pick<Exchange, 'from' | 'to' | 'request'> & Partial<Exchange>
}

export interface UnderWay extends Begun {
  readonly seq: number
}

/** When an exchange was under way, in the session's time. */
export interface Span {
  readonly began: Instant
  readonly ended: Instant
}

export type ExchangeListener = (exchange: Exchange, span: Span) => void

export interface TrafficLogOptions {
  /** Exchanges in memory. */
  readonly window?: number
  /** Letters of their bodies, all together. */
  readonly letters?: number
  /** The session's instant; without it spans are of no time. */
  readonly now?: () => Instant
}

/** Exchanges in memory, unless a session says otherwise. */
export const trafficWindow = 2000
/**
 * Letters of their bodies, all together: beyond it the oldest leave earlier. A thousand for each is more than the calls
 * of orders' lives have; without a bound, two thousand long bodies would be all that the machine has.
 */
export const trafficLetters = 2_000_000

export function createTrafficLog({
  window = trafficWindow,
  letters: mostLetters = trafficLetters,
  now = () => 0,
}: TrafficLogOptions = {}): TrafficLog {
  // A ring by number: an exchange that ends late still finds its place, and the oldest is overwritten.
  const ring: (Place | undefined)[] = Array.from({ length: window })
  const listeners = new Set<ExchangeListener>()
  /** Those that are under way: when they began, and what else is known of them. */
  const open = new Map<number, { readonly began: Instant; readonly call: Begun | undefined }>()
  let last = 0
  let count = 0
  let letters = 0
  /** What began before this one has left. */
  let oldest = 1

  function find(seq: number): Place | undefined {
    const place = seq < oldest ? undefined : ring[seq % window]
    return place?.seq === seq ? place : undefined
  }

  function get(seq: number): Exchange | undefined {
    const place = find(seq)
    return place && exchangeIn(place)
  }

  function put(exchange: Exchange, { began, ended }: Span): void {
    const { seq } = exchange
    oldest = Math.max(oldest, last - window + 1)
    if (seq < oldest) return
    const place = (ring[seq % window] ??= createPlace(exchange))
    letters -= lettersIn(place)
    putIn(place, exchange)
    place.began = began
    place.ended = ended
    letters += lettersIn(place)
    while (letters > mostLetters && oldest < seq) leaveOldest()
  }

  function leaveOldest(): void {
    const place = find(oldest)
    oldest++
    if (!place) return
    letters -= lettersIn(place)
    empty(place)
  }

  return {
    begin(call) {
      open.set(++last, { began: now(), call })
      return last
    },
    *underWay() {
      for (const [seq, { call }] of open) if (call) yield { seq, ...call }
    },
    add(exchange) {
      count++
      const ended = now()
      const span = { began: open.get(exchange.seq)?.began ?? ended, ended }
      open.delete(exchange.seq)
      put(exchange, span)
      for (const listener of listeners) listener(exchange, span)
    },
    get,
    spanOf(seq) {
      const place = find(seq)
      return place && { began: place.began, ended: place.ended }
    },
    *before(seq) {
      const start = Math.min(seq - 1, last)
      for (let number = start; number > Math.max(0, last - window); number--) {
        const exchange = get(number)
        if (exchange) yield exchange
      }
    },
    *after(seq) {
      for (let number = Math.max(seq, last - window) + 1; number <= last; number++) {
        const exchange = get(number)
        if (exchange) yield exchange
      }
    },
    count: () => count,
    onExchange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
