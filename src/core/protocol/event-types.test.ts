import { expect, test } from 'vitest'
import { eventTitle } from './event-types.ts'

test.each([
  [
    { eventType: 'ACCOUNT_OPENED', accountId: 'a-1', operationMode: 'TABLE', identifier: '7' },
    'ACCOUNT_OPENED TABLE 7',
  ],
  [{ eventType: 'ACCOUNT_CLOSED', accountId: 'a-1' }, 'ACCOUNT_CLOSED account a-1'],
  [
    { event: { eventType: 'customer.updated', payload: { customerId: 'c-1' } } },
    'customer.updated customer c-1',
  ],
  [{ eventType: 'lead.created', data: { leadId: 'l-1' } }, 'lead.created lead l-1'],
  [
    { eventType: 'points.earned', accountId: 'a-2', payload: { customerId: 'c-2' } },
    'points.earned customer c-2',
  ],
  [{ eventType: 'PICKUP', deliveryId: 'd-1', orderId: 'o-1' }, 'PICKUP delivery d-1'],
  [{ eventType: 'CONFIRMED', orderId: 'o-1' }, 'CONFIRMED'],
  [
    { eventType: 'customer.updated', customerIdentifier: { type: 'CPF', value: '12345678909' } },
    'customer.updated',
  ],
])('%j is titled %s: by place or id, and by nothing of a person', (body, title) => {
  expect(eventTitle(body)).toBe(title)
})

test.each([undefined, 'ACCOUNT_OPENED', [], {}, { eventType: 7 }, { event: {} }, { event: null }])(
  '%j is no event',
  (body) => {
    expect(eventTitle(body)).toBeUndefined()
  },
)
