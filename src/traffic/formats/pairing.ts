/**
 * Pairs requests and responses by a key and sorts the exchanges by start time. Pending requests and responses are bounded:
 * the oldest is evicted unpaired.
 */
import type { Imported } from './format.ts'

export interface PairingOptions<Asked, Answer> {
  /** Builds the exchange of a pair, or of a request without a response. */
  readonly join: (asked: Asked, answer?: Answer) => Imported
  /** A response without a request. */
  readonly lonely: (answer: Answer) => void
}

export interface Pairing<Asked, Answer> {
  readonly ask: (key: string, asked: Asked) => void
  /** A `secondary` response is used only when no primary one arrives. */
  readonly answer: (key: string, answer: Answer, secondary?: boolean) => void
  /** No further response will come. */
  readonly settle: (key: string) => void
  /** Completed exchanges that have left the sort window. */
  readonly take: () => readonly Imported[]
  readonly finish: () => readonly Imported[]
}

const mostWaiting = 10_000
/** Size of the sort window, in exchanges. */
const window = 2000

interface Waiting<Asked, Answer> {
  readonly asked: Asked
  secondary?: Answer
}

export function createPairing<Asked, Answer>({
  join,
  lonely,
}: PairingOptions<Asked, Answer>): Pairing<Asked, Answer> {
  const waiting = new Map<string, Waiting<Asked, Answer>>()
  /** Responses that precede their requests: files are not always in order. */
  const early = new Map<string, Answer>()
  let done: Imported[] = []
  let ready: Imported[] = []

  /** Sorts on completion, not in `takeReady`, so that the result does not depend on chunking. */
  function complete(imported: Imported): void {
    done.push(imported)
    if (done.length < window * 2) return
    inOrder()
    ready.push(...done.slice(0, window))
    done = done.slice(window)
  }

  const inOrder = (): void => {
    done.sort((a, b) => a.exchange.startedAt - b.exchange.startedAt)
  }

  const finishOne = ({ asked, secondary }: Waiting<Asked, Answer>): void =>
    complete(join(asked, secondary))

  function settle(key: string): void {
    const asked = waiting.get(key)
    waiting.delete(key)
    if (asked) finishOne(asked)
  }

  function ask(key: string, asked: Asked): void {
    // Reused key: the earlier request got no response.
    settle(key)
    const before = early.get(key)
    if (before !== undefined) {
      early.delete(key)
      complete(join(asked, before))
      return
    }
    waiting.set(key, { asked })
    if (waiting.size > mostWaiting) dropOldest()
  }

  function dropOldest(): void {
    const [oldest] = waiting
    if (!oldest) return
    waiting.delete(oldest[0])
    finishOne(oldest[1])
  }

  function answer(key: string, given: Answer, secondary = false): void {
    const asked = waiting.get(key)
    if (asked && secondary) asked.secondary ??= given
    else if (asked) {
      waiting.delete(key)
      complete(join(asked.asked, given))
    } else if (!secondary) waitEarly(key, given)
  }

  function waitEarly(key: string, given: Answer): void {
    const before = early.get(key)
    if (before !== undefined) lonely(before)
    early.set(key, given)
    if (early.size <= mostWaiting) return
    const [oldest] = early
    if (!oldest) return
    early.delete(oldest[0])
    lonely(oldest[1])
  }

  function taken(): readonly Imported[] {
    const all = ready
    ready = []
    return all
  }

  return {
    ask,
    answer,
    settle,
    take: taken,
    finish() {
      for (const each of waiting.values()) finishOne(each)
      for (const each of early.values()) lonely(each)
      inOrder()
      return [...taken(), ...done.splice(0)]
    },
  }
}
