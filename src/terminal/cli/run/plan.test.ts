/** Planning of runs: shards, repetitions, seeds and configuration. */
import { expect, test } from 'vitest'
import { checkSchema } from '../../../core/runtime/files/schema-errors.ts'
import { readRuns } from '../../../core/scenario/read.ts'
import type { LoadedRun } from './load-scenarios.ts'
import { planRuns, type PlanOptions, shiftedSeedNotice } from './plan.ts'

function loaded(name: string, more: object = {}): readonly LoadedRun[] {
  const steps = [{ create: 'o1' }]
  const runs = readRuns({ name, about: 'b', orders: { o1: {} }, steps, ...more }, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  return runs.value.map((run) => ({
    file: `${name}.yaml`,
    run,
    placeOf: () => ({ line: 4, column: 5 }),
  }))
}

const plan = (all: readonly LoadedRun[], wishes: Partial<PlanOptions> = {}) =>
  planRuns(all, { base: {}, ...wishes }).runs

const titles = (all: readonly LoadedRun[], wishes?: Partial<PlanOptions>): readonly string[] =>
  plan(all, wishes).map((each) => each.loaded.run.title)

const four = ['a', 'b', 'c', 'd'].flatMap((name) => loaded(name))

test('shards partition the runs, and runs of one group stay together', () => {
  const shards = [1, 2, 3].map((part) => titles(four, { shard: { part, of: 3 } }))
  expect(shards).toEqual([['a', 'd'], ['b'], ['c']])
  const grouped = [
    ...loaded('x', { variants: { channels: ['polling', 'webhook'] } }),
    ...loaded('y'),
  ]
  expect(titles(grouped, { shard: { part: 1, of: 2 } })).toEqual(['x [polling]', 'x [webhook]'])
  expect(titles(grouped, { shard: { part: 2, of: 2 } })).toEqual(['y'])
})

test('--channel selects the runs by that channel, and says how many it leaves out, as --grep does', () => {
  const polls = loaded('polls')
  const all = [
    ...polls,
    ...loaded('every', { variants: { channels: ['polling', 'webhook', 'both'] } }),
    ...loaded('hears', { channel: 'webhook' }),
  ]
  const chosen = (wishes: Partial<PlanOptions>) => planRuns(all, { base: {}, ...wishes })
  expect(titles(all, { channel: 'polling' })).toEqual(['polls', 'every [polling]'])
  expect(titles(all, { channel: 'webhook' })).toEqual(['every [webhook]', 'hears'])
  expect(chosen({}).notSelected).toEqual([])
  expect(chosen({ channel: 'polling', grep: 'EVERY' }).notSelected).toEqual([
    { runs: 3, because: 'by another channel than polling' },
    { runs: 1, because: 'without "EVERY" in the title' },
  ])
  expect(() => planRuns(polls, { base: {}, channel: 'both' })).toThrow(
    'looking for runs: all are by another channel than both. There are "polls" (polling).',
  )
})

test('a shard without a run is refused, because it would look like one that passed', () => {
  expect(() => titles(four, { shard: { part: 5, of: 5 } })).toThrow(
    'there is nothing to play in 5/5: 4 runs make fewer parts. Ask for fewer parts, or name a file with --out.',
  )
})

test('with --repeat the whole list of runs is repeated, not each run in place', () => {
  expect(titles(four.slice(0, 2), { repeat: 2 })).toEqual(['a', 'b', 'a', 'b'])
  expect(plan(four.slice(0, 2), { repeat: 2 }).map(({ repetition }) => repetition)).toEqual([
    1, 1, 2, 2,
  ])
})

test('a subject that may remember ids gets a fresh seed in each run, except where a seed is declared', () => {
  const all = [...loaded('a'), ...loaded('b', { seed: 7 }), ...loaded('n', { subject: 'none' })]
  const seeds = (wishes: Partial<PlanOptions>): readonly number[] =>
    plan(all, wishes).map(({ seed }) => seed)
  expect(seeds({ freshFrom: 100 })).toEqual([100, 7, 42])
  expect(seeds({ freshFrom: 100, seed: 5 })).toEqual([5, 6, 5])
  expect(seeds({})).toEqual([42, 7, 42])
})

test('the own seed of a scenario is kept, except where the same subject would see its ids twice', () => {
  const pinned = loaded('b', { seed: 7, variants: { channels: ['polling', 'webhook'] } })
  const of = (wishes: Partial<PlanOptions>) => plan(pinned, { freshFrom: 1, repeat: 2, ...wishes })
  const started = of({ start: 'npm start' })
  expect(started.map(({ seed }) => seed)).toEqual([7, 7, 7, 7])
  expect(shiftedSeedNotice(started)).toBeUndefined()
  const running = of({})
  expect(running.map(({ seed }) => seed)).toEqual([7, 8, 9, 10])
  expect(running.map(({ input }) => input.seed)).toEqual([7, 8, 9, 10])
  expect(shiftedSeedNotice(running)).toBe(
    'your service goes on from run to run and may remember ids, so a seed that a scenario says is not played twice: "b [webhook]" has 8 in place of 7, and 2 more. With --start it is played unchanged.',
  )
  expect(shiftedSeedNotice(plan(pinned.slice(0, 1), { freshFrom: 1 }))).toBeUndefined()
})

test('the scenario overrides the configuration; unset values get the defaults of scenarios', () => {
  const counterparts = {
    'ordering-application': { behaviour: 'slow', concludeAfter: '9s' },
  } as const
  const session = { counterparts: { 'ordering-application': { behaviour: 'hostile' } } }
  const base = { counterparts, faults: ['flaky-network'] }
  const [one] = plan(loaded('a', { session, faults: [{ drop: {} }] }), { base })
  const ordering = one!.configuration.counterparts['ordering-application']
  expect(ordering).toMatchObject({
    behaviour: 'hostile',
    concludeAfter: 9000,
    deliveries: false,
    channel: 'polling',
  })
  expect(one!.configuration.capabilities).toMatchObject({
    orders: true,
    indoor: false,
    customer: false,
  })
  expect(one!.configuration.faults).toEqual(['flaky-network', { drop: {} }])
  expect(one!.configuration.subject.role).toBe('software-service')
})

test('what needs --start is rejected before the first run, and left out where there is more', () => {
  const steps = [{ create: 'o1' }]
  const needy = [
    ...loaded('step', { steps: [...steps, { 'restart-subject': true }] }),
    ...loaded('fault', { faults: ['crash:event=CREATED'] }),
    ...loaded('later', { steps: [...steps, { fault: { crash: { when: 'during-call' } } }] }),
  ]
  for (const one of needy)
    expect(() => plan([one])).toThrow(
      `playing ${one.file}:4:5: only who started your service can start it again`,
    )
  const all = [...needy, ...loaded('plain', { faults: [{ drop: {} }] })]
  expect(titles(all, { start: 'x' })).toEqual(['step', 'fault', 'later', 'plain'])
  expect(titles(all)).toEqual(['plain'])
  expect(planRuns(all, { base: {} }).notSelected).toEqual([
    { runs: 3, because: 'of a service that is ended and started again (--start)' },
  ])
})

test('what concerns other roles is left out and summed up, whether the role was named or is the usual one', () => {
  const all = [
    ...loaded('pos'),
    ...loaded('crm', { subject: 'crm' }),
    ...loaded('second crm', { subject: 'crm' }),
    ...loaded('ours', { subject: 'none' }),
  ]
  expect(titles(all)).toEqual(['pos', 'ours'])
  expect(titles(all, { as: 'crm' })).toEqual(['crm', 'second crm', 'ours'])
  expect(titles(all, { base: { subject: { role: 'crm' } } })).toEqual(titles(all, { as: 'crm' }))
  expect(planRuns(all, { base: {} }).notSelected).toEqual([
    { runs: 2, because: 'about another role than software-service (--as)' },
  ])
  expect(titles(loaded('crm', { subject: 'crm' }))).toEqual(['crm'])
  expect(() => titles(loaded('crm', { subject: 'crm' }), { as: 'delivery-platform' })).toThrow(
    'all are about another role than delivery-platform (--as). There are "crm" (polling).',
  )
})
