/**
 * Requests and responses that come apart and are joined by a key, and the exchanges put in the order in which they
 * began. How much waits has a bound: what waits too long goes without its other half, which then is told.
 */
import type { Imported } from './format.ts'

export interface PairingOptions<Asked, Answer> {
  /** The exchange of both, or of a request that nobody answered. */
  readonly join: (asked: Asked, answer?: Answer) => Imported
  /** An answer to nothing. */
  readonly lonely: (answer: Answer) => void
}

export interface Pairing<Asked, Answer> {
  readonly ask: (key: string, asked: Asked) => void
  /** `secondary` gives way to one that is not. */
  readonly answer: (key: string, answer: Answer, secondary?: boolean) => void
  /** No answer will come. */
  readonly settle: (key: string) => void
  /** What is complete and old enough to be in order. */
  readonly take: () => readonly Imported[]
  readonly finish: () => readonly Imported[]
}

const mostWaiting = 10_000
/** So many finished exchanges are kept to be put in order. */
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
  /** Answers whose requests may come yet: files are not always in order. */
  const early = new Map<string, Answer>()
  let done: Imported[] = []
  let ready: Imported[] = []

  /** Not when it is taken but when it is complete, so that nothing hangs on how the file was fed. */
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
    // The same key again: the first got no answer.
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
