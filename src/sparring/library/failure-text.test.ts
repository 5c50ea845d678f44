/** The text of a broken rule: several findings about one exchange show it once. */
import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../../core/rules/invariants/verdict.ts'
import { brokenRulesText } from './failure-text.ts'

const about = (because: string, ...seqs: readonly number[]): Finding => ({
  because,
  at: 0,
  evidence: seqs.map((seq) => ({ seq, at: 0, line: `GET /orders/${seq}  200` })),
})

const textOf = (...findings: readonly Finding[]): readonly string[] => {
  const verdict: Verdict = {
    id: 'CONTRACT',
    name: 'messages-keep-to-the-contract',
    sentence: 'Must send what the contract describes',
    remedy: 'Send it',
    kind: 'safety',
    clauses: [],
    premise: 'a call is made',
    outcome: 'failed',
    premises: 1,
    violations: findings.length,
    inconclusive: 0,
    findings,
  }
  return brokenRulesText([verdict])
    .split('\n')
    .filter((line) => /^ {4,6}(?:#|[a-z] is)/.test(line))
    .map((line) => line.trim())
}

test('an exchange stands behind the last of the findings that it shows', () => {
  expect(
    textOf(about('a is missing', 7), about('b is missing', 7), about('c is no text', 9)),
  ).toEqual([
    'a is missing',
    'b is missing',
    '#7  GET /orders/7  200',
    'c is no text',
    '#9  GET /orders/9  200',
  ])
})

test('findings about other exchanges, or about more of them, keep theirs', () => {
  expect(textOf(about('a is missing', 7), about('b is missing', 7, 8), about('c is none'))).toEqual(
    [
      'a is missing',
      '#7  GET /orders/7  200',
      'b is missing',
      '#7  GET /orders/7  200',
      '#8  GET /orders/8  200',
      'c is none',
    ],
  )
})
