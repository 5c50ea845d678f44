import { expect, test } from 'vitest'
import { LoyaltyEventBody, readLoyaltyEvent } from './event.ts'

const occurredAt = '2026-01-05T15:00:00.000Z'

const read = (body: unknown) => readLoyaltyEvent(LoyaltyEventBody.parse(body))

test('[LOY-UND-06] wrapped and flat events are read alike, with any type and payload', () => {
  const payload = { customerId: 'c', accountId: 'a', relatedOrderId: 'o', points: 7, more: [{}] }
  const expected = {
    eventType: 'loyalty.points_accrued',
    accountId: 'a',
    customerId: 'c',
    orderId: 'o',
  }
  const eventType = 'loyalty.points_accrued'
  expect(
    read({ event: { eventId: 'e', eventType, entityType: 'loyalty', occurredAt, payload } }),
  ).toEqual({ key: 'e', ...expected })
  expect(
    read({
      id: 'e',
      eventType,
      occurredAt,
      accountId: 'a',
      customerId: 'c',
      payload: { orderId: 'o' },
    }),
  ).toEqual({ key: 'e', ...expected })
  expect(
    read({ event: { eventId: 'e', eventType: 'loyalty.from_the_future', occurredAt } }),
  ).toEqual({
    key: 'e',
    eventType: 'loyalty.from_the_future',
  })
})

test('the deduplication key of an event without an id is type, entity and time', () => {
  const event = { eventType: 'loyalty.points_expired', occurredAt, payload: { accountId: 'a' } }
  const { key } = read({ event })
  expect(read({ event })).toMatchObject({ key })
  expect(read(event)).toMatchObject({ key })
  expect(read({ event: { ...event, payload: { accountId: 'b' } } }).key).not.toBe(key)
  expect(read({ event: { ...event, occurredAt: '2026-01-05T15:00:01.000Z' } }).key).not.toBe(key)
})

test.each([
  [{}, 'eventType'],
  [{ eventType: 'loyalty.points_accrued' }, 'occurredAt'],
  [{ event: {} }, 'event.eventType'],
  [{ event: { eventType: 7, occurredAt } }, 'event.eventType'],
  [{ event: { eventType: 'x', occurredAt, payload: 'x' } }, 'event.payload'],
  [{ event: [] }, 'event'],
  [{ eventType: '', occurredAt }, 'eventType'],
])('an invalid event is reported by field: %j', (body, where) => {
  const parsed = LoyaltyEventBody.safeParse(body)
  expect(parsed.success).toBe(false)
  expect(parsed.error?.issues[0]?.path.join('.')).toBe(where)
})
