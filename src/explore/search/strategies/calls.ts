/** The calls that a service makes about its orders: what kind of call each is, by the tables of the protocol. */
import { operation as rowOf, type OperationId } from '../../../core/protocol/catalogue.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import { interleave, type SearchSpace, sitesOf } from './strategy.ts'

export const faultsIn = (space: SearchSpace, workload: string): readonly ScheduledFault[] =>
  sitesOf(space, workload).flatMap(({ choices }) => choices)

/** The same fault at every attempt of a call. */
export function atEveryAttempt({ name, match, options }: ScheduledFault): ScheduledFault {
  const { nth: _nth, ...every } = match
  return { name, match: every, options }
}

/** Whether it distorts the first attempt of a call that the service makes about an order, and no further one. */
export function isFirstAttempt({ match, burst }: ScheduledFault): boolean {
  const { operation, order, nth } = match
  return (
    operation !== undefined &&
    order !== undefined &&
    nth === 1 &&
    burst === undefined &&
    rowOf(operation).webhook === undefined
  )
}

export const isReading = (operation: OperationId): boolean => rowOf(operation).method === 'GET'

/** Whether a call makes something that was not there before: repeated without care, it makes it twice. */
export function isCreation(operation: OperationId): boolean {
  const { method, path, success, handler } = rowOf(operation)
  const isNew = method === 'POST' && success === 202 && !path.includes('{')
  return isNew && handler.name !== 'events.acknowledge'
}

/** Whether a call about an order goes to another partner than the one that has the order, and begins nothing there. */
export const isThirdParty = (operation: OperationId): boolean =>
  rowOf(operation).capability !== 'orders' && !isCreation(operation)

/** Calls that create something, other calls to a third party, steps of an order, readings of an order. */
function kindOf(operation: OperationId): number {
  if (isCreation(operation)) return 0
  if (isThirdParty(operation)) return 1
  return isReading(operation) ? 3 : 2
}

/** Items about calls: the kinds of operations take turns, and of one kind those that change something come first. */
export function takeTurnsByOperation<Item extends { readonly operation: OperationId }>(
  items: readonly Item[],
): readonly Item[] {
  const byOperation = [...Map.groupBy(items, ({ operation }) => operation)]
  const rankOf = (operation: OperationId): string => `${isReading(operation) ? 1 : 0} ${operation}`
  byOperation.sort(([one], [other]) => (rankOf(one) < rankOf(other) ? -1 : 1))
  const byKind = [0, 1, 2, 3].map((kind) =>
    byOperation.flatMap(([operation, ofOperation]) =>
      kindOf(operation) === kind ? ofOperation : [],
    ),
  )
  return interleave(byKind)
}
