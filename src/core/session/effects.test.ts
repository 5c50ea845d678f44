/** What a service does inside is counted by its own path or by a command, at the right time and not too often. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { playInProcess } from '../../../test/support/play-scenario-in-process.ts'
import { openReceiver } from '../../../test/support/webhook-receiver.ts'
import { reportOfSession } from '../../terminal/cli/report/report-of-session.ts'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'
import { openSession } from './open-session.ts'
import { openHarness, type HarnessOptions } from '../../../test/support/in-process-harness.ts'
import { servicePaths } from '../../../test/support/in-process-service.ts'
import { commandRunner } from '../../terminal/cli/run/run-child.ts'
import { effectsText } from '../views/effects-text.ts'
import type { ConfigurationInput } from '../session-api/configuration/schema.ts'
import type { CommandRunner } from './effects.ts'

type Effects = NonNullable<ConfigurationInput['subject']>['effects']

const withEffects = (
  effects: Effects,
  runCommand?: CommandRunner,
): Pick<HarnessOptions, 'session'> => ({
  session: {
    subject: { ...servicePaths, effects },
    ...(runCommand === undefined ? {} : { runCommand }),
  },
})

/** A command that counts one, and how often it was run for each order. */
function counted() {
  const asked: string[] = []
  const run: CommandRunner = (_command, environment) => {
    asked.push(environment['SPARRING_ORDER_ID'] ?? '')
    return Promise.resolve({ code: 0, stdout: '1\n', output: '1\n' })
  }
  return { asked, run }
}

test('a command finds order, number and kind in its environment, and prints the number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sparring-effects-'))
  const command = 'echo "$SPARRING_ORDER_ID $SPARRING_DISPLAY_ID $SPARRING_EFFECT" >> asked; echo 1'
  const run = commandRunner({ cwd: folder, env: process.env })
  await using harness = await openHarness(withEffects({ rows: command }, run))
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(30_000)
  const verdicts = await harness.judgeAll()
  const { order } = await harness.session.look({ orderId })
  expect(order?.effects?.counts).toMatchObject([{ kind: 'rows', count: 1 }])
  const asked = readFileSync(join(folder, 'asked'), 'utf8')
  expect(asked).toBe(`${orderId} ${order?.row.displayId} rows\n`)
  expect(verdicts.filter(({ id }) => id.startsWith('EF-')).map(({ outcome }) => outcome)).toEqual([
    'passed',
    'passed',
    'not-exercised',
  ])
})

test.each([
  ['exit 3', 'the command ended with 3'],
  ['echo "no database" >&2; exit 1', 'the command ended with 1: "no database"'],
  ['echo many', 'the command printed "many", and not a number'],
  ['echo -1', 'the command printed "-1", and not a number'],
  ['echo 1 2', 'the command printed "1 2", and not a number'],
  ['kill -9 $$', 'the command did not end in time'],
])('%s: a count that fails is no mistake of the service', async (source, why) => {
  const warnings: string[] = []
  const run = commandRunner({ cwd: tmpdir(), env: process.env })
  await using harness = await openHarness({
    session: {
      subject: { ...servicePaths, effects: { tickets: source } },
      runCommand: run,
      onWarning: (text) => warnings.push(text),
    },
  })
  await harness.order('TAKEOUT')
  await harness.order('TAKEOUT')
  await harness.pass(30_000)
  const verdicts = await harness.judgeAll()
  const rules = verdicts.filter(({ id }) => id.startsWith('EF-'))
  for (const { outcome, findings } of rules) {
    expect(outcome).toBe('inconclusive')
    expect(findings.map(({ because, setting }) => [because, setting])).toEqual([
      [expect.stringContaining(`subject.effects.tickets: `), true],
    ])
    expect(findings[0]?.because).toContain(why)
  }
  expect(warnings[0]).toContain(why)
  expect(verdicts.filter(({ outcome }) => outcome === 'failed')).toEqual([])
})

test('a 404, and an object without the kind, are none', async () => {
  for (const path of ['/none/{orderId}', '/probe/orders/{orderId}']) {
    await using harness = await openHarness(withEffects({ tickets: path }))
    await harness.order('TAKEOUT')
    await harness.pass(30_000)
    const verdicts = await harness.judgeAll()
    expect(verdicts.find(({ id }) => id === 'EF-2')).toMatchObject({
      outcome: 'failed',
      findings: [{ because: expect.stringContaining('o1 has tickets: 0') }],
    })
  }
})

test('a command is not run where nothing may run one', async () => {
  await using harness = await openHarness({
    session: {
      subject: { ...servicePaths, effects: { rows: 'echo 1' } },
      onWarning: () => undefined,
    },
  })
  await harness.order('TAKEOUT')
  const verdicts = await harness.judgeAll()
  expect(verdicts.find(({ id }) => id === 'EF-1')).toMatchObject({
    outcome: 'inconclusive',
    findings: [{ because: expect.stringContaining('give openSession a runCommand, or a path') }],
  })
})

test('a storm about one order is asked about when it has settled, and at the end', async () => {
  const { asked, run } = counted()
  await using harness = await openHarness({
    ...withEffects({ rows: 'count' }, run),
    channel: 'webhook',
    faults: [{ flood: { event: 'CONFIRMED', times: 50, within: '5s' } }],
  })
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(60_000)
  expect(asked).toEqual([orderId])
  await harness.judgeAll()
  expect(asked).toEqual([orderId, orderId])
})

