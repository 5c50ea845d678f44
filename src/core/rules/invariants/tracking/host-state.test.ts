/** Memory is bounded: orders that ended long ago are evicted with their events. */
import { expect, test } from 'vitest'
import { apply, type Fact } from '../../../engine/fact.ts'
import type { JournalEntry } from '../../../engine/journal.ts'
import { createWorld } from '../../../engine/world.ts'
import type { OrderStatus } from '../../../protocol/orders/order.ts'
import { createdFacts } from '../../../../../test/support/created-facts.ts'
import { factHandlerOf } from './fact-handlers.ts'
import { HostState } from './host-state.ts'

/** A host state, fed with facts at distinct instants. */
function openLedger() {
  const world = createWorld()
  const ledger = new HostState(world, { subject: 'software-service', merchants: new Set() })
  let seq = 0
  function tell(fact: Fact, by: JournalEntry['by'] = 'session'): void {
    apply(world, fact, ++seq)
    factHandlerOf(ledger.facts, fact.kind)?.(fact, { seq, at: seq, by, cause: 0, fact })
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

test('open orders and the last 4,000 finished ones are retained', () => {
  const { ledger, tell, move } = openLedger()
  for (let number = 0; number < 4610; number++) {
    const orderId = `o-${number}`
    for (const fact of createdFacts(orderId)) tell(fact)
    if (number < 10) continue
    move(orderId, 'CREATED', 'CANCELLED')
  }
  // Of 4,600 finished orders the first 600 were evicted.
  const { orders, events } = ledger
  expect([orders.values().length, events.values().length]).toEqual([4010, 4010])
  expect(orders.get('o-9')).toBeDefined()
  expect(events.get('event-of-o-9')).toBeDefined()
  expect(orders.get('o-609')).toBeUndefined()
  expect(events.get('event-of-o-609')).toBeUndefined()
  expect(orders.get('o-610')?.hostStatus).toBe('CANCELLED')
  expect(events.get('event-of-o-610')?.order).toBe(orders.get('o-610'))
  expect(ledger.hasEvicted()).toBe(true)
})

test('an order waits for a progress request of an operator; those of the subject are observed as exchanges', () => {
  const { ledger, tell } = openLedger()
  for (const orderId of ['a', 'b']) for (const fact of createdFacts(orderId)) tell(fact)
  tell({ kind: 'order.requested', orderId: 'a', trigger: 'confirm' }, 'operator')
  tell({ kind: 'order.requested', orderId: 'b', trigger: 'confirm' }, 'subject')
  expect(['a', 'b'].map((id) => ledger.orders.get(id)?.waits !== undefined)).toEqual([true, false])
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
