/**
 * A judge that lets things gather and hears many of them at one sitting. Right behind each call the code of all rules
 * and that of the server would drive each other out of the processor's caches, which costs more than the judging itself.
 * Nobody can tell the difference: whatever is shown is seen with the eyes of its own time, and whoever asks for anything
 * is answered when nothing waits any more.
 */
import type { Entry } from '../../engine/journal.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { Span } from '../../traffic/log.ts'
import type { Judge } from './judge.ts'

/** Things that wait, at most: enough for caches to pay, and over within a moment. */
const mostWaiting = 1024
/** Letters of the bodies that wait, at most: a few long answers may be all that there is room for. */
const mostLetters = 1_000_000

const lettersIn = ({ request, reply }: Exchange): number =>
  (request.body?.length ?? 0) + (reply?.body?.length ?? 0)

/** One that it stumbles over, which is a bug of ours, is told `onBug`; all others are heard. */
export function inSittings(judge: Judge, onBug: (error: unknown) => void): Judge {
  /** What waits, in the order in which it happened; an exchange has its span beside it. */
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
