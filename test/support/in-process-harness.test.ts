/** The in-process harness: both sides in one process, on one virtual clock. */
import { expect, test } from 'vitest'
import { openHarness } from './in-process-harness.ts'

test('an order completes on the virtual clock, and the same seed gives the same journal', async () => {
  const journals: string[] = []
  for (let run = 0; run < 2; run++) {
    await using harness = await openHarness({ seed: 7 })
    const orderId = await harness.order('DELIVERY')
    await harness.pass(120_000)
    expect(await harness.status(orderId)).toBe('CONCLUDED')
    journals.push(JSON.stringify(harness.session.facts()))
  }
  expect(journals[0]).toBe(journals[1])
})

test('works by webhook, and the journal records the hit of a duplication fault', async () => {
  await using harness = await openHarness({
    channel: 'webhook',
    faults: [{ duplicate: { event: 'CONFIRMED' } }],
  })
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(120_000)
  expect(await harness.status(orderId)).toBe('CONCLUDED')
  const facts = harness.session.facts().map(({ fact }) => fact)
  expect(facts.filter(({ kind }) => kind === 'fault.fired')).toMatchObject([
    { name: 'duplicate', on: 'ev(o1,CONFIRMED,webhook)' },
  ])
})
