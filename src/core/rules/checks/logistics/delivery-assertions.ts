/**
 * Assertions about what a Delivery Platform shows of a delivery: in reads, before and after calls, and in its events.
 */
import { readDelivery } from '../../../protocol/logistics/read.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type ReadDeliveryEvent, readDeliveryEvent } from '../../../protocol/logistics/read.ts'
import { logisticsOperations } from '../../../protocol/logistics/operations.ts'
import type { DeliveryStatus } from '../../../protocol/logistics/status.ts'
import type { Assertion, Observation } from '../check.ts'
import { type Deviation, notice, observation, isAcceptedCall } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'

/** The status that a read of a delivery shows. */
export const deliveryStatus = ({ status, reply }: Observed): DeliveryStatus | undefined =>
  status === 200 ? readDelivery(reply)?.status : undefined

/** The operations that a Delivery Platform hosts. */
export const platformOperations = logisticsOperations.flatMap(({ id }) =>
  id === 'receiveDeliveryEvent' ? [] : [id],
)

export const lastAt = (trace: Trace, step: string): Observed | undefined => trace.at(step).at(-1)

export const deliveryStatusAt = (trace: Trace, step: string): DeliveryStatus | undefined => {
  const read = lastAt(trace, step)
  return read && deliveryStatus(read)
}

/** A call in a status that a read before it has shown leads to another one. */
export interface Movement {
  readonly before: string
  readonly from: DeliveryStatus
  readonly call: string
  readonly after: string
  readonly to: readonly DeliveryStatus[]
}

export const moves = ({ before, from, call, after, to }: Movement): Assertion =>
  function* (trace) {
    const [read, made, observed] = [before, call, after].map((step) => lastAt(trace, step))
    if (!read || !made || deliveryStatus(read) !== from) return
    const reached = observed && deliveryStatus(observed)
    yield observation(
      [read, made, ...(observed ? [observed] : [])],
      !isAcceptedCall(made)
        ? `it answered ${made.status} to ${made.operation} in ${from}`
        : reached !== undefined && to.includes(reached)
          ? undefined
          : `after ${made.operation} in ${from} the delivery is ${reached ?? 'not readable'}, not ${to.join(' or ')}`,
    )
  }

/** A call that must change no status, and the read directly after it. */
export interface QuietCall {
  readonly call: Observed
  readonly from: DeliveryStatus
  readonly after: Observed
}

/** Calls of a step in a status that the read before them has shown, each with the read after it. */
export function quietCalls(
  trace: Trace,
  rows: readonly (readonly [before: string, call: string, after: string])[],
): readonly QuietCall[] {
  return rows.flatMap(([before, step, next]) => {
    const [call] = trace.at(step)
    const from = deliveryStatusAt(trace, before)
    const after = trace.at(next).find(({ exchange }) => call && exchange.seq > call.exchange.seq)
    return call && after && from !== undefined && isAcceptedCall(call)
      ? [{ call, from, after }]
      : []
  })
}

/** A status that comes before one that was shown: no call leads back to it, and LOG-STA-01 is about it. */
export const isBackwards = (from: DeliveryStatus, to: DeliveryStatus | undefined): boolean =>
  to !== undefined && to !== from && isReachable(to, from)

/**
 * A courier may act in the very moment of a call, once, and a status may go backwards. When the read directly after each of
 * several calls shows another status, the calls have changed it; of a single one nothing is certain.
 */
export const changesNothing = (
  calls: readonly QuietCall[],
  isCouriers: (from: DeliveryStatus, to: DeliveryStatus) => boolean,
): readonly Observation[] => {
  const changes = calls.map((each) => {
    const to = deliveryStatus(each.after)
    const isOfCourier =
      to !== undefined &&
      to !== each.from &&
      (isCouriers(each.from, to) || isBackwards(each.from, to))
    return { ...each, to, isOfCourier }
  })
  const isCertain = changes.length > 1 && changes.every(({ isOfCourier }) => isOfCourier)
  return changes
    .filter(({ isOfCourier }) => isCertain || !isOfCourier)
    .map(({ call, from, to, after, isOfCourier }) =>
      observation(
        [call, after],
        to !== from &&
          `after ${call.operation} in ${from} the delivery is ${to ?? 'not readable'}${isOfCourier ? `, each of ${changes.length} times, with no courier's call between` : ''}`,
      ),
    )
}

/** Reads of each delivery of ours, in their order. */
export function readsByOrder(trace: Trace): ReadonlyMap<string, readonly Observed[]> {
  const found = new Map<string, Observed[]>()
  for (const read of trace.answers('getDelivery')) {
    const { orderId } = read.exchange
    if (orderId === undefined || deliveryStatus(read) === undefined) continue
    found.set(orderId, [...(found.get(orderId) ?? []), read])
  }
  return found
}

/** The rows of the lifecycle, as statuses that follow directly. */
const successors: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  PENDING: ['ASSIGNED', 'CANCELLED'],
  ASSIGNED: ['IN_TRANSIT', 'CANCELLED'],
  IN_TRANSIT: ['DELIVERED', 'FAILED'],
  DELIVERED: [],
  CANCELLED: [],
  FAILED: [],
}

/** Whether one status leads to the other by rows of the lifecycle: there may be several between two reads. */
export const isReachable = (from: DeliveryStatus, to: DeliveryStatus): boolean =>
  from === to || successors[from].some((next) => isReachable(next, to))

export const isRow = (from: DeliveryStatus, to: DeliveryStatus): Deviation => {
  if (isReachable(from, to)) return undefined
  const text = `a delivery went from ${from} to ${to}, which no row of the lifecycle does`
  // A platform that takes a cancel in IN_TRANSIT ends it by a row that is not printed (LOG-TEN-01).
  return isReachable(from, 'IN_TRANSIT') && to === 'CANCELLED' ? notice(text) : text
}

/** A delivery event that the platform sends, whatever its vocabulary. */
export interface SentDeliveryEvent {
  readonly observed: Observed
  readonly event: ReadDeliveryEvent
}

export const sentDeliveryEvents = (trace: Trace): readonly SentDeliveryEvent[] =>
  trace
    .calls('receiveDeliveryEvent')
    .filter(({ request }) => isUnknownRecord(request))
    .map((observed) => ({ observed, event: readDeliveryEvent(observed.request) }))
