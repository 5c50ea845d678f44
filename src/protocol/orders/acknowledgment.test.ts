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
])('an acknowledgment by %s names the same two events', (_shape, body) => {
  expect(acknowledgedIds(Acknowledgment.parse(body))).toEqual(['a', 'b'])
})

test('[ORD-UND-09] {id} means that event, though another name for it stands beside with null', () => {
  const body = [
    { id: 'a', eventId: null },
    { id: null, eventId: 'b' },
    { id: 'x', eventId: 'c' },
  ]
  for (const [index, meant] of ['a', 'b', 'c'].entries())
    expect(acknowledgedIds(Acknowledgment.parse([body[index]]))).toEqual([meant])
})

test.each([[{}], [{ ids: ['a'] }], [[{ name: 'a' }]], [[1]], [''], [{ eventIds: [''] }], [null]])(
  '%j acknowledges nothing that anybody could know',
  (body) => {
    expect(Acknowledgment.safeParse(body).success).toBe(false)
  },
)
