/** How long a service that is broken in one place is waited for. */
import { expect, test } from 'vitest'
import { VainWaits } from './run-procedures.ts'

const deliveryOf = (order: string): string => `createDelivery of order ${order}`
const [first, second, third] = [
  'b30559bf-b926-4e0f-b9df-575c0a1a84b2',
  '5a3a2e2c-95bd-4a30-8d5c-6b1c2a3e4f50',
  '0d9f5a3e-1111-4222-8333-444455556666',
].map(deliveryOf)

test('after two procedures have waited for the same call in vain, whatever the order, no other waits for it', () => {
  const waits = new VainWaits()
  waits.ended('delivered', String(first), false, 120_000)
  expect(waits.isVain(String(third))).toBe(false)
  waits.ended('declined', String(second), false, 120_000)
  expect(waits.isVain(String(third))).toBe(true)
  expect(waits.isVain('cancelDelivery of order 1')).toBe(false)
})

test('ids of the service’s own form are left out too, also where several are named', () => {
  const waits = new VainWaits()
  const events = (one: string, other: string): string =>
    `the events CREATED of order ${one}, CONFIRMED or DENIED of order ${other}`
  waits.ended('order-life', events('A-1', 'A-2'), false, 60_000)
  waits.ended('full-order', events('A-3', '17'), false, 60_000)
  expect(waits.isVain(events('A-5', 'pedido_6'))).toBe(true)
  expect(waits.isVain('the events CREATED of order A-5, CANCELLED of order A-6')).toBe(false)
})

test('a procedure counts once, a short wait and one that was interrupted do not count, and a call ends it', () => {
  const waits = new VainWaits()
  for (const what of [first, second]) waits.ended('served-orders', String(what), false, 60_000)
  waits.ended('declined', String(first), false, 3000)
  expect(waits.isVain(String(third))).toBe(false)
  waits.ended('declined', String(first), false, 60_000)
  waits.ended('cancelled', String(first), true, 900)
  expect(waits.isVain(String(third))).toBe(false)
})
