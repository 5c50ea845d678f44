/** First causes: several invariants that one mistake breaks, and mistakes that have nothing to do with each other. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openHarness } from '../../../../../test/support/in-process-harness.ts'
import { playInProcess } from '../../../../../test/support/play-scenario-in-process.ts'
import { loadScenarios } from '../../../../terminal/cli/run/load-scenarios.ts'
import { groupedByCause, type Finding, type Verdict } from '../verdict.ts'
import { withFirstCauses } from './judge.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))

const finding = (at: number, seqs: readonly number[], orderId?: string): Finding => ({
  because: 'It is wrong.',
  at,
  evidence: seqs.map((seq) => ({ seq, at, line: '' })),
  ...(orderId === undefined ? {} : { orderId }),
})

const failed = (id: string, kind: Verdict['kind'], ...findings: readonly Finding[]): Verdict => ({
  id,
  name: id,
  sentence: '',
  remedy: '',
  kind,
  clauses: [],
  outcome: 'failed',
  premises: 1,
  premise: '',
  violations: findings.length,
  inconclusive: 0,
  findings,
})

const causes = (...verdicts: readonly Verdict[]): readonly (string | undefined)[] =>
  withFirstCauses(verdicts).map(({ follows }) => follows)

test('a rule follows the one that failed first by the same exchange, whatever the order of the catalogue', () => {
  const late = failed('SE-8', 'safety', finding(20, [3, 5], 'o1'))
  const first = failed('SE-7', 'safety', finding(10, [3], 'o1'))
  expect(causes(late, first)).toEqual(['SE-7', undefined])
})

test('a liveness invariant follows what was wrong with the same order before', () => {
  const end = failed('CV-1', 'liveness', finding(900, [1, 9], 'o1'))
  expect(causes(end, failed('SE-7', 'safety', finding(10, [3], 'o1')))).toEqual(['SE-7', undefined])
  expect(causes(end, failed('SE-7', 'safety', finding(10, [3], 'o2')))).toEqual([
    undefined,
    undefined,
  ])
})

test('two orders in one poll are two mistakes, and one violation more than the cause explains stands alone', () => {
  const one = failed('SE-3', 'safety', finding(10, [3], 'o1'))
  expect(causes(one, failed('SE-9', 'safety', finding(20, [3], 'o2')))).toEqual([
    undefined,
    undefined,
  ])
  const two = failed('SE-9', 'safety', finding(20, [3], 'o1'), finding(30, [8], 'o1'))
  expect(causes(one, two)).toEqual([undefined, undefined])
})

test('advice is no cause', () => {
  const advice = failed('RT-2', 'timing', { ...finding(10, [3], 'o1'), advice: true })
  expect(causes(advice, failed('SE-7', 'safety', finding(20, [3], 'o1')))).toEqual([
    undefined,
    undefined,
  ])
})

describe('clauses', () => {
  const clauseCauses = (rules: readonly Verdict[], ...clauses: readonly Verdict[]) =>
    withFirstCauses(rules, clauses)
      .slice(rules.length)
      .map(({ follows }) => follows)
  const clause = (...findings: readonly Finding[]): Verdict =>
    failed('ORD-OPS-05', 'safety', ...findings)

  test('a clause follows the rule that says the same of its exchange, whichever was found first', () => {
    const rule = failed('SE-1', 'safety', finding(20, [3, 5], 'o1'))
    expect(clauseCauses([rule], clause(finding(10, [4, 5, 6], 'o1')))).toEqual(['SE-1'])
    expect(clauseCauses([rule], clause(finding(10, [6], 'o1')))).toEqual([undefined])
    expect(clauseCauses([rule], clause(finding(10, [5], 'o2')))).toEqual([undefined])
  })

  test('one of several occasions explains no others', () => {
    const rule = failed('SE-1', 'safety', finding(20, [5], 'o1'))
    const often = { ...clause(finding(10, [5, 9, 12], 'o1')), violations: 3 }
    expect(clauseCauses([rule], often)).toEqual([undefined])
    expect(clauseCauses([], often, { ...often, id: 'TRN-ERB-01' })).toEqual([
      undefined,
      'ORD-OPS-05',
    ])
  })

  test('no rule follows a clause, and what is related to nothing stands alone', () => {
    const rule = failed('CV-1', 'liveness', finding(900, [7], 'o1'))
    const verdicts = withFirstCauses([rule], [clause(finding(10, [3], 'o1'))])
    expect(verdicts.map(({ follows }) => follows)).toEqual([undefined, undefined])
  })
})

test('a follower stands behind its cause, and alone where the cause is not shown', () => {
  const ids = (verdicts: readonly Verdict[]) => groupedByCause(verdicts).map(({ id }) => id)
  const follower = { ...failed('CV-1', 'liveness'), follows: 'SE-7' }
  const [other, cause] = [failed('RC-1', 'timing'), failed('SE-7', 'safety')]
  expect(ids([follower, other, cause])).toEqual(['RC-1', 'SE-7', 'CV-1'])
  expect(ids([follower, other])).toEqual(['CV-1', 'RC-1'])
})

test('a service that never tries again breaks RT-6 first, and CV-1 with it; all stay counted', async () => {
  await using harness = await openHarness({
    defects: ['fire-and-forget'],
    faults: [{ fail: { operation: 'confirmOrder', burst: 1 } }],
  })
  await harness.order('TAKEOUT')
  await harness.pass(60_000)
  const verdicts = (await harness.judgeAll()).filter(({ outcome }) => outcome === 'failed')
  expect(verdicts.map(({ id, follows }) => [id, follows])).toEqual([
    ['CV-1', 'RT-6'],
    ['RT-6', undefined],
  ])
})

test('the failures of a scenario name the first cause, and then those that follow it', async () => {
  const [loaded] = await loadScenarios(['scenarios/told-to-wait.yaml'], root)
  if (!loaded) throw new Error('there is no such scenario')
  const { failures } = await playInProcess(loaded.run, { defects: ['fire-and-forget'] })
  const named = failures.flatMap(({ verdict, follows }) => (verdict ? [[verdict.id, follows]] : []))
  expect(named[0]?.[1]).toBeUndefined()
  for (const [index, [, follows]] of named.entries())
    if (follows !== undefined) expect(named.slice(0, index).map(([id]) => id)).toContain(follows)
  expect(named.some(([, follows]) => follows !== undefined)).toBe(true)
})
