/** Maps calls to lifecycle triggers and target statuses. */
import { type OperationId, operation as rowOf } from '../../core/protocol/catalogue.ts'
import {
  orderLifecycle,
  orderLifecycles,
  progressionTriggers,
  type ProgressionTrigger,
} from '../../core/protocol/orders/lifecycle.ts'
import { orderActOf } from '../../core/protocol/operation.ts'
import type { OrderStatus } from '../../core/protocol/orders/order.ts'
import { v2OperationOf } from '../../core/protocol/v1/operation-names.ts'
import type { RecordedCall } from './order-history.ts'

/** The lifecycle trigger that a call requests. */
export function triggerOf(operation: OperationId | undefined): ProgressionTrigger | undefined {
  if (operation === undefined) return undefined
  const act = orderActOf(rowOf(v2OperationOf(operation)))
  return progressionTriggers.find((each) => each === act)
}

/** The status that a trigger leads to. */
export const targetStatusOf = (trigger: ProgressionTrigger): OrderStatus | undefined =>
  orderLifecycle.find((row) => row.trigger === trigger)?.to

/** The lifecycle that a call was made under: a recording does not say which one a partner of V1 keeps. */
export const lifecycleOf = ({
  operation,
}: Pick<RecordedCall, 'operation'>): typeof orderLifecycles.strict =>
  orderLifecycles[operation && v2OperationOf(operation) !== operation ? 'free' : 'strict']

/** Whether a call of the subject is a state-changing one (not a read, auth, discovery or acknowledgment). */
export function changesState({ operation, observed }: RecordedCall): boolean {
  if (operation === undefined || observed.caller !== 'subject') return false
  const { method, capability } = rowOf(operation)
  return (
    method !== 'GET' &&
    capability !== 'auth' &&
    capability !== 'discovery' &&
    operation !== 'acknowledgeEvents' &&
    operation !== 'acknowledgeEventsV1'
  )
}

/** Number of calls of the same operation up to and including this one. */
export const countUntil = (
  calls: readonly RecordedCall[],
  call: RecordedCall,
  onlyOk: boolean,
): number =>
  calls.filter(
    ({ operation, seq, ok }) => operation === call.operation && seq <= call.seq && (ok || !onlyOk),
  ).length
