/** What the calls about an order asked for: which move of its life, which answer, and how they stand to one another. */
import { type OperationId, operation as rowOf } from '../../protocol/catalogue.ts'
import {
  orderLifecycle,
  progressionTriggers,
  type ProgressionTrigger,
} from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Call } from './order-history.ts'

/** The move that a call asks for. */
export function triggerOf(operation: OperationId | undefined): ProgressionTrigger | undefined {
  if (operation === undefined) return undefined
  const [, name] = rowOf(operation).behind.name.split('order.')
  return progressionTriggers.find((each) => each === name)
}

/** Where a call leads. */
export const targetOf = (trigger: ProgressionTrigger): OrderStatus | undefined =>
  orderLifecycle.find((row) => row.trigger === trigger)?.to

/** A call that is to change something. */
export function hasEffect({ operation, seen }: Call): boolean {
  if (operation === undefined || seen.caller !== 'subject') return false
  const { method, capability } = rowOf(operation)
  return (
    method !== 'GET' &&
    capability !== 'auth' &&
    capability !== 'discovery' &&
    operation !== 'acknowledgeEvents' &&
    operation !== 'acknowledgeEventsV1'
  )
}

/** How often a call had been made until an exchange, that one included. */
export const timesUntil = (calls: readonly Call[], call: Call, onlyOk: boolean): number =>
  calls.filter(
    ({ operation, seq, ok }) => operation === call.operation && seq <= call.seq && (ok || !onlyOk),
  ).length
