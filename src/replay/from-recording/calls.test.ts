/** A recorded call by its trigger and the lifecycle that it was made under. */
import { expect, test } from 'vitest'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import { lifecycleOf, triggerOf } from './calls.ts'

const outcome = (operation: OperationId): string | undefined => {
  const trigger = triggerOf(operation)
  return trigger && lifecycleOf({ operation }).step('CONFIRMED', trigger, 'DELIVERY').kind
}

test('V1 prescribes no order of steps: dispatch and delivered follow CONFIRMED, which V2 refuses', () => {
  expect(outcome('dispatchOrder')).toBe('refused')
  expect(outcome('dispatchOrderV1')).toBe('moves')
  expect(outcome('setOrderDelivered')).toBe('refused')
  expect(outcome('setOrderDeliveredV1')).toBe('moves')
  expect(outcome('setOrderPickedUpV1')).toBe('moves')
  expect(outcome('getOrderV1')).toBeUndefined()
})
