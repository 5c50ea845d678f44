/** Customer lifecycle, every status × trigger; the event table; reading of events. */
import { describe, expect, test } from 'vitest'
import { customerStatuses } from './customer.ts'
import { CustomerEvent, eventDeduplicationKey } from './event.ts'
import { customerEvents, customerEventTypes, entityTypes, customerEventTypeOf } from './events.ts'
import {
  customerLifecycle,
  customerStep,
  customerTriggers,
  customerTriggerTarget,
} from './lifecycle.ts'

describe('the lifecycle', () => {
  const cells = customerStatuses.flatMap((status) =>
    customerTriggers.map((trigger) => ({ status, trigger })),
  )

  test.each(cells)('[CUS-UND-03, CUS-STA-01] $status, $trigger', ({ status, trigger }) => {
    const rows = customerLifecycle.filter((row) => row.from === status && row.trigger === trigger)
    expect(rows.length).toBeLessThanOrEqual(1)
    const step = customerStep(status, trigger)
    if (rows[0]) expect(step).toEqual({ kind: 'moves', row: rows[0] })
    else expect(step.kind).toBe(customerTriggerTarget[trigger] === status ? 'applied' : 'refused')
  })

  test('[CUS-UND-03] an order makes every status active, and no transition leads back to lead', () => {
    const after = (status: (typeof customerStatuses)[number]) => {
      const step = customerStep(status, 'order')
      return step.kind === 'moves' ? step.row.to : status
    }
    expect(customerStatuses.map(after)).toEqual(['active', 'active', 'active'])
    expect(customerLifecycle.some(({ to }) => to === 'lead')).toBe(false)
    expect(customerStep('lead', 'deactivate').kind).toBe('refused')
  })

  test('every row leads to the target of its trigger, and to another status', () => {
    for (const { from, trigger, to } of customerLifecycle) {
      expect(to).toBe(customerTriggerTarget[trigger])
      expect(to).not.toBe(from)
    }
  })
})

describe('the events', () => {
  test('[CUS-EVO-01, CUS-EVO-02] are the nine of the table, each with the entity that prefixes its name', () => {
    expect(Object.keys(customerEvents)).toEqual([...customerEventTypes])
    for (const type of customerEventTypes) {
      const { entity } = customerEvents[type]
      expect(type.startsWith(`${entity}.`)).toBe(true)
      expect(entityTypes).toContain(entity)
    }
  })

  test('[CUS-EVT-10] order.canceled is spelt with one l; aliases are understood', () => {
    expect(customerEventTypes).toContain('order.canceled')
    expect(customerEventTypes).not.toContain('order.cancelled')
    expect(customerEventTypeOf('order.cancelled')).toBe('order.canceled')
    expect(customerEventTypeOf('order.delivered')).toBe('order.completed')
    expect(customerEventTypeOf('cart.abandoned')).toBeUndefined()
    expect(customerEventTypeOf('toString')).toBeUndefined()
  })

  const envelope = {
    eventId: 'e-1',
    eventType: 'customer.updated',
    entityType: 'customer',
    occurredAt: '2026-01-05T12:00:00-03:00',
    payload: {
      customerId: 'c-1',
      changedFields: ['name'],
      identifier: { type: 'phone', value: '11' },
      externalIds: ['app:1', { source: 'pos', value: '2' }],
    },
  }

  test('[CUS-EVO-01, CUS-EVO-02, CUS-EVO-03, CUS-EVO-04, CUS-UND-05] are read from an envelope or flat', () => {
    const wrapped = CustomerEvent.parse({ event: envelope })
    expect(wrapped).toMatchObject({
      eventType: 'customer.updated',
      at: 1_767_625_200_000,
      customerId: 'c-1',
      identifier: { type: 'phone', value: '11' },
      externalIds: ['app:1', 'pos:2'],
    })
    const flat = CustomerEvent.parse({
      id: 'e-1',
      eventType: 'order.created',
      occurredAt: '2026-01-05T15:00:00Z',
      customerIdentifier: { type: 'email', value: 'a@b' },
      orderId: 'o-1',
    })
    expect(flat).toMatchObject({
      orderId: 'o-1',
      identifier: { type: 'email', value: 'a@b' },
      payload: {},
    })
    const older = {
      eventType: 'x',
      occurredAt: '2026-01-05',
      customerId: 'c',
      data: { orderId: 'o' },
    }
    expect(CustomerEvent.parse(older)).toMatchObject({ customerId: 'c', orderId: 'o' })
  })

  test.each([
    [{}, 'event'],
    [{ event: 7 }, 'event'],
    [{ event: { ...envelope, eventType: undefined } }, 'event.eventType'],
    [{ event: { ...envelope, entityType: 'coupon' } }, 'event.entityType'],
    [{ event: { ...envelope, occurredAt: 'today' } }, 'event.occurredAt'],
    [{ event: { ...envelope, payload: 'x' } }, 'event.payload'],
    [{ eventType: 'order.created' }, 'occurredAt'],
    ['x', 'event'],
    [null, 'event'],
  ])('[CUS-ERR-01] %j is wrong at %s', (body, where) => {
    const parsed = CustomerEvent.safeParse(body)
    expect(parsed.success).toBe(false)
    expect(parsed.error?.issues[0]?.path.join('.')).toBe(where)
  })

  test('[CUS-UND-07] have a deduplication key: the id in the configured field, else type, entity and time', () => {
    const event = (more: object) => CustomerEvent.parse({ event: { ...envelope, ...more } })
    expect(eventDeduplicationKey(event({}), 'eventId')).toBe('e-1')
    expect(eventDeduplicationKey(event({ eventId: undefined, id: 'e-2' }), 'eventId')).toBe('e-2')
    expect(eventDeduplicationKey(event({ messageId: 'e-3' }), 'messageId')).toBe('e-3')
    const bare = event({ eventId: undefined })
    expect(eventDeduplicationKey(bare, 'eventId')).toBe(eventDeduplicationKey(bare, false))
    expect(eventDeduplicationKey(bare, false)).toBe(
      'customer.updated|c-1|2026-01-05T12:00:00-03:00',
    )
    const other = event({ eventId: undefined, occurredAt: '2026-01-05T12:00:01-03:00' })
    expect(eventDeduplicationKey(other, false)).not.toBe(eventDeduplicationKey(bare, false))
  })
})
