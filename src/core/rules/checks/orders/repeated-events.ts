/** Lifecycle calls that a repeated event alone has brought about, in the traffic of a session: ORD-EVR-03. */
import { addBounded, setBounded } from '../../../engine/bounded.ts'
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

/** The calls about an order since it was read, an event of it was new, or a call of it had no certain end. */
class OrderCalls {
  readonly repeats: Observed[] = []
  calls: Observed[] = []
  readonly #reported = new Set<Observed>()

  add(list: Observed[], observed: Observed): void {
    list.push(withoutBodies(observed))
    if (list.length > maxKept) list.shift()
  }

  /** A call that was accepted, the event that came once more after it, and the same call again. */
  repeatedCall(): readonly [Observed, Observed, Observed] | undefined {
    for (const later of this.calls)
      for (const repeat of this.repeats) {
        const receivedAt = isPoll(repeat.operation) ? endOfCall(repeat) : startOf(repeat)
        const afterMs = startOf(later) - receivedAt
        if (this.#reported.has(later) || afterMs < 0 || afterMs > reactsWithinMs) continue
        const first = this.calls.find(
          (each) => isAcceptedCall(each) && endOfCall(each) < receivedAt && isSameCall(each, later),
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

class RepeatedEvents {
  /** Ids of the events that the service has taken. */
  readonly #taken = new Set<string>()
  readonly #orders = new Map<string, OrderCalls>()

  take(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    const { operation, exchange, isCall, status } = observed
    if (trace.role !== 'software-service' || operation === undefined) return []
    if (carriesEvents(operation)) return this.#receive(observed, trace)
    const id = v2OperationOf(operation)
    if (id === 'acknowledgeEvents' && isAcceptedCall(observed))
      for (const eventId of acknowledgedBy(observed)) addBounded(this.#taken, eventId, maxEvents)
    const { orderId } = exchange
    if (!isCall || orderId === undefined) return []
    const isCertain = isAcceptedCall(observed) || status === 409 || status === 422
    if (!lifecycleCalls.some((each) => each === id) || !isCertain || exchange.fault !== undefined) {
      this.#orders.delete(orderId)
      return []
    }
    const order = this.#of(orderId)
    order.add(order.calls, observed)
    return this.#judge(order)
  }

  #of(orderId: string): OrderCalls {
    const known = this.#orders.get(orderId) ?? new OrderCalls()
    setBounded(this.#orders, orderId, known, maxOrders)
    return known
  }

  #receive(observed: Observed, trace: Trace): readonly ClauseMoment[] {
    const found: ClauseMoment[] = []
    for (const { eventId, orderId, observed: by } of trace.received()) {
      if (by !== observed || eventId === undefined || orderId === undefined) continue
      const order = this.#of(orderId)
      if (this.#taken.has(eventId)) {
        order.add(order.repeats, observed)
        if (order.calls.length > 0) found.push({ clause: 'ORD-EVR-03', exchanges: [observed] })
        found.push(...this.#judge(order))
        continue
      }
      this.#orders.delete(orderId)
      // What is called while a webhook waits for its answer came of it.
      this.#of(orderId).calls = order.calls.filter((each) => startOf(each) >= startOf(observed))
      if (!isPoll(observed.operation) && isAcceptedCall(observed))
        addBounded(this.#taken, eventId, maxEvents)
    }
    return found
  }

  #judge(order: OrderCalls): readonly ClauseMoment[] {
    const exchanges = order.repeatedCall()
    if (!exchanges) return []
    const problem = `it called ${exchanges[2].operation} again, since an event that it had taken came once more`
    return [{ clause: 'ORD-EVR-03', exchanges, problem }]
  }
}

const repeatedEvents: Fold<ClauseMoment> = { begin: () => new RepeatedEvents() }

/** A repeated event, by its id, brings about no call that was accepted before. */
export const repeatedEventsAreIgnored = momentsOf(repeatedEvents)
