import { expect, test } from 'vitest'
import { Acknowledgment, acknowledgedIds } from './acknowledgment.ts'

test.each([
  ['{eventIds}', { eventIds: ['a', 'b'] }],
  ['ids', ['a', 'b']],
  [
    '{id, orderId, eventType}',
    [
      { id: 'a', orderId: '1', eventType: 'CREATED' },
      { id: 'b', orderId: '2', eventType: 'CONFIRMED' },
    ],
  ],
  ['{eventId}', [{ eventId: 'a' }, { eventId: 'b' }]],
])('an acknowledgment of shape %s yields its two event ids', (_shape, body) => {
  expect(acknowledgedIds(Acknowledgment.parse(body))).toEqual(['a', 'b'])
})

test('[ORD-UND-09] id is the event id when eventId is null beside it', () => {
  const body = [
    { id: 'a', eventId: null },
    { id: null, eventId: 'b' },
    { id: 'x', eventId: 'c' },
  ]
  for (const [index, meant] of ['a', 'b', 'c'].entries())
    expect(acknowledgedIds(Acknowledgment.parse([body[index]]))).toEqual([meant])
})

test.each([[{}], [{ ids: ['a'] }], [[{ name: 'a' }]], [[1]], [''], [{ eventIds: [''] }], [null]])(
  '%j is an invalid acknowledgment',
  (body) => {
    expect(Acknowledgment.safeParse(body).success).toBe(false)
  },
)
