/** The ground that tests of faults and invariants stand on: both sides in one process, on one clock. */
import { expect, test } from 'vitest'
import { openDuel } from './in-process-harness.ts'

test('an order goes its whole way on the virtual clock, and the same seed tells the same story', async () => {
  const journals: string[] = []
  for (let run = 0; run < 2; run++) {
    await using duel = await openDuel({ seed: 7 })
    const orderId = await duel.order('DELIVERY')
    await duel.pass(120_000)
    expect(await duel.status(orderId)).toBe('CONCLUDED')
    journals.push(JSON.stringify(duel.session.facts()))
  }
  expect(journals[0]).toBe(journals[1])
})

test('by webhook as well, and a fault that duplicates an event is told in the journal', async () => {
  await using duel = await openDuel({
    channel: 'webhook',
    faults: [{ duplicate: { event: 'CONFIRMED' } }],
  })
  const orderId = await duel.order('TAKEOUT')
  await duel.pass(120_000)
  expect(await duel.status(orderId)).toBe('CONCLUDED')
  const facts = duel.session.facts().map(({ fact }) => fact)
  expect(facts.filter(({ kind }) => kind === 'fault.fired')).toMatchObject([
    { name: 'duplicate', on: 'ev(o1,CONFIRMED,webhook)' },
  ])
})
