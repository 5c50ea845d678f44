/**
 * What the reads of an order or a delivery at its host show, one after the other, and what was called between them. A status
 * never comes again: where two reads show the same one, every call between them came in it.
 */
import { type Exchange, wallTimesOf } from '../../traffic/exchange.ts'
import { setBounded } from '../../engine/bounded.ts'
import { isAcceptedCall } from './assertion.ts'
import type { Assertion } from './check.ts'
import type { Observed } from './trace.ts'

/** Two reads, of which the second began when the first was over, and what they show. */
export interface ReadSpan<Status> {
  readonly before: Observed
  readonly after: Observed
  readonly from: Status
  readonly to: Status
  /** Calls that began after the first and were over before the second. */
  readonly calls: readonly Observed[]
  /** Nothing else that was called before can have had its effect between them. */
  readonly isWhole: boolean
}

/** How long what was accepted or announced may take to show, in session time. */
export const settlesMs = 10_000

const wallEnd = (exchange: Exchange): number => {
  const { startedAt, tookMs } = wallTimesOf(exchange)
  return startedAt + tookMs
}

/** Whether an exchange was over when another one began. */
export const precedes = (first: Observed, second: Observed): boolean =>
  wallEnd(first.exchange) <= wallTimesOf(second.exchange).startedAt

/** Whether an exchange began long after an instant: what was accepted or announced by then has settled. */
export const isSettled = (since: number, { exchange }: Observed, afterMs = settlesMs): boolean =>
  exchange.startedAt >= since + afterMs

/** Answers by which a host refuses a call for what it is about, not for who calls, how often, or with which body. */
export const isRefusedCall = ({ status }: Observed): boolean =>
  [405, 409, 410, 422].includes(status)

/** Whether an answer says what the host makes of the call. */
export const isDecided = (observed: Observed): boolean =>
  isAcceptedCall(observed) || isRefusedCall(observed)

/** A call in the one status that the reads before and after it show. */
export interface SettledCall<Status> extends ReadSpan<Status> {
  readonly call: Observed
}

/** Calls of a span whose status is certain. */
export const callsInStatus = <Status>(span: ReadSpan<Status>): readonly SettledCall<Status>[] =>
  span.from === span.to ? span.calls.map((call) => ({ ...span, call })) : []

const maxCalls = 20

export class StatusLife<Status extends string> {
  #last: { readonly read: Observed; readonly status: Status } | undefined
  #calls: Observed[] = []
  #isWhole = true

  /** What the last read has shown. */
  get status(): Status | undefined {
    return this.#last?.status
  }

  get lastRead(): Observed | undefined {
    return this.#last?.read
  }

  call(observed: Observed): void {
    if (observed.exchange.fault !== undefined) this.#isWhole = false
    else this.#calls.push(observed)
    if (this.#calls.length <= maxCalls) return
    this.#calls.shift()
    this.#isWhole = false
  }

  /** A read, and what it shows; nothing where it cannot be compared with the one before. */
  read(after: Observed, to: Status): ReadSpan<Status> | undefined {
    const last = this.#last
    if (last && !precedes(last.read, after)) {
      // One of them is older than the other, and none can say which.
      const [older, newer] = [last.read, after].toSorted(
        (a, b) => wallEnd(a.exchange) - wallEnd(b.exchange),
      )
      this.#last = last.status === to && older ? { read: newer ?? after, status: to } : undefined
      this.#isWhole = false
      return undefined
    }
    const calls = this.#calls.filter(
      (call) => last && precedes(last.read, call) && precedes(call, after),
    )
    const isWhole = this.#isWhole && calls.length === this.#calls.length
    this.#calls = this.#calls.filter((call) => !precedes(call, after))
    this.#isWhole = this.#calls.length === 0
    this.#last = { read: after, status: to }
    return last && { before: last.read, after, from: last.status, to, calls, isWhole }
  }

  /** Another entity has come in the place of this one. */
  forget(): void {
    this.#last = undefined
  }
}

/** At most so many entities are remembered. */
const maxEntities = 500

/** Entities by their id; the oldest is forgotten. */
export class Entities<Entity> {
  readonly #byId = new Map<string, Entity>()
  readonly #make: (id: string) => Entity

  constructor(make: (id: string) => Entity) {
    this.#make = make
  }

  of(id: string): Entity {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const made = this.#make(id)
    setBounded(this.#byId, id, made, maxEntities)
    return made
  }
}

/** A call that was accepted, in no message that a fault of ours has touched. */
export const isCleanSuccess = (observed: Observed): boolean =>
  observed.exchange.fault === undefined && isAcceptedCall(observed)

/** Judges messages of sessions only, advice included: a certification has occasions of its own for this. */
export const inSessions = ({ live = [] }: Assertion): Assertion =>
  Object.assign(() => [], { live: live.map((part) => ({ ...part, advises: true as const })) })
