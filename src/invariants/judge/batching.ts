/**
 * Wraps a judge to process observations in batches. Judging right after each call would make the code of the rules and
 * the server evict each other from the CPU caches, which costs more than the judging. Results are the same: each
 * observation is judged at its own time, and any query first flushes the queue.
 */
import type { Entry } from '../../engine/journal.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Span } from '../../traffic/log.ts'
import type { Judge } from './judge.ts'

/** Maximum number of queued observations: large enough for caches to pay off, processed within milliseconds. */
const mostWaiting = 1024
/** Maximum number of characters of queued bodies, to bound memory. */
const mostLetters = 1_000_000

const lettersIn = ({ request, reply }: Exchange): number =>
  (request.body?.length ?? 0) + (reply?.body?.length ?? 0)

/** An exception in a judge is a bug of Sparring: it goes to `onBug`, and the batch continues. */
export function inSittings(judge: Judge, onBug: (error: unknown) => void): Judge {
  /** The queue in order; an exchange has its span at the same index of `spans`. */
  let waiting: (Entry | Exchange)[] = []
  let spans: (Span | undefined)[] = []
  let letters = 0

  function hear(thing: Entry | Exchange, span: Span | undefined): void {
    try {
      if (span) judge.exchange(thing as Exchange, span)
      else judge.hear(thing as Entry)
    } catch (error) {
      onBug(error)
    }
  }

  function sit(): Judge {
    const [things, theirs] = [waiting, spans]
    waiting = []
    spans = []
    letters = 0
    let place = 0
    for (const thing of things) hear(thing, theirs[place++])
    return judge
  }

  function wait(thing: Entry | Exchange, span?: Span): void {
    waiting.push(thing)
    spans.push(span)
    if (waiting.length >= mostWaiting || letters >= mostLetters) sit()
  }

  return {
    get watch() {
      return sit().watch
    },
    fact(entry) {
      if (judge.isConcernedWith(entry)) wait(entry)
    },
    exchange(exchange, span) {
      letters += lettersIn(exchange)
      wait(exchange, span)
    },
    hear: (entry) => wait(entry),
    isConcernedWith: judge.isConcernedWith,
    probe: (probe) => sit().probe(probe),
    verdicts: () => sit().verdicts(),
    endings: () => sit().endings(),
    asked: (orderId) => sit().asked(orderId),
  }
}
