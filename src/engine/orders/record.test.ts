import { expect, test } from 'vitest'
import { plainOrder } from '../../../test/support/plain-order.ts'
import type { OrderRecord } from '../world.ts'
import { orderText, orderView } from './record.ts'

const recordOf = (id: string, status: OrderRecord['status'] = 'CREATED'): OrderRecord => ({
  order: plainOrder(id),
  status,
  since: 0,
  way: [],
  eventIds: [],
})

test('the text of an order is its JSON, whether cached or not', () => {
  const records = Array.from({ length: 3000 }, (_, index) => recordOf(`order-${index}`))
  for (let round = 0; round < 3; round++)
    for (const record of records)
      expect(orderText(record) === JSON.stringify(orderView(record))).toBe(true)
})

test('a changed order has a new text at once', () => {
  const before = recordOf('order-1')
  for (let read = 0; read < 3; read++) expect(orderText(before)).toContain('"status":"CREATED"')
  const after: OrderRecord = { ...before, status: 'CONFIRMED', lastEvent: 'CONFIRMED' }
  for (let read = 0; read < 3; read++)
    expect(JSON.parse(orderText(after))).toMatchObject({
      status: 'CONFIRMED',
      lastEvent: 'CONFIRMED',
    })
  expect(orderText(before)).toContain('"status":"CREATED"')
})
