/** Verdicts for programs: what is said of findings that are not listed. */
import { expect, test } from 'vitest'
import { type Verdict, verdictLabel } from '../../../core/rules/invariants/verdict.ts'
import { formatOutcomeCounts, verdictSummaryLines } from '../../../core/views/verdict-text.ts'
import { withClauseTexts } from './verdict-output.ts'

const finding = { because: 'it was late', at: 0, evidence: [] }
const verdict = (findings: number, violations: number): Verdict => ({
  id: 'WH-1',
  name: 'webhooks-are-answered',
  kind: 'safety',
  sentence: 'Webhooks are answered.',
  clauses: [],
  outcome: 'failed',
  premises: violations,
  premise: 'a webhook is sent',
  violations,
  inconclusive: 0,
  findings: Array.from({ length: findings }, () => finding),
  remedy: 'Answer them.',
})

test('a verdict with more findings than are listed says how many there are', async () => {
  expect(await withClauseTexts([verdict(20, 73)])).toMatchObject([{ listed: '20 of 73' }])
  expect((await withClauseTexts([verdict(3, 3)]))[0]).not.toHaveProperty('listed')
})

test('advice is counted and called so, since no rule has failed by it', () => {
  const [failed, held] = [verdict(1, 1), { ...verdict(0, 0), outcome: 'passed' } as const]
  const advice = { ...failed, findings: [{ ...finding, advice: true as const }] }
  expect([failed, advice, held].map(verdictLabel)).toEqual(['failed', 'advice', 'passed'])
  expect(formatOutcomeCounts([failed, advice, held])).toBe(
    '1 passed, 1 failed, 1 advice, 0 not exercised',
  )
  expect(verdictSummaryLines([failed, advice, held])).toEqual(
    expect.arrayContaining([
      'failed    Webhooks are answered.',
      'advice    Webhooks are answered.',
    ]),
  )
})
