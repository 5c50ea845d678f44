/**
 * Pairs requests and responses by a key and sorts the exchanges by start time. Pending requests and responses are bounded:
 * the oldest is evicted unpaired.
 */
import type { ImportedExchange } from './format.ts'

export interface PairingOptions<Asked, Answer> {
  /** Builds the exchange of a pair, or of a request without a response. */
  readonly join: (asked: Asked, answer?: Answer) => ImportedExchange
  /** A response without a request. */
  readonly onUnmatchedResponse: (answer: Answer) => void
}

export interface Pairing<Asked, Answer> {
  readonly addRequest: (key: string, asked: Asked) => void
  /** A `secondary` response is used only when no primary one arrives. */
  readonly addResponse: (key: string, answer: Answer, secondary?: boolean) => void
  /** No further response will come. */
  readonly closeRequest: (key: string) => void
  /** Completed exchanges that have left the sort window. */
  readonly takeReady: () => readonly ImportedExchange[]
  readonly finish: () => readonly ImportedExchange[]
}

const maxPending = 10_000
/** Size of the sort window, in exchanges. */
const window = 2000

interface PendingRequest<Asked, Answer> {
  readonly asked: Asked
  secondary?: Answer
}

export function createPairing<Asked, Answer>({
  join,
  onUnmatchedResponse: lonely,
}: PairingOptions<Asked, Answer>): Pairing<Asked, Answer> {
  const pending = new Map<string, PendingRequest<Asked, Answer>>()
  /** Responses that precede their requests: files are not always in order. */
  const earlyResponses = new Map<string, Answer>()
  let done: ImportedExchange[] = []
  let ready: ImportedExchange[] = []

  /** Sorts on completion, not in `takeReady`, so that the result does not depend on chunking. */
  function complete(imported: ImportedExchange): void {
    done.push(imported)
    if (done.length < window * 2) return
    inOrder()
    ready.push(...done.slice(0, window))
    done = done.slice(window)
  }

  const inOrder = (): void => {
    done.sort((a, b) => a.exchange.startedAt - b.exchange.startedAt)
  }

  const finishOne = ({ asked, secondary }: PendingRequest<Asked, Answer>): void =>
    complete(join(asked, secondary))

  function settle(key: string): void {
    const asked = pending.get(key)
    pending.delete(key)
    if (asked) finishOne(asked)
  }

  function ask(key: string, asked: Asked): void {
    // Reused key: the earlier request got no response.
    settle(key)
    const before = earlyResponses.get(key)
    if (before !== undefined) {
      earlyResponses.delete(key)
      complete(join(asked, before))
      return
    }
    pending.set(key, { asked })
    if (pending.size > maxPending) dropOldest()
  }

  function dropOldest(): void {
    const [oldest] = pending
    if (!oldest) return
    pending.delete(oldest[0])
    finishOne(oldest[1])
  }

  function answer(key: string, response: Answer, secondary = false): void {
    const asked = pending.get(key)
    if (asked && secondary) asked.secondary ??= response
    else if (asked) {
      pending.delete(key)
      complete(join(asked.asked, response))
    } else if (!secondary) addEarly(key, response)
  }

  function addEarly(key: string, response: Answer): void {
    const before = earlyResponses.get(key)
    if (before !== undefined) lonely(before)
    earlyResponses.set(key, response)
    if (earlyResponses.size <= maxPending) return
    const [oldest] = earlyResponses
    if (!oldest) return
    earlyResponses.delete(oldest[0])
    lonely(oldest[1])
  }

  function takeReady(): readonly ImportedExchange[] {
    const all = ready
    ready = []
    return all
  }

  return {
    addRequest: ask,
    addResponse: answer,
    closeRequest: settle,
    takeReady,
    finish() {
      for (const each of pending.values()) finishOne(each)
      for (const each of earlyResponses.values()) lonely(each)
      inOrder()
      return [...takeReady(), ...done.splice(0)]
    },
  }
}
