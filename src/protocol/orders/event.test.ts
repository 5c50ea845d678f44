import { expect, test } from 'vitest'
import { OrderEvent } from './event.ts'

const least = { eventId: 'e', eventType: 'CREATED', orderId: 'o' }

test('[ORD-UND-02] an event is read for what it takes to act on it; null, or another type, in its other fields is nothing', () => {
  for (const nothing of [null, 7, ['x']])
    expect(
      OrderEvent.parse({
        ...least,
        orderURL: nothing,
        createdAt: nothing,
        sourceAppId: nothing,
        metadata: nothing === 7 ? 'x' : nothing,
        virtualBrand: null,
      }),
    ).toEqual({ ...least, virtualBrand: null })
})

test('[ORD-EVF-01, ORD-EVF-02] an event without its id, its type or its order is none', () => {
  for (const field of ['eventId', 'eventType', 'orderId'] as const)
    for (const wrong of [null, '', 7])
      expect(OrderEvent.safeParse({ ...least, [field]: wrong }).success).toBe(false)
})

test('an event that says everything is kept as it came', () => {
  const whole = {
    ...least,
    orderURL: 'http://a/orders/o',
    createdAt: '2026-01-05T15:00:00.000Z',
    sourceAppId: 'app',
    metadata: { code: 'x' },
    more: 1,
  }
  expect(JSON.stringify(OrderEvent.parse(whole))).toBe(JSON.stringify(whole))
})
