/** Assertions about deliveries: which changes the lifecycle explains. */
import { expect, test } from 'vitest'
import { deliveryStatuses } from '../../../protocol/logistics/status.ts'
import { isRow, isReachable } from './delivery-assertions.ts'

test('[LOG-STA-01] a change is explained by one row of the lifecycle, or by several between two reads', () => {
  const explained = deliveryStatuses.flatMap((from) =>
    deliveryStatuses
      .filter((to) => from !== to && isReachable(from, to))
      .map((to) => `${from} ${to}`),
  )
  expect(explained).toEqual([
    'PENDING ASSIGNED',
    'PENDING IN_TRANSIT',
    'PENDING DELIVERED',
    'PENDING CANCELLED',
    'PENDING FAILED',
    'ASSIGNED IN_TRANSIT',
    'ASSIGNED DELIVERED',
    'ASSIGNED CANCELLED',
    'ASSIGNED FAILED',
    'IN_TRANSIT DELIVERED',
    'IN_TRANSIT FAILED',
  ])
})

test('[LOG-TEN-01] CANCELLED after IN_TRANSIT is a notice; DELIVERED after CANCELLED is wrong', () => {
  expect(isRow('IN_TRANSIT', 'CANCELLED')).toHaveProperty('notice')
  expect(isRow('CANCELLED', 'DELIVERED')).toEqual(expect.any(String))
  expect(isRow('PENDING', 'IN_TRANSIT')).toBeUndefined()
})
