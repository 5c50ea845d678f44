/** Lifecycle calls that a repeated event alone has brought about, in the traffic of a session: ORD-EVR-03. */
import { setBounded } from '../../../engine/bounded.ts'
import { v2OperationOf } from '../../../protocol/v1/operation-names.ts'
import { isAcceptedCall, momentsOf } from '../assertion.ts'
import type { ClauseMoment, Fold } from '../check.ts'
import {
  carriesEvents,
  endOfCall,
  isPoll,
  type Observed,
  startOf,
  type Trace,
  withoutBodies,
} from '../trace.ts'
import { acknowledgedBy } from './client-assertions.ts'
import { lifecycleCalls } from './hosted-orders.ts'

/** In ms: a call that comes later may have another reason, such as a status that is awaited in vain. */
const reactsWithinMs = 5000
const maxEvents = 5000
const maxOrders = 500
const maxKept = 20

/** What happened to an order since the last news of it: a read, an event that is new, a call without a certain end. */
class SinceNews {
  readonly repeats: Observed[] = []
  calls: Observed[] = []
  /** Later calls that were reported. */
  readonly #reported = new Set<Observed>()

  add(list: Observed[], observed: Observed): void {
    list.push(withoutBodies(observed))
    if (list.length > maxKept) list.shift()
  }

  /** A call that was accepted, the repetition after it, and the same call once more. */
  again(): readonly [Observed, Observed, Observed] | undefined {
    for (const later of this.calls)
      for (const repeat of this.repeats) {
        const heardAt = isPoll(repeat.operation) ? endOfCall(repeat) : startOf(repeat)
        const lateness = startOf(later) - heardAt
        if (this.#reported.has(later) || lateness < 0 || lateness > reactsWithinMs) continue
        const first = this.calls.find(
          (each) => isAcceptedCall(each) && endOfCall(each) < heardAt && isSameCall(each, later),
        )
        if (!first) continue
        this.#reported.add(later)
        return [first, repeat, later]
      }
    return undefined
  }
}

const requestId = ({ requestHeader }: Observed): string | undefined => requestHeader('x-request-id')

/** The same action, and no repetition of one request, which has the same X-Request-Id. */
const isSameCall = (one: Observed, other: Observed): boolean =>
  one.operation === other.operation &&
  (requestId(one) === undefined || requestId(one) !== requestId(other))

const isLifecycleCall = ({ isCall, operation }: Observed): boolean =>
  isCall &&
  operation !== undefined &&
  lifecycleCalls.some((each) => each === v2OperationOf(operation))

class RepeatedEvents {
  /** Ids of events that were handed over, and whether the service took them. */
  readonly #taken = new Map<string, boolean>()
  readonly #orders = new Map<string, SinceNews>()

  take(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    const { operation, exchange } = observed
    if (trace.role !== 'software-service' || operation === undefined) return []
    const id = v2OperationOf(operation)
    if (carriesEvents(operation)) return this.#hear(observed, trace)
    if (id === 'acknowledgeEvents' && isAcceptedCall(observed))
      for (const eventId of acknowledgedBy(observed)) this.#know(eventId, true)
    const { orderId } = exchange
    if (!observed.isCall || orderId === undefined) return []
    if (!isLifecycleCall(observed)) return this.#reset(orderId)
    const isRefused = observed.status === 409 || observed.status === 422
    if (exchange.fault !== undefined || !(isAcceptedCall(observed) || isRefused))
      return this.#reset(orderId)
    const since = this.#of(orderId)
    since.add(since.calls, observed)
    return this.#judge(since)
  }

  #know(eventId: string, isTaken: boolean): void {
    setBounded(this.#taken, eventId, isTaken, maxEvents)
  }

  #of(orderId: string): SinceNews {
    const known = this.#orders.get(orderId) ?? new SinceNews()
    setBounded(this.#orders, orderId, known, maxOrders)
    return known
  }

  #reset(orderId: string): readonly ClauseMoment[] {
    this.#orders.delete(orderId)
    return []
  }

  #hear(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    const found: ClauseMoment[] = []
    for (const { eventId, orderId, observed: by } of trace.received()) {
      if (by !== observed || eventId === undefined || orderId === undefined) continue
      const wasTaken = this.#taken.get(eventId) === true
      const isTaken = !isPoll(observed.operation) && isAcceptedCall(observed)
      this.#know(eventId, wasTaken || isTaken)
      // What is called while a webhook waits for its answer came of it.
      const calls = this.#of(orderId).calls.filter((each) => startOf(each) >= startOf(observed))
      if (!wasTaken) this.#reset(orderId)
      const since = this.#of(orderId)
      if (!wasTaken) {
        since.calls = calls
        continue
      }
      since.add(since.repeats, observed)
      if (since.calls.length > 0) found.push({ clause: 'ORD-EVR-03', exchanges: [observed] })
      found.push(...this.#judge(since))
    }
    return found
  }

  #judge(since: SinceNews): readonly ClauseMoment[] {
    const exchanges = since.again()
    const [, , later] = exchanges ?? []
    if (!exchanges || !later) return []
    const problem = `it called ${later.operation} again, since an event that it had taken came once more`
    return [{ clause: 'ORD-EVR-03', exchanges, problem }]
  }
}

const repeatedEvents: Fold<ClauseMoment> = { begin: () => new RepeatedEvents() }

/** A repeated event, by its id, brings about no call that was accepted before. */
export const repeatedEventsAreIgnored = momentsOf(repeatedEvents)
