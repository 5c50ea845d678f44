import { expect, test } from 'vitest'
import { apply } from '../fact.ts'
import { createWorld } from '../world.ts'
import type { AccountFact } from './account-facts.ts'
import { indoorBounds, diningPlaceKey, diningPlace } from './world.ts'

const place = diningPlace('TABLE', '7')

const opened = (accountId: string, orderId: string): AccountFact => ({
  kind: 'account.opened',
  accountId,
  merchantId: 'm',
  operationMode: 'TABLE',
  identifier: '7',
  orderId,
  lastEvent: 'ACCOUNT_OPENED',
  booking: {
    orderId,
    originChannel: 'QR_CODE',
    createdAt: '2026-01-05T15:00:00.000Z',
    items: [
      {
        itemId: `item-${orderId}`,
        orderId,
        lineId: 'x',
        name: 'x',
        quantity: 1,
        cents: 10_000,
        unitPrice: 1,
        addedAt: '2026-01-05T15:00:00.000Z',
        status: 'ACTIVE',
      },
    ],
    charge: { orderId, feeCents: 0, discountCents: 0 },
    cancelled: {},
    wantsDocument: false,
  },
})

const closed = (accountId: string): AccountFact => ({
  kind: 'account.moved',
  accountId,
  trigger: 'close',
  from: 'IN_PAYMENT',
  to: 'CLOSED',
  lastEvent: 'ACCOUNT_CLOSED',
})

test('beyond the limit of closed accounts the oldest is evicted together with its index entries', () => {
  const world = createWorld()
  const { host } = world.indoor
  apply(world, opened('first', 'o-1'), 0)
  apply(world, closed('first'), 1)
  for (let index = 1; index < indoorBounds.accountsClosed; index++)
    host.closed.add(`filler ${index}`)
  expect([host.accounts.size, host.items.size, host.orders.size]).toEqual([1, 1, 1])
  expect(host.lastClosed.get(diningPlaceKey(place, 'm'))).toBe('first')
  apply(world, opened('second', 'o-2'), 2)
  apply(world, closed('second'), 3)
  expect([...host.accounts.keys()]).toEqual(['second'])
  expect([...host.items.keys()]).toEqual(['item-o-2'])
  expect([...host.orders.keys()]).toEqual(['o-2'])
  expect(host.lastClosed.get(diningPlaceKey(place))).toBe('second')
  expect(host.open.size).toBe(0)
})

test('finished visits and ids of received events are evicted in the same way', () => {
  const world = createWorld()
  const { guest } = world.indoor
  const names = { merchantId: 'm', operationMode: 'TABLE', identifier: '7' } as const
  const heard = (tableId: string) =>
    apply(
      world,
      {
        kind: 'table.heard',
        eventId: `e-${tableId}`,
        eventType: 'ACCOUNT_OPENED',
        table: { tableId, accountId: tableId, ...names },
      },
      0,
    )
  heard('first')
  apply(world, { kind: 'table.left', tableId: 'first', because: 'gone' }, 1)
  for (let index = 1; index < indoorBounds.tablesOver; index++) guest.over.add(`filler ${index}`)
  for (let index = 1; index < indoorBounds.seenEvents; index++) guest.seen.add(`event ${index}`)
  heard('second')
  apply(world, { kind: 'table.left', tableId: 'second', because: 'gone' }, 2)
  expect([...guest.tables.keys()]).toEqual(['second'])
  expect([...guest.byAccount.keys()]).toEqual(['second'])
  expect([...guest.byKey.values()]).toEqual(['second', 'second'])
  expect(guest.seen.size).toBe(indoorBounds.seenEvents)
  expect(guest.seen.has('e-first')).toBe(false)
})

test('records are immutable: a reference to an old record still shows the old status', () => {
  const world = createWorld()
  apply(world, opened('a', 'o-1'), 0)
  const before = world.indoor.host.accounts.get('a')
  apply(world, closed('a'), 1)
  expect(before?.status).toBe('IN_USE')
  expect(world.indoor.host.accounts.get('a')?.status).toBe('CLOSED')
})
