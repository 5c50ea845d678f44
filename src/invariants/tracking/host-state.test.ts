/** Memory is bounded: orders that ended long ago are evicted with their events. */
import { expect, test } from 'vitest'
import { apply } from '../../engine/fact.ts'
import type { Fact } from '../../engine/fact.ts'
import { createWorld } from '../../engine/world.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { createdFacts } from '../../../test/support/created-facts.ts'
import { factHandlerOf } from './fact-handlers.ts'
import { createHostState } from './host-state.ts'

/** A host state, fed with facts at distinct instants. */
function openLedger() {
  const world = createWorld()
  const ledger = createHostState(world, { subject: 'software-service', merchants: new Set() })
  let seq = 0
  function tell(fact: Fact): void {
    apply(world, fact, ++seq)
    factHandlerOf(ledger.facts, fact.kind)?.(fact, { seq, at: seq, by: 'session', cause: 0, fact })
  }
  const move = (orderId: string, from: OrderStatus, to: OrderStatus): void =>
    tell({ kind: 'order.moved', orderId, trigger: 'cancel', from, to })
  /** An order that ends at once. */
  const cancelled = (orderId: string): void => {
    for (const fact of createdFacts(orderId)) tell(fact)
    move(orderId, 'CREATED', 'CANCELLED')
  }
  return { ledger, tell, move, cancelled }
}

test('open orders and at least the last 2,000 finished ones are retained', () => {
  const { ledger, tell, move } = openLedger()
  for (let number = 0; number < 4610; number++) {
    const orderId = `o-${number}`
    for (const fact of createdFacts(orderId)) tell(fact)
    if (number < 10) continue
    move(orderId, 'CREATED', 'CANCELLED')
  }
  // Of 4,600 finished orders the first 2,000 were evicted, at once.
  const { orders, events, hasEvicted } = ledger
  expect([orders.values().length, events.values().length]).toEqual([2610, 2610])
  expect(orders.get('o-9')).toBeDefined()
  expect(events.get('event-of-o-9')).toBeDefined()
  expect(orders.get('o-2009')).toBeUndefined()
  expect(events.get('event-of-o-2009')).toBeUndefined()
  expect(orders.get('o-2010')?.hostStatus).toBe('CANCELLED')
  expect(events.get('event-of-o-2010')?.order).toBe(orders.get('o-2010'))
  expect(hasEvicted()).toBe(true)
})

test('a reopened order is retained while it is open', () => {
  const { ledger, move, cancelled } = openLedger()
  const cancelSome = (letter: string): void => {
    for (let number = 0; number < 2000; number++) cancelled(`${letter}-${number}`)
  }
  for (const orderId of ['back', 'gone']) cancelled(orderId)
  cancelSome('a')
  move('back', 'CANCELLED', 'CONFIRMED')
  for (const letter of ['b', 'c']) cancelSome(letter)
  expect(ledger.orders.get('back')?.hostStatus).toBe('CONFIRMED')
  expect(ledger.events.get('event-of-back')).toBeDefined()
  expect(ledger.orders.get('gone')).toBeUndefined()
  expect(ledger.events.get('event-of-gone')).toBeUndefined()
})

test('a reopened and finished order is evicted together with its events', () => {
  const { ledger, move, cancelled } = openLedger()
  cancelled('back')
  for (let number = 0; number < 2000; number++) cancelled(`a-${number}`)
  move('back', 'CANCELLED', 'CONFIRMED')
  move('back', 'CONFIRMED', 'CANCELLED')
  for (let number = 0; number < 2000; number++) cancelled(`b-${number}`)
  expect(ledger.orders.get('back')).toBeDefined()
  expect(ledger.events.get('event-of-back')).toBeDefined()
})
