/** Scenario derived from a recording: a readable file that reproduces the recording. */
import { expect, test } from 'vitest'
import { checkSchema } from '../../core/runtime/files/schema-errors.ts'
import { playInProcess } from '../../../test/support/play-scenario-in-process.ts'
import { cancelled, placed } from '../../../test/support/order-stories.ts'
import { recordHarness } from '../../../test/support/recorded-session.ts'
import { readRuns } from '../../core/scenario/read.ts'
import { decisionsOf } from './decisions.ts'
import { scenarioOf } from './scenario-of.ts'
import { scenarioText } from './scenario-text.ts'

async function cancelledOrder() {
  const { content } = await recordHarness(
    { faults: [{ duplicate: { event: 'CREATED' } }] },
    cancelled({
      afterMs: 4200,
      restMs: 60_000,
      metadata: { code: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'changed' },
    }),
  )
  return content
}

test('steps contain the decisions with delays and preconditions, and sources name their exchanges', async () => {
  const content = await cancelledOrder()
  const { scenario, sources, warnings } = scenarioOf(decisionsOf(content), {
    name: 'The consumer cancels',
    timing: 'original',
  })
  expect(warnings).toEqual([])
  expect(scenario).toMatchObject({
    name: 'The consumer cancels',
    subject: 'software-service',
    channel: 'polling',
    faults: [{ duplicate: { event: 'CREATED', order: 'o1' } }],
    expect: { statuses: { o1: 'CONCLUDED' }, acknowledged: 'all' },
  })
  const { steps = [] } = scenario
  expect(steps.slice(0, 3)).toEqual([
    { await: { call: 'pollingEvents', within: '30s' } },
    { advance: '2s' },
    { create: 'o1' },
  ])
  expect(steps).toContainEqual({
    trigger: {
      order: 'o1',
      move: 'cancel',
      code: 'CONSUMER_CANCELLATION_REQUESTED',
      reason: 'changed',
    },
  })
  const known = new Set(content.exchanges.map(({ recordId }) => recordId))
  for (const [place, recordIds] of sources) {
    expect(steps[place]).toBeDefined()
    expect(recordIds.every((id) => known.has(id))).toBe(true)
  }
})

test('merchants of a real partner are those of the scenario; made-up ones are not listed', async () => {
  const decisions = decisionsOf(await cancelledOrder())
  const options = { name: 'Another partner', timing: 'original' } as const
  expect(scenarioOf(decisions, options).scenario.session?.merchants).toBeUndefined()
  const merchant = { id: 'm-1', name: 'Cantina', externalCode: 'LOJA-9' }
  const orders = decisions.orders.map((order) => ({
    ...order,
    document: { ...order.document, merchant },
  }))
  const { scenario } = scenarioOf({ ...decisions, orders }, options)
  expect(scenario.session?.merchants).toEqual([merchant])
  const runs = readRuns(scenario, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  expect((await playInProcess(runs.value[0]!)).failures).toEqual([])
})

test('timing asap has no delays, and timing 10 has a tenth of each', async () => {
  const decisions = decisionsOf(await cancelledOrder())
  const pausesOf = (timing: 'asap' | 'original' | number) =>
    (scenarioOf(decisions, { name: 'x', timing }).scenario.steps ?? []).flatMap(
      ({ advance }) => advance ?? [],
    )
  expect(pausesOf('asap')).toEqual([])
  expect(pausesOf('original')[0]).toBe('2s')
  expect(pausesOf(10)[0]).toBe('200ms')
})

test('the file is valid, and the recorded service passes it', async () => {
  const { text, warnings } = scenarioText(await cancelledOrder())
  expect(warnings).toEqual([])
  expect(text).toContain('  - create: o1\n')
  const { scenario } = scenarioOf(decisionsOf(await cancelledOrder()), {
    name: 'again',
    timing: 'original',
  })
  const runs = readRuns(scenario, checkSchema)
  if (!runs.ok) throw new Error('it is no scenario')
  const [run] = runs.value
  const outcome = await playInProcess(run!)
  expect(outcome.failures).toEqual([])
  expect(outcome.result).toBe('passed')
})

test('a service with a defect fails the derived scenario', async () => {
  const { content } = await recordHarness({}, placed('TAKEOUT', 60_000))
  const { scenario } = scenarioOf(decisionsOf(content), { name: 'calm', timing: 'asap' })
  const runs = readRuns(scenario, checkSchema)
  if (!runs.ok) throw new Error('it is no scenario')
  const outcome = await playInProcess(runs.value[0]!, { defects: ['never-acks'] })
  expect(outcome.result).toBe('failed')
  expect(outcome.failures.map(({ because }) => because).join()).toContain('acknowledged')
})

test('an order without a document is generated, with a warning', async () => {
  const { content } = await recordHarness({}, async (harness) => {
    await harness.order('TAKEOUT')
    await harness.pass(60_000)
  })
  const exchanges = content.exchanges.filter(({ operation }) => operation !== 'getOrder')
  const { scenario, warnings } = scenarioOf(decisionsOf({ ...content, exchanges }), {
    name: 'x',
    timing: 'asap',
  })
  expect(warnings).toEqual([
    'the recording has no document of o1: its type and its lines are made up',
  ])
  expect(scenario.orders).toEqual({ o1: {} })
})

test('a recording without orders yields a scenario without steps', async () => {
  const { content } = await recordHarness({}, (harness) => harness.pass(3000))
  const { scenario, warnings } = scenarioOf(decisionsOf(content), { name: 'x', timing: 'asap' })
  expect(scenario.steps).toEqual([])
  expect(warnings).toEqual(['the recording has no order: nothing is decided about any'])
})

test('orders that were not concluded yet leave the partner’s habit for the others', async () => {
  const session = {
    counterparts: {
      'ordering-application': { channel: 'polling', deliveries: false, concludeAfter: '5s' },
    },
  } as const
  const { content } = await recordHarness({ session }, async (harness) => {
    await harness.order('TAKEOUT')
    await harness.pass(30_000)
    const last = await harness.order('TAKEOUT')
    while ((await harness.status(last)) !== 'DELIVERED') await harness.pass(100)
    await harness.pass(1000)
  })
  const { scenario } = scenarioOf(decisionsOf(content), { name: 'x', timing: 'original' })
  expect(scenario.session?.counterparts?.['ordering-application']).toMatchObject({
    concludeAfter: '5s',
  })
  const { steps = [] } = scenario
  expect(steps.flatMap(({ drop }) => drop ?? [])).toEqual([{ trigger: 'conclude', order: 'o2' }])
  expect(steps.flatMap(({ trigger }) => trigger ?? [])).toEqual([])
  expect(scenario.expect?.statuses).toEqual({ o1: 'CONCLUDED', o2: 'DELIVERED' })
})

test('a recording of an older version on another clock: delays between events, with a warning', async () => {
  const { content } = await recordHarness({ wall: true }, async (harness) => {
    await harness.pass(2000)
    await harness.order('TAKEOUT')
    await harness.pass(3000)
    await harness.order('TAKEOUT')
    await harness.pass(60_000)
  })
  const { text, warnings } = scenarioText(content)
  expect(warnings).toEqual([expect.stringMatching(/^its exchanges are on another clock/) as string])
  expect(text).toContain('  - create: o1\n  - advance: 3s\n  - create: o2\n')
})
