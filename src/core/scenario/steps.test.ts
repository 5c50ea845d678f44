/** Steps and expectations: matching of calls and orders, and keys that may not be combined. */
import { expect, test } from 'vitest'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import { differenceFrom } from './hosts.ts'
import { configurationOf } from './options.ts'
import type { ScenarioOutcome } from './outcome.ts'
import { playRun } from './play.ts'
import { readRuns } from './read.ts'
import { openSession } from '../session/open-session.ts'

/** We play every role. */
async function playedByNobody(
  written: Readonly<Record<string, unknown>>,
): Promise<ScenarioOutcome> {
  const runs = readRuns({ name: 'a', about: 'b', subject: 'none', ...written }, checkSchema)
  if (!runs.ok) throw new Error(JSON.stringify(runs.error))
  const [run] = runs.value
  if (!run) throw new Error('there is no run')
  const input = configurationOf(run, {})
  await using session = await openSession({
    ...input,
    subject: undefined,
    clock: 'virtual',
    listen: false,
    automatic: false,
  })
  return await playRun(run, session, { sleep: () => Promise.resolve() })
}

const because = ({ failures }: ScenarioOutcome): readonly string[] =>
  failures.map((each) => each.because)

test('V2 operation names in a scenario match the calls of a V1 service', async () => {
  const outcome = await playedByNobody({
    session: { dialect: 'v1' },
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { create: 'o1' },
      { await: { call: 'getOrder', order: 'o1' } },
      { await: { status: 'CONCLUDED' } },
      { check: { call: 'confirmOrder', order: 'o1', times: 1 } },
    ],
    expect: {
      calls: [{ call: 'confirmOrderV1', times: 1 }],
      sequence: { o1: ['getOrder', 'confirmOrderV1', 'setOrderDelivered'] },
    },
  })
  expect(because(outcome)).toEqual([])
})

test('what is expected of an order that never came is not looked for among others', async () => {
  const about = { order: 'o9', 'at-most': 0 }
  const outcome = await playedByNobody({
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [{ create: 'o1' }],
    expect: {
      calls: [{ call: 'getOrder', ...about }],
      taken: [{ event: 'CREATED', order: 'o9' }],
      announced: [{ event: 'CREATED', ...about }],
    },
  })
  const never = 'there is no o9: it never came'
  expect(because(outcome)).toEqual([never, never, never])
})

test('a status that an order which is over has not had is not waited for', async () => {
  const { failures, tookMs } = await playedByNobody({
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [
      { create: 'o1' },
      { await: { status: 'DELIVERED', order: 'o1' } },
      { await: { status: 'CANCELLED', order: 'o1', within: '5h' } },
    ],
  })
  expect(failures.map((each) => each.because)).toEqual([
    'step 3 (wait for o1 to be CANCELLED, 5h at most): it did not come in time: o1 is DELIVERED',
  ])
  expect(tookMs).toBeLessThan(3_600_000)
})

test('a check of every order fails without orders', async () => {
  const outcome = await playedByNobody({
    steps: [{ check: { status: 'READY' } }],
    expect: { statuses: { all: 'CONCLUDED' } },
  })
  expect(because(outcome)).toEqual([
    'step 1 (every order is READY): no order has come',
    'no order has come',
  ])
})

test.for([
  [{ await: { status: 'READY', times: 3 } }, 'times'],
  [{ await: { call: 'getOrder', channel: 'webhook' } }, 'channel'],
  [{ await: { quiet: true, order: 'o1' } }, 'order'],
  [{ check: { status: 'READY', 'at-most': 3 } }, 'at-most'],
] as const)('a key without effect is reported: %j', ([step, key]) => {
  const runs = readRuns(
    { name: 'a', about: 'b', orders: { o1: {} }, steps: [{ create: 'o1' }, step] },
    checkSchema,
  )
  expect(!runs.ok && runs.error).toMatchObject([
    {
      path: ['steps', 1, Object.keys(step)[0], key],
      wrong: expect.stringContaining('says nothing'),
    },
  ])
})

test('what a host says is held against the members that are named, and lists against their length', () => {
  const account = {
    status: 'CLOSED',
    totals: { due: 0 },
    payments: [{ amount: 20 }, { amount: 5 }],
  }
  expect(differenceFrom(account, { status: 'CLOSED', payments: [{ amount: 20 }, {}] })).toBe(
    undefined,
  )
  expect(differenceFrom(account, { totals: { due: 1 } })).toBe('totals.due is 0, not 1')
  expect(differenceFrom(account, { payments: [{}] })).toBe('payments has 2 entries, not 1')
  expect(differenceFrom(account, { fiscal: {} })).toBe('fiscal is not there')
  expect(differenceFrom(undefined, {})).toBe('it is not there')
})

test('our own house acts on an account, a move that it has not is named with those it has', async () => {
  const played = (move: string) =>
    playedByNobody({
      session: {
        counterparts: { 'ordering-application': { behaviour: 'passive' } },
        capabilities: { indoor: true },
      },
      orders: { o1: { type: 'INDOOR' } },
      steps: [
        { create: 'o1' },
        { account: { order: 'o1', is: 'IN_USE' } },
        { account: { order: 'o1', move } },
      ],
      expect: { accounts: { o1: 'IN_USE' }, payments: { o1: [] } },
    })
  expect(because(await played('discount'))).toEqual([])
  const [refused] = because(await played('dance'))
  expect(refused).toMatch(/the account of o1 has no move dance: it has pre-close, .*discount/)
})
