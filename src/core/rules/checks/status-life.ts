/**
 * What the reads of an order or a delivery at its host show, one after the other, and what was called between them. A status
 * never comes again: where two reads show the same one, every call between them came in it.
 */
import { type Exchange, wallTimesOf } from '../../traffic/exchange.ts'
import { setBounded } from '../../engine/bounded.ts'
import { ownShare } from '../invariants/tracking/timing.ts'
import { isAcceptedCall } from './assertion.ts'
import type { Assertion } from './check.ts'
import { carriesEvents, emittedEvents, endOfCall, isPoll, startOf, withoutBodies } from './trace.ts'
import type { Observed, ObservedEvent } from './trace.ts'

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

/**
 * Whether a message began long after another one had ended, for the service as well: what was accepted or announced by then
 * has settled. Where a recording is all that there is, its share of the time has passed on the wall.
 */
export function isSettled(since: Observed, by: Observed, afterMs = settlesMs): boolean {
  const [from, to] = [endOfCall(since), startOf(by)]
  if (by.hasPassed) return by.hasPassed(from, to, afterMs)
  const isFaster = by.exchange.wall?.speed !== undefined
  const ownMs = wallTimesOf(by.exchange).startedAt - wallEnd(since.exchange)
  return to - from >= afterMs && (!isFaster || ownMs >= ownShare * afterMs)
}

/** For so long a service may try a message again that was lost, and hold others back. */
const heldBackMs = 120_000

/** Without their answers neither side sends anything: events wait for them. */
const isAccess = ({ operation }: Observed): boolean =>
  operation === 'issueToken' || operation === 'getManifest'

const maxEventIds = 2000

/** How events come from the service, whatever their order: whether one that did not come was not sent. */
export class EventArrivals {
  #came: Observed | undefined
  #lost: Observed | undefined
  /** First events by their id, without their members. */
  readonly #byId = new Map<string, ObservedEvent>()
  #areIdsShared = false

  /** Any message; its events count if they are of the kind that is asked for. Whether they have come. */
  take(observed: Observed, isOfKind: boolean): boolean {
    const { exchange, operation, isCall, status } = observed
    const isAsked = isAccess(observed)
    if (!isAsked && (!carriesEvents(operation) || isCall === isPoll(operation))) return false
    const isAnswered = status !== 0 && status !== 429 && status < 500
    const isTaken = isCall && !isAsked ? isAcceptedCall(observed) : isAnswered
    if (exchange.fault !== undefined || !isTaken) this.#lost = observed
    else if (isOfKind && emittedEvents([observed]).length > 0) this.#came = observed
    return this.#lost !== observed
  }

  /** The first event under the id of this one, where it is another one: of another type, or of another order. */
  underSameId(event: ObservedEvent): ObservedEvent | undefined {
    const { eventId, eventType, orderId } = event
    if (!eventId) return undefined
    const first = this.#byId.get(eventId)
    const kept = { ...event, event: {}, observed: withoutBodies(event.observed) }
    if (!first) setBounded(this.#byId, eventId, kept, maxEventIds)
    if (!first || (first.eventType === eventType && first.orderId === orderId)) return undefined
    this.#areIdsShared = true
    return first
  }

  /** An event of this time may have been lost, wait behind one that was, or be gone with one under its id. */
  mayLack(since: Observed): boolean {
    const isHeldBack = this.#lost !== undefined && !isSettled(this.#lost, since, heldBackMs)
    return isHeldBack || this.#areIdsShared
  }

  /** Events have come since a message, and none of this time was lost. */
  isSound(since: Observed): boolean {
    return (
      this.#came !== undefined && endOfCall(this.#came) > endOfCall(since) && !this.mayLack(since)
    )
  }
}

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
