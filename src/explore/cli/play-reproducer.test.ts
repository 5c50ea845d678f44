// @module-tag slow
/** A reproducer that a real campaign found, played step by step in the ordinary dashboard. */
import { expect, test, vi } from 'vitest'
import { driveDashboardOn } from '../../../test/support/dashboard/drive.ts'
import { exploreReference } from '../../../test/support/explore-reference.ts'
import {
  exploredAsks,
  keptScenarioOf,
  openWithService,
} from '../../../test/support/opened-reproducer.ts'
import { writtenWorkloads } from '../../../test/support/written-workloads.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { openReproducer } from './play-reproducer.ts'

const defects = ['never-reconciles'] as const

const open = (scenario: ScenarioInput) =>
  openReproducer({
    scenario,
    seed: 7,
    open: (request) => openWithService(request, defects),
    asks: exploredAsks,
  })

test('the faults of a bucket are active, its order is placed, and stepping shows the broken rule', async () => {
  const { buckets } = await exploreReference({
    defects: [...defects],
    maxRuns: 2,
    seed: 21,
    workloads: writtenWorkloads('software-service', ['takeout']),
  })
  const bucket = buckets.find(({ schedule: { faults } }) => faults.length === 1)
  if (!bucket) throw new Error('the campaign found nothing')
  await using reproducer = await open(keptScenarioOf(bucket))
  const { session } = reproducer
  await vi.waitFor(async () => expect((await session.look({})).info.counts.orders).toBe(1))
  const { info } = await session.look({})
  expect(info.clock.mode).toBe('stepped')
  expect(session.faults.list()).toMatchObject([{ name: bucket.schedule.faults[0]?.name }])

  const screen = await driveDashboardOn(session)
  expect(screen.lines()[0]).toMatch(/HOLD/)
  const begin = info.clock.now
  await screen.press('n')
  const stepped = (await session.look({})).info.clock.now
  expect(stepped).toBeGreaterThanOrEqual(begin)
  // Nothing happens by itself: the order is as it was.
  expect(session.verdicts()).toEqual([])
  const isOver = (): boolean => session.verdicts().some(({ id }) => id === bucket.rule)
  for (let presses = 0; presses < 60 && !isOver(); presses++) await screen.press('A')
  expect(session.verdicts().map(({ id }) => id)).toContain(bucket.rule)
  await screen.press('v')
  expect(screen.text()).toContain(bucket.rule)
  // The faults end after the steps, as when the scenario is run.
  await reproducer.played
  expect(reproducer.failure()).toBeUndefined()
  expect(session.faults.list().every(({ over }) => over !== undefined)).toBe(true)
})

test('orders are placed and steps are made when session time has come to them', async () => {
  await using reproducer = await open({
    name: 'later',
    about: 'Two orders, and a cancellation.',
    subject: 'software-service',
    channel: 'both',
    orders: { o1: { type: 'DELIVERY', at: '0s' }, o2: { type: 'TAKEOUT', at: '5s' } },
    faults: [],
    steps: [
      { advance: '8s' },
      {
        trigger: {
          order: 'o2',
          move: 'cancel',
          code: 'CONSUMER_CANCELLATION_REQUESTED',
          reason: 'the customer changed their mind',
        },
      },
    ],
  })
  const { session } = reproducer
  const orders = async () => (await session.look({ orders: { limit: 9 } })).orders
  await vi.waitFor(async () => expect(await orders()).toHaveLength(1))
  await session.advance(4900)
  expect(await orders()).toHaveLength(1)
  await session.advance(200)
  await vi.waitFor(async () => expect(await orders()).toHaveLength(2))
  await session.advance(2000)
  const requested = () =>
    session.facts().filter(({ fact }) => 'trigger' in fact && fact.trigger === 'cancel')
  expect(requested()).toHaveLength(0)
  await session.advance(1000)
  await reproducer.played
  expect(requested()).toHaveLength(1)
})

test('a step that is refused is reported with its text, and a scenario that is several runs is refused', async () => {
  const scenario: ScenarioInput = {
    name: 'refused',
    about: 'There is no such order.',
    subject: 'software-service',
    orders: { o1: { type: 'TAKEOUT', at: '0s' }, o2: { type: 'TAKEOUT', at: '1h' } },
    steps: [{ trigger: { order: 'o2', move: 'confirm' } }],
  }
  await using reproducer = await open(scenario)
  await reproducer.played
  expect(reproducer.failure()).toMatch(/o2.*: there is no o2 yet/)
  await expect(
    open({ ...scenario, variants: { channels: ['polling', 'webhook'] } }),
  ).rejects.toThrow(/playing the reproducer "refused": it is 2 runs/)
})
