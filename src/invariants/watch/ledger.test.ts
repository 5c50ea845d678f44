/** What a judge keeps in mind has a bound: orders that are long over are forgotten, and their events with them. */
import { expect, test } from 'vitest'
import type { Fact } from '../../engine/fact.ts'
import { createWorld } from '../../engine/world.ts'
import { createdFacts } from '../../testing/created-facts.ts'
import { keepOf } from './keeps.ts'
import { createLedger } from './ledger.ts'

test('open orders are kept, and of those that are over the last two thousand', () => {
  const ledger = createLedger(createWorld(), 'software-service')
  let seq = 0
  const tell = (fact: Fact): void =>
    keepOf(ledger.facts, fact.kind)?.(fact, { seq: ++seq, at: seq, by: 'session', cause: 0, fact })
  for (let number = 0; number < 2500; number++) {
    const orderId = `o-${number}`
    for (const fact of createdFacts(orderId)) tell(fact)
    if (number < 10) continue
    tell({ kind: 'order.moved', orderId, trigger: 'cancel', from: 'CREATED', to: 'CANCELLED' })
  }
  expect(ledger.orders.size).toBe(2010)
  expect(ledger.events.size).toBe(2010)
  expect(ledger.orders.has('o-9')).toBe(true)
  expect(ledger.orders.has('o-10')).toBe(false)
  expect(ledger.events.has('event-of-o-10')).toBe(false)
})
