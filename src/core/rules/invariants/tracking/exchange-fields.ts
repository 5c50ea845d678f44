/**
 * Fields of an exchange: order id, request id and kinds of failure. Where the path does not name the order, the body
 * does: deliveries are requested by body.
 */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { shortText } from '../../../engine/short-text.ts'
import type { TrackedOrder, TrackerState } from './tracker-state.ts'

export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return at
}

/** A text of a body, shortened where it is long: what rules learn, they keep. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? shortText(found) : undefined
}

/** Order id from the path, the response or the request body. */
export const orderIdOfExchange = (observed: ObservedExchange): string | undefined =>
  observed.orderId ?? observed.bodyOrderId

/** Calls that name their order in the body, so a call without a reply lacks an order id. */
const namedInBody: ReadonlySet<OperationId | undefined> = new Set([
  'createDelivery',
  'checkDeliveryAvailability',
])

export const isNamedInBody = ({ operation }: Pick<ObservedExchange, 'operation'>): boolean =>
  namedInBody.has(operation)

/** The tracked order of an exchange. */
export function orderOfExchange(
  observed: ObservedExchange,
  { orders }: Pick<TrackerState, 'orders'>,
): TrackedOrder | undefined {
  if (observed.orderId !== undefined) return observed.order
  const orderId = orderIdOfExchange(observed)
  return orderId === undefined ? undefined : orders.get(orderId)
}

/** X-Request-Id, which marks a retry of the same call (TRN-HDR-04). */
export const requestIdOf = (observed: ObservedExchange): string | undefined =>
  observed.header('x-request-id')

/** A final refusal: the call had no effect and will have none. */
export const isRefusal = ({ status }: ObservedExchange): boolean =>
  status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)

/** Whether the outcome is ambiguous: the call may or may not have had an effect. */
export const isAmbiguous = ({ ok, status }: ObservedExchange): boolean =>
  !ok && (status < 400 || status === 408 || status >= 500)
