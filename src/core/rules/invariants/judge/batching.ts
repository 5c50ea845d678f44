/**
 * Wraps a judge to process observations in batches. Judging right after each call would make the code of the rules and
 * the server evict each other from the CPU caches: a watched session had 0.77 of the throughput of one without a judge
 * instead of 0.86 (row watched-life of the bench). Results are the same: each observation is judged at its own time, and
 * any query first flushes the queue.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { JournalEntry } from '../../../engine/journal.ts'
import { type Exchange, largeChars } from '../../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../../traffic/log.ts'
import type { Judge } from './judge.ts'

/** Maximum number of queued observations: large enough for caches to pay off, processed within milliseconds. */
const maxQueued = 1024
/** Maximum number of characters of queued exchanges, to bound memory. */
const maxChars = 1_000_000

/** An exception in a judge is a bug of Sparring: it goes to `onBug`, and the batch continues. */
export function createBatchingJudge(judge: Judge, onBug: (error: unknown) => void): Judge {
  /** The queue in order; an exchange has its span at the same index of `spans`. */
  let queue: (JournalEntry | Exchange)[] = []
  let spans: (ExchangeSpan | undefined)[] = []
  let queuedChars = 0

  function process(item: JournalEntry | Exchange, span: ExchangeSpan | undefined): void {
    try {
      if (span) judge.exchange(item as Exchange, span)
      else judge.fact(item as JournalEntry)
    } catch (error) {
      onBug(error)
    }
  }

  function flush(): Judge {
    const [batch, batchSpans] = [queue, spans]
    queue = []
    spans = []
    queuedChars = 0
    let index = 0
    for (const item of batch) process(item, batchSpans[index++])
    return judge
  }

  function enqueue(item: JournalEntry | Exchange, span?: ExchangeSpan): void {
    queue.push(item)
    spans.push(span)
    if (queue.length >= maxQueued || queuedChars >= maxChars) flush()
  }

  return {
    get tracker() {
      return flush().tracker
    },
    fact: (entry) => enqueue(entry),
    exchange(exchange, span) {
      queuedChars += largeChars(exchange)
      enqueue(exchange, span)
    },
    probe: (probe) => flush().probe(probe),
    effects: (effects) => flush().effects(effects),
    verdicts: () => flush().verdicts(),
    runOutcomes: () => flush().runOutcomes(),
    operatorRequestedCancellation: (orderId) => flush().operatorRequestedCancellation(orderId),
  }
}

/** Maximum number of exchanges that wait to be judged by their content; so many are judged within milliseconds. */
const maxExchanges = 256

/** An exchange with the instant at which it began. */
export interface BegunExchange<Judged extends Exchange = Exchange> {
  readonly exchange: Judged
  readonly began: Instant
}

/** Exchanges that wait until several are judged one after the other. */
export class ExchangeBatch<Judged extends Exchange = Exchange> {
  readonly #judge: (begun: BegunExchange<Judged>) => void
  readonly #onBug: (error: unknown) => void
  #queue: BegunExchange<Judged>[] = []
  #chars = 0

  constructor(judge: (begun: BegunExchange<Judged>) => void, onBug: (error: unknown) => void) {
    this.#judge = judge
    this.#onBug = onBug
  }

  add(begun: BegunExchange<Judged>): void {
    this.#queue.push(begun)
    this.#chars += largeChars(begun.exchange)
    if (this.#queue.length >= maxExchanges || this.#chars >= maxChars) this.flush()
  }

  flush(): void {
    const batch = this.#queue
    this.#queue = []
    this.#chars = 0
    for (const begun of batch)
      try {
        this.#judge(begun)
      } catch (error) {
        // A body may be nested so deep that the stack is full: then nothing is said about it.
        if (!(error instanceof RangeError)) this.#onBug(error)
      }
  }
}
