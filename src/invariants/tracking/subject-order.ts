/** What an exchange is about where its path does not say: deliveries are asked for by a body. */
import type { SeenExchange } from '../judge/observations.ts'
import type { OrderWatch, Watch } from './tracker-state.ts'

export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string, unknown>>)[key]
  }
  return at
}

export function textOf(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldOf(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** The order that an exchange is about: by its path, its answer, or its body. */
export const orderIdOf = (seen: SeenExchange): string | undefined =>
  seen.orderId ?? textOf(seen.asked(), 'orderId')

/** The same order as it is known. */
export function orderIn(
  seen: SeenExchange,
  { orders }: Pick<Watch, 'orders'>,
): OrderWatch | undefined {
  if (seen.orderId !== undefined) return seen.order
  const orderId = orderIdOf(seen)
  return orderId === undefined ? undefined : orders.get(orderId)
}

/** What tells a retry from another call of its kind: X-Request-Id (TRN-HDR-04). */
export const keyOf = (seen: SeenExchange): string | undefined => seen.header('x-request-id')

/** Answers that say no for good: the call had no effect and will have none. */
export const isRefusal = ({ status }: SeenExchange): boolean =>
  status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)

/** Nobody can tell from it whether the call had an effect. */
export const isAmbiguous = ({ ok, status }: SeenExchange): boolean =>
  !ok && (status < 400 || status === 408 || status >= 500)
