import { expect, test } from 'vitest'
import { OrderEvent } from './event.ts'

const minimal = { eventId: 'e', eventType: 'CREATED', orderId: 'o' }

test('[ORD-UND-02] an optional field that is null or of another type counts as absent, and the event stays valid', () => {
  for (const nothing of [null, 7, ['x']])
    expect(
      OrderEvent.parse({
        ...minimal,
        orderURL: nothing,
        createdAt: nothing,
        sourceAppId: nothing,
        metadata: nothing === 7 ? 'x' : nothing,
        virtualBrand: null,
      }),
    ).toEqual({ ...minimal, virtualBrand: null })
})

test('[ORD-EVF-01, ORD-EVF-02] an event without eventId, eventType or orderId is invalid', () => {
  for (const field of ['eventId', 'eventType', 'orderId'] as const)
    for (const wrong of [null, '', 7])
      expect(OrderEvent.safeParse({ ...minimal, [field]: wrong }).success).toBe(false)
})

test('a complete event is preserved unchanged', () => {
  const whole = {
    ...minimal,
    orderURL: 'http://a/orders/o',
    createdAt: '2026-01-05T15:00:00.000Z',
    sourceAppId: 'app',
    metadata: { code: 'x' },
    more: 1,
  }
  expect(JSON.stringify(OrderEvent.parse(whole))).toBe(JSON.stringify(whole))
})
