/** A run with inconclusive verdicts: nothing failed, and nothing is shown either. */
import { expect, test } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import { checkSchema } from '../runtime/files/schema-errors.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { playRun } from './play.ts'
import { readRuns } from './read.ts'

const doubt = { because: 'too late', at: 0, evidence: [], lagMs: 412 } as const

const inDoubt = (verdict: Verdict): Verdict =>
  verdict.id === 'PO-2'
    ? { ...verdict, outcome: 'inconclusive', inconclusive: 1, findings: [doubt] }
    : verdict

/** Plays an order that goes its way, with PO-2 in doubt. */
async function resultWith(expected: Readonly<Record<string, unknown>>) {
  const written = {
    name: 'a',
    about: 'b',
    orders: { o1: { type: 'TAKEOUT' } },
    steps: [{ create: 'o1' }],
    expect: expected,
  }
  const runs = readRuns(written, checkSchema)
  if (!runs.ok || !runs.value[0]) throw new Error('there is no run')
  await using harness = await openHarness()
  const judge = async () => (await harness.session.judge()).map(inDoubt)
  const { result, failures } = await playRun(
    runs.value[0],
    { ...harness.session, judge },
    { sleep: () => Promise.resolve() },
  )
  return { result, failures: failures.map(({ because }) => because) }
}

test('a run whose invariants all count is inconclusive', async () => {
  expect(await resultWith({})).toEqual({ result: 'inconclusive', failures: [] })
})

test('whether an rule failed as expected is not known', async () => {
  const expected = { invariants: [], failed: ['PO-2'] }
  expect(await resultWith(expected)).toEqual({ result: 'inconclusive', failures: [] })
})

test('a doubt about an invariant that does not count is no doubt about the run', async () => {
  expect(await resultWith({ invariants: ['SE-1'] })).toEqual({ result: 'passed', failures: [] })
})

test('what has failed has failed', async () => {
  const { result } = await resultWith({ statuses: { o1: 'CREATED' } })
  expect(result).toBe('failed')
})

test('what became late by less than Sparring itself was is waited for until it is certain', async () => {
  await using harness = await openHarness()
  const { session } = harness
  const began = session.clock.now()
  const doubtful = (endMs: number) => (verdict: Verdict) =>
    verdict.id === 'CV-1' && session.clock.now() < began + endMs
      ? { ...verdict, outcome: 'inconclusive' as const, inconclusive: 1, findings: [doubt] }
      : verdict
  const took = async (endMs: number, awaits?: (rule: string) => boolean) => {
    const from = session.clock.now()
    const look: typeof session.look = async (wanted) => {
      const seen = await session.look(wanted)
      return { ...seen, ...(seen.verdicts && { verdicts: seen.verdicts.map(doubtful(endMs)) }) }
    }
    const written = {
      name: 'a',
      about: 'b',
      orders: { o1: { type: 'TAKEOUT' } },
      steps: [{ create: 'o1' }],
    }
    const runs = readRuns(written, checkSchema)
    if (!runs.ok || !runs.value[0]) throw new Error('there is no run')
    const sleep = () => Promise.resolve()
    await playRun(runs.value[0], { ...session, look }, { sleep, ...(awaits && { awaits }) })
    return session.clock.now() - from
  }
  const whole = await took(0)
  const doubtfulForEver = await took(Number.POSITIVE_INFINITY)
  expect(doubtfulForEver).toBeGreaterThan(whole + 9000)
  expect(doubtfulForEver).toBeLessThan(whole + 30_000)
  expect(await took(Number.POSITIVE_INFINITY, (rule) => rule === 'SE-1')).toBeLessThan(whole + 9000)
})
