/** Each delivery as its consumer is shown it, and calls of the consumer that come before the status that they presume. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { readDelivery, readDeliveryEvent } from '../../../protocol/logistics/read.ts'
import type { DeliveryStatus } from '../../../protocol/logistics/status.ts'
import { bodyValue } from '../assertion.ts'
import type { ClauseMoment, Fold } from '../check.ts'
import { Entities, isCleanSuccess, precedes } from '../status-life.ts'
import type { Observed } from '../trace.ts'
import { orderOf } from './consumer-assertions.ts'
import { isReachable } from './delivery-assertions.ts'

/** The status in which a call is taken (LOG-OPS-05, LOG-OPS-06). */
const presumedBy: Readonly<Partial<Record<OperationId, DeliveryStatus>>> = {
  setDeliveryCollected: 'ASSIGNED',
  setDeliveryDelivered: 'IN_TRANSIT',
}

/** By these calls a store says where the food is, whatever the platform knows of its courier. */
const ofStore = new Set<OperationId>(['dispatchOrder', 'setOrderDelivered', 'sendOrderTracking'])

const isImpossible = ({ reply }: Observed): boolean =>
  ['/error/code', '/code', '/title'].some((at) => bodyValue(reply, at) === 'INVALID_TRANSITION')

class ConsumedDelivery {
  #creation: Observed | undefined
  readonly #shown = new Set<DeliveryStatus>()
  #early: { readonly call: Observed; readonly presumed: DeliveryStatus } | undefined
  /** Nothing more is certain, or to be said. */
  #isOver = false

  call(call: Observed): void {
    const { operation, exchange } = call
    if (!operation || exchange.fault !== undefined || ofStore.has(operation)) this.#isOver = true
    else if (operation === 'createDelivery' && isCleanSuccess(call)) this.#creation ??= call
    const presumed = operation && presumedBy[operation]
    if (!presumed || !this.#creation || !isImpossible(call)) return
    // Past that status, or in the end of another delivery, the call has another reason.
    const isShown = [...this.#shown].some((one) => one === presumed || !isReachable(one, presumed))
    if (!isShown) this.#early ??= { call, presumed }
  }

  report(report: Observed, shown: DeliveryStatus): readonly ClauseMoment[] {
    this.#shown.add(shown)
    if (report.exchange.fault !== undefined) this.#isOver = true
    const [creation, early] = [this.#creation, this.#early]
    if (this.#isOver || !creation || !early) return []
    const { call, presumed } = early
    const isLater = precedes(call, report)
    // Otherwise it may have moved in the moment of the call, and that was on its way to the consumer.
    const wasBefore = isReachable(shown, presumed) && (isLater || shown !== presumed)
    this.#isOver = isLater || !wasBefore
    const problem = `it calls ${call.operation} before an event or a read has shown the delivery as ${presumed}, and is refused with ${call.status}`
    return isLater && wasBefore
      ? [{ clause: 'LOG-CON-03', exchanges: [creation, call, report], problem }]
      : []
  }
}

class ConsumedDeliveries {
  readonly #lives = new Entities(() => new ConsumedDelivery())

  take(observed: Observed): readonly ClauseMoment[] {
    const { operation, exchange, request, reply } = observed
    if (!operation) return []
    const event = operation === 'receiveDeliveryEvent' ? readDeliveryEvent(request) : undefined
    const read = operation === 'getDelivery' ? readDelivery(reply) : undefined
    const orderId = event?.orderId ?? orderOf(observed) ?? exchange.orderId
    const status = event?.status ?? read?.status
    if (orderId && status) return this.#lives.of(orderId).report(observed, status)
    const isCounted = presumedBy[operation] !== undefined || ofStore.has(operation)
    if (orderId && (isCounted || operation === 'createDelivery'))
      this.#lives.of(orderId).call(observed)
    return []
  }
}

/** What happened to each delivery, as its consumer knows it. */
export const consumedDeliveries: Fold<ClauseMoment> = { begin: () => new ConsumedDeliveries() }
