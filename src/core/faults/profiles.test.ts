// @module-tag slow
/** Every profile consists of known, conformant faults and leaves orders recoverable. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { faultPort } from './port.ts'
import { faultCatalogue } from './catalogue.ts'
import { faultProfiles } from './profiles.ts'

const names = Object.keys(faultProfiles)

test('there are at least twelve profiles, and none has the name of a fault', () => {
  expect(names.length).toBeGreaterThanOrEqual(12)
  expect(names.filter((name) => faultCatalogue.some((fault) => fault.name === name))).toEqual([])
})

test.each(names)('%s has a summary, and each of its faults is known and conformant', (name) => {
  expect(faultProfiles[name]?.summary).toMatch(/^[a-z].{20,130}[^.]$/)
  const checked = faultPort.check(name)
  if (!checked.ok) throw new Error(checked.error.message)
  expect(checked.value.length).toBeGreaterThan(0)
  expect(checked.value.filter(({ legal }) => !legal)).toEqual([])
})

test('the scenario of every weather plays each with a correct service, to the end of its orders', () => {
  const scenario = readFileSync('scenarios/every-kind-of-weather.yaml', 'utf8')
  expect(Array.from(scenario.matchAll(/^  - \{ name: (\S+) \}$/gm), ([, name]) => name)).toEqual(
    names,
  )
})

/** In this profile the first order is lost by design; the others must not be affected. */
const losesFirst = new Set(['failing-order'])

test.each(names)(
  'a correct service completes its orders under %s',
  { tags: ['nightly'] },
  async (name) => {
    await using duel = await openHarness({ seed: 3, channel: 'both', faults: [name] })
    const orders: string[] = []
    for (const type of ['DELIVERY', 'TAKEOUT', 'DELIVERY'] as const)
      orders.push(await duel.order(type))
    await duel.pass(4000)
    const cancelled = await duel.order('TAKEOUT')
    orders.push(cancelled)
    await duel.pass(800)
    await duel.session.submit({ kind: 'order.apply', orderId: cancelled, trigger: 'cancel' })
    await duel.pass(90_000)
    await duel.session.submit({ kind: 'fault.end' })
    await duel.pass(120_000)
    const wanted = losesFirst.has(name) ? orders.slice(1) : orders
    const statuses = await Promise.all(wanted.map((orderId) => duel.status(orderId)))
    expect(statuses).toEqual(wanted.map(() => 'CONCLUDED'))
    const { faults: rows } = await duel.session.look({ faults: true })
    expect(rows.some(({ fired }) => fired > 0)).toBe(true)
  },
)
