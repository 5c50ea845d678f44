// @module-tag slow
/**
 * Autonomous behaviour of the Delivery Platform and its consumers in each profile, and that every run terminates.
 */
import { describe, expect, test } from 'vitest'
import { openLogisticsWire } from '../../../../test/support/logistics-wire.ts'
import { isSoak, runsFor } from '../../../../test/support/soak.ts'
import { behaviourNames, type BehaviourName } from './behaviour.ts'
import type { Session } from '../../session-api/session.ts'
import type { SessionOptions } from '../../session/options.ts'
import { openSession } from '../../session/open-session.ts'

const ends: readonly string[] = ['DELIVERED', 'CANCELLED', 'FAILED']

/** Runs this many deliveries, all ready at once, to their end; returns statuses, steps and counts. */
async function deliver(behaviour: BehaviourName, count: number) {
  await using wire = await openLogisticsWire({
    counterparts: { 'delivery-platform': { behaviour } },
  })
  await wire.pass(0)
  for (let number = 0; number < count; number++) {
    await wire.create(`o${number}`)
    await wire.ask(`o${number}`, 'ready-for-pickup')
  }
  await wire.session.settle()
  const statuses = []
  for (let number = 0; number < count; number++)
    statuses.push((await wire.read(`o${number}`)).status)
  const moves = wire.session.facts().filter(({ fact }) => fact.kind === 'delivery.moved')
  return {
    statuses,
    steps: wire.facts('delivery.progressed').map(({ step }) => step),
    problems: wire.facts('delivery.problem').length,
    took: (moves.at(-1)?.at ?? 0) - (moves[0]?.at ?? 0),
    rejected: wire.hooks.filter(({ json }) => json['eventType'] === 'REJECTED').length,
  }
}
const count = (statuses: readonly string[], status: string) =>
  statuses.filter((each) => each === status).length

describe('behaviours', () => {
  test('prompt: every order is delivered with every step', async () => {
    const { statuses, steps, problems, took } = await deliver('prompt', 20)
    expect(count(statuses, 'DELIVERED')).toBe(20)
    expect(problems).toBe(0)
    for (const step of ['at-store', 'half-way', 'at-customer']) expect(count(steps, step)).toBe(20)
    expect(took).toBeLessThan(120_000)
  })

  test('slow: every order is delivered, in more than twice the time', async () => {
    const prompt = await deliver('prompt', 5)
    const slow = await deliver('slow', 5)
    expect(count(slow.statuses, 'DELIVERED')).toBe(5)
    expect(slow.took).toBeGreaterThan(prompt.took * 2)
  })

  test('forgetful: some steps are not reported, and some problems occur', async () => {
    const { statuses, steps, problems } = await deliver('forgetful', 40)
    expect(count(statuses, 'DELIVERED')).toBe(40)
    expect(count(steps, 'half-way')).toBeLessThan(30)
    expect(count(steps, 'half-way')).toBeGreaterThan(10)
    expect(problems).toBeGreaterThan(1)
  })

  test('[LOG-TRA-07] hostile: some deliveries are rejected, some fail, and all end in a final status', async () => {
    const { statuses, rejected } = await deliver('hostile', 60)
    for (const status of ends) expect(count(statuses, status)).toBeGreaterThan(3)
    expect(statuses.every((status) => ends.includes(status))).toBe(true)
    expect(rejected).toBe(count(statuses, 'CANCELLED'))
  })
})

test('deliveries are balanced: no courier gets a second one while another has none', async () => {
  await using wire = await openLogisticsWire()
  await wire.pass(0)
  for (let number = 0; number < 12; number++) {
    await wire.create(`o${number}`)
    await wire.bring(`o${number}`, 'ASSIGNED')
  }
  const couriers = wire.facts('delivery.moved').map(({ courier }) => courier?.id)
  expect(new Set(couriers).size).toBe(12)
  // A courier is free again after a delivery.
  await wire.bring('o7', 'IN_TRANSIT')
  await wire.session.submit({ kind: 'delivery.apply', orderId: 'o7', trigger: 'delivered' })
  await wire.create('another')
  await wire.bring('another', 'ASSIGNED')
  expect((await wire.read('another')).courier).toMatchObject({
    name: wire.facts('delivery.moved').find(({ orderId }) => orderId === 'o7')?.courier?.name,
  })
})

/** Orders of a mixed run, of which every third at least is delivered. */
const mixed = runsFor(15, 60)

/** A session with all four roles and all order types, in this behaviour. */
async function mixedRun(seed: number, behaviour: BehaviourName, options: SessionOptions = {}) {
  const session = await openSession({
    seed,
    clock: 'virtual',
    listen: false,
    capabilities: { indoor: false, customer: false },
    ...options,
    counterparts: {
      'ordering-application': { behaviour, orders: { every: 700, limit: mixed } },
      'software-service': { behaviour: behaviour === 'hostile' ? 'hostile' : 'prompt' },
      'delivery-platform': { behaviour, ...options.counterparts?.['delivery-platform'] },
    },
  })
  await session.settle()
  return session
}

const journal = (session: Session) =>
  session.facts().map(({ at, fact }) => `${at} ${JSON.stringify(fact)}`)

describe('a mixed run', () => {
  test.each(behaviourNames)(
    '%s: every delivery ends, independent of the order’s status',
    async (name) => {
      await using session = await mixedRun(7, name)
      const { entities } = await session.look({ entities: { kind: 'delivery', limit: 500 } })
      const { orders } = await session.look({ orders: { limit: 500 } })
      expect(entities.length).toBeGreaterThanOrEqual(mixed / 3)
      const open = entities.filter(({ status, text }) => {
        const isOver = [...ends, 'NO_PLATFORM', 'OVER'].includes(status)
        return !isOver && !text.includes('support')
      })
      expect(open).toEqual([])
      const deliveries = orders.filter(({ profile }) => profile === 'DELIVERY')
      expect(deliveries.length).toBeGreaterThanOrEqual(mixed / 3)
      // No delivery event contains an order status.
      for (const { fact } of session.facts())
        if (fact.kind === 'event.announced' && fact.event.from === 'delivery-platform')
          expect(JSON.stringify(fact.event.body)).not.toMatch(/CONCLUDED|IN_DELIVERY|PREPARING/)
    },
  )

  test('every delivery ends in pull mode too, without delivery events', async () => {
    await using session = await mixedRun(7, 'prompt', {
      counterparts: { 'delivery-platform': { trackingMode: 'pull' } },
    })
    const { entities } = await session.look({ entities: { kind: 'delivery', limit: 500 } })
    expect(entities.filter(({ status }) => status !== 'DELIVERED')).toEqual([])
    const kinds = new Set(session.facts().map(({ fact }) => fact.kind))
    expect(kinds).toContain('shipment.read')
    expect(kinds).not.toContain('shipment.heard')
  })

  // The golden journals show it with every run of the tests.
  test.runIf(isSoak)(
    'equal seeds give equal journals, different seeds different ones',
    async () => {
      await using one = await mixedRun(3, 'hostile')
      await using same = await mixedRun(3, 'hostile')
      await using other = await mixedRun(4, 'hostile')
      const entries = journal(one)
      expect(entries.length).toBeGreaterThan(30 * mixed)
      expect(journal(same)).toEqual(entries)
      expect(journal(other)).not.toEqual(entries)
    },
  )
})