test('on the real clock a distorted message is enough for a count, whatever else happens', async () => {
  const { asked, run } = counted()
  const { session } = withEffects({ rows: 'count' }, run)
  await using harness = await openHarness({
    session: { ...session, clock: 'real', speed: 100 },
    channel: 'webhook',
    faults: [{ duplicate: { event: 'CONFIRMED' } }],
  })
  const orderId = await harness.order('TAKEOUT')
  await expect.poll(() => asked, { timeout: 10_000 }).toEqual([orderId])
})

test('an effect that a verdict has found lacking is counted again when its time is over', async () => {
  const { session } = withEffects({ tickets: '/none/{orderId}' })
  await using harness = await openHarness({ session: { ...session, clock: 'real', speed: 100 } })
  await harness.order('TAKEOUT')
  const look = async () => {
    const { verdicts, orders } = await harness.session.look({
      verdicts: true,
      orders: { limit: 1 },
    })
    return [orders[0]?.status, verdicts.find(({ id }) => id === 'EF-2')?.outcome]
  }
  await expect.poll(look, { timeout: 10_000 }).toEqual(['CONCLUDED', 'not-exercised'])
  await harness.session.judge()
  expect(await look()).toEqual(['CONCLUDED', 'open'])
  await expect.poll(look, { timeout: 20_000 }).toEqual(['CONCLUDED', 'failed'])
}, 40_000)

test('an order without a fault is asked about at the end alone', async () => {
  const { asked, run } = counted()
  await using harness = await openHarness(withEffects({ rows: 'count' }, run))
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(60_000)
  expect(asked).toEqual([])
  await harness.session.judge()
  expect(asked).toEqual([orderId])
})

test('a path of several kinds is asked once, and answers a number or a member for each', async () => {
  const path = '/probe/orders/{orderId}/effects'
  await using harness = await openHarness(
    withEffects({ tickets: `GET ${path}`, rows: { path, mayRepeat: true } }),
  )
  const orderId = await harness.order('TAKEOUT')
  await harness.pass(30_000)
  await harness.session.judge()
  const { order, explanation } = await harness.session.look({ orderId, explain: orderId })
  const counts = order?.effects?.counts.map(({ kind, count }) => [kind, count])
  expect(counts).toEqual([
    ['tickets', 1],
    ['rows', 0],
  ])
  const text = /tickets: 1, rows: 0, counted at \d\d:\d\d:\d\d\.\d{3}/
  expect(order?.effects && effectsText(order.effects)).toMatch(text)
  expect(explanation?.conclusion.join('\n')).toMatch(text)
})

test('the journal of a session does not depend on whether effects are counted', async () => {
  const journalWith = async (effects: Effects): Promise<string> => {
    await using harness = await openHarness({
      session: { subject: { probe: servicePaths.probe, webhooks: servicePaths.webhooks, effects } },
      channel: 'both',
      faults: [{ duplicate: { event: 'CONFIRMED' } }, { 'duplicate-late': { event: 'CREATED' } }],
    })
    for (const type of ['TAKEOUT', 'DELIVERY'] as const) await harness.order(type)
    await harness.pass(40_000)
    await harness.judgeAll()
    return JSON.stringify(harness.session.facts())
  }
  expect(await journalWith(servicePaths.effects)).toBe(await journalWith(undefined))
})

test('the outcome of a run and the report of its session have what was counted for each order', async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const [loaded] = await loadScenarios(['scenarios/one-ticket-for-each-order.yaml'], root)
  if (!loaded) throw new Error('there is no such story')
  let pages = ''
  const { orders } = await playInProcess(loaded.run, {
    defects: ['forgets-event-ids'],
    async after({ session }) {
      pages = JSON.stringify((await reportOfSession(session, {}, 1000)).orders)
    },
  })
  expect(orders[0]).toMatchObject({ slot: 'o1', effects: { counts: [{ kind: 'tickets' }] } })
  expect(pages).toMatch(/"Your service has for it tickets: \d, counted at /)
})

test('effects of another role are not counted, and a warning says so', async () => {
  const warnings: string[] = []
  await using _session = await openSession({
    as: 'crm',
    port: 0,
    subject: { url: 'http://127.0.0.1:9', effects: { letters: '/letters/{orderId}' } },
    onWarning: (text) => warnings.push(text),
  })
  expect(warnings).toContainEqual(
    'subject.effects: nothing is counted, since its rules are about a software-service, and yours is the crm',
  )
})

test('of several processes the first that answers is asked', async () => {
  await using other = await openReceiver({ supportsPolling: false })
  await using session = await openSession({
    as: 'software-service',
    clock: 'stepped',
    port: 0,
    capabilities: ordersOnly,
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    subject: {
      url: 'http://127.0.0.1:9',
      replicas: [other.url],
      effects: { tickets: '/effects/{orderId}' },
    },
  })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  await session.judge()
  const { order } = await session.look({ orderId: made.ok ? made.value.orderId : '' })
  expect(order?.effects).toMatchObject({ counts: [{ kind: 'tickets', count: 0 }], failures: {} })
})
