// @module-tag slow
/** Substitution of recorded values is fast for many occurrences and deep nesting. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { splitAtVariables, planScript } from './script-plan.ts'

test('a value with twenty thousand occurrences is replaced each time, longest value first', () => {
  const uses = [
    { name: 'LONG', value: 'order-1-item' },
    { name: 'SHORT', value: 'order-1' },
  ]
  expect(splitAtVariables('a order-1 b order-1-item', uses)).toEqual([
    { text: 'a ' },
    { variable: 'SHORT' },
    { text: ' b ' },
    { variable: 'LONG' },
  ])
  expect(splitAtVariables('order-1,'.repeat(20_000), uses)).toHaveLength(40_000)
})

const recorded = (seq: number, change: Partial<RecordedExchange>): RecordedExchange => ({
  ...sampleExchange(seq, change),
  recordId: `r${seq}`,
})

test('a list of thousands of orders that are all read later is planned in bounded time', () => {
  const ids = Array.from(
    { length: 4000 },
    (_, index) => `0b7e1f6a-1111-4222-8333-${String(index).padStart(12, '0')}`,
  )
  const items = ids.map((id) => ({ notes: Array.from({ length: 40 }, () => 'a note'), id }))
  const list = recorded(1, {
    operation: 'listOrders',
    params: {},
    request: { method: 'GET', url: 'http://h.test/v1/orders', headers: [] },
    reply: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: JSON.stringify({ items }),
    },
  })
  const reads = ids.map((orderId, index) =>
    recorded(index + 2, {
      orderId,
      params: { orderId },
      request: { method: 'GET', url: `http://h.test/v2/orders/${orderId}`, headers: [] },
      reply: { status: 204, headers: [] },
    }),
  )
  const { orderId: _orderId, ...bare } = list
  // With a search of the whole list for each order it would take longer than a test may.
  const { calls } = planScript([bare, ...reads])
  expect(calls[0]?.extracts).toHaveLength(4000)
  expect(calls[0]?.extracts[7]).toMatchObject({ steps: ['items', '7', 'id'], key: 'id', place: 7 })
})
