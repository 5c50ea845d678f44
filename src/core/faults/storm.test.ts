// @module-tag slow
/**
 * A storm over both sides in one process: it acts at every fault point, leaves every order recoverable, and is
 * deterministic.
 */
import { expect, test } from 'vitest'
import type { Fact } from '../engine/fact.ts'
import { journalText } from '../engine/journal.ts'
import { type InProcessHarness, openHarness } from '../../../test/support/in-process-harness.ts'
import { faultCatalogue } from './catalogue.ts'

type Fired = Extract<Fact, { kind: 'fault.fired' }>

const firedIn = ({ session }: InProcessHarness): readonly Fired[] =>
  session.facts().flatMap(({ fact }) => (fact.kind === 'fault.fired' ? [fact] : []))

async function runStorm(harness: InProcessHarness): Promise<readonly (string | undefined)[]> {
  const orders: string[] = []
  for (const type of ['DELIVERY', 'TAKEOUT', 'INDOOR', 'DELIVERY'] as const)
    orders.push(await harness.order(type))
  await harness.pass(150_000)
  await harness.session.submit({ kind: 'fault.end' })
  await harness.pass(150_000)
  return Promise.all(orders.map((orderId) => harness.status(orderId)))
}

test('[ORD-GEN-02] the same seed gives the same journal byte for byte, and another seed does not', async () => {
  const journal = async (seed: number): Promise<string> => {
    await using harness = await openHarness({ seed, channel: 'both', faults: ['storm:percent=20'] })
    await runStorm(harness)
    return journalText(harness.session.facts())
  }
  const first = await journal(5)
  expect(await journal(5)).toBe(first)
  expect(await journal(6)).not.toBe(first)
})

test.each(['polling', 'webhook', 'both'] as const)(
  'by %s every order is recoverable in any storm: a correct service brings it to its end',
  async (channel) => {
    for (let seed = 1; seed <= 2; seed++) {
      await using harness = await openHarness({
        seed,
        channel,
        delivers: seed % 2 === 0,
        faults: ['storm'],
      })
      expect(await runStorm(harness), `seed ${seed}`).toEqual(Array(4).fill('CONCLUDED'))
    }
  },
)

test('faults that no correct partner causes are not drawn by a storm, unless configured', async () => {
  const names = async (spec: string, seeds: number): Promise<ReadonlySet<string>> => {
    const all = new Set<string>()
    for (let seed = 1; seed <= seeds; seed++) {
      await using harness = await openHarness({ seed, channel: 'both', faults: [spec] })
      await runStorm(harness)
      const fired = firedIn(harness)
      for (const { name, legal, text } of fired) {
        all.add(name)
        if (!spec.includes('robustness')) expect({ text, legal }).toEqual({ text, legal: true })
      }
    }
    return all
  }
  const conformant = await names('storm:percent=40', 2)
  const never = faultCatalogue.filter(({ legal }) => legal === false).map(({ name }) => name)
  expect([...never, 'ghost'].filter((name) => conformant.has(name))).toEqual([])
  // All kinds of fault points are hit, and most of the faults are drawn within a few runs.
  expect(conformant.size).toBeGreaterThan(16)
  const harsh = await names('storm:even=robustness,percent=40', 1)
  expect(never.filter((name) => harsh.has(name)).length).toBeGreaterThan(1)
})

test('only and except select the faults of a storm', async () => {
  await using phone = await openHarness({ faults: ['storm:only=ghost,percent=60'] })
  await runStorm(phone)
  expect(new Set(firedIn(phone).map(({ name }) => name))).toEqual(new Set(['ghost']))
  await using some = await openHarness({ faults: ['storm:only=duplicate|reorder,percent=60'] })
  await runStorm(some)
  expect(new Set(firedIn(some).map(({ name }) => name))).toEqual(new Set(['duplicate', 'reorder']))
  await using others = await openHarness({
    faults: ['storm:except=fail|hang|reset|truncate,percent=60'],
  })
  await runStorm(others)
  const names = new Set(firedIn(others).map(({ name }) => name))
  expect(['fail', 'hang', 'reset', 'truncate'].filter((name) => names.has(name))).toEqual([])
  expect(names.size).toBeGreaterThan(5)
})

test('a storm takes the common options: an order, a channel, a duration', async () => {
  await using harness = await openHarness({
    channel: 'both',
    faults: ['storm:order=o2,percent=80,for=1m'],
  })
  await runStorm(harness)
  const fired = firedIn(harness)
  expect(fired.length).toBeGreaterThan(5)
  for (const { on } of fired) expect(on).toMatch(/o\d/)
  expect(
    fired.filter(
      ({ on }) => /^(ev|effect|req|call)\(.*\bo[134]\b/.test(on) && !on.includes('Events'),
    ),
  ).toEqual([])
  const { faults: rows } = await harness.session.look({ faults: true })
  expect(rows).toMatchObject([{ over: 'expired', fired: fired.length }])
})

test('now and then a call fails until its caller gives up; the next one is let through', async () => {
  const isOutlasting = ({ text }: Fired): boolean => text?.includes('burst=outlast') === true
  const outlasted = new Map<string, readonly Fired[]>()
  for (let seed = 1; seed <= 3; seed++) {
    await using harness = await openHarness({ seed, channel: 'both', faults: ['storm:percent=20'] })
    expect(await runStorm(harness), `seed ${seed}`).toEqual(Array(4).fill('CONCLUDED'))
    for (const [on, fired] of Map.groupBy(firedIn(harness).filter(isOutlasting), (each) => each.on))
      outlasted.set(`${seed} ${on}`, fired)
  }
  // A correct service tries a few times; what comes after its last try is met as well.
  const tries = [...outlasted.values()].map(({ length }) => length)
  expect(Math.max(...tries)).toBeGreaterThan(3)
  // All tries of a call meet the same fault, on calls about one order alone.
  for (const [on, fired] of outlasted) {
    expect(new Set(fired.map(({ text }) => text)).size).toBe(1)
    expect(on).toMatch(/^\d (req|call)\(\w+,o\d/)
  }
})

test('a burst of its own leaves no call to be outlasted', async () => {
  await using harness = await openHarness({ channel: 'both', faults: ['storm:percent=60,burst=2'] })
  await runStorm(harness)
  expect(firedIn(harness).filter(({ text }) => text?.includes('outlast'))).toEqual([])
})
