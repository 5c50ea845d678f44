/** Verdicts for programs: what is said of findings that are not listed. */
import { expect, test } from 'vitest'
import type { Verdict } from '../../../core/rules/invariants/verdict.ts'
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
