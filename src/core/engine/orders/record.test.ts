import { expect, test } from 'vitest'
import { plainOrder } from '../../../../test/support/plain-order.ts'
import type { OrderRecord } from '../world.ts'
import { orderView } from './record.ts'

const recordOf = (fields: Partial<OrderRecord>): OrderRecord => ({
  order: plainOrder('order-1'),
  status: 'CREATED',
  since: 0,
  way: [],
  eventIds: [],
  ...fields,
})

test('the status of the record counts, whatever the document says', () => {
  const order = { ...plainOrder('order-1'), status: 'CREATED' as const, lastEvent: 'CREATED' }
  expect(orderView(recordOf({ order, status: 'CONFIRMED', lastEvent: 'CONFIRMED' }))).toEqual({
    ...order,
    status: 'CONFIRMED',
    lastEvent: 'CONFIRMED',
  })
})

test('before its first event an order has no last event', () => {
  expect(orderView(recordOf({}))).not.toHaveProperty('lastEvent')
})
