/** Steps and expectations: matching of calls and orders, and keys that may not be combined. */
import { expect, test } from 'vitest'
import { checkSchema } from '../runtime/files/schema-errors.ts'
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
  return playRun(run, session, { sleep: () => Promise.resolve() })
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
