/** What a check looks at: not at the wrong calls of procedures that it does not name. */
import { procedures as allProcedures } from './catalogue.ts'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Check } from '../../core/rules/checks/check.ts'
import { judgeTrace } from './judge-checks.ts'
import { answersOf, each, hasStatus } from '../../core/rules/checks/assertion.ts'
import { createTrace } from '../../core/rules/checks/trace.ts'

const check = (...procedures: readonly string[]): Check => ({
  clauses: ['ORD-GEN-04'],
  roles: ['ordering-application'],
  procedures,
  assertion: each(answersOf('getOrder'), hasStatus(200)),
  remedy: 'Answer 200.',
})

/** Reads of an order at a service: one of order-life, and one without a token of the procedure access. */
const trace = createTrace({
  role: 'ordering-application',
  speaks: 'v2',
  capabilities: ['orders'],
  exchanges: [1, 2].map((seq) =>
    sampleExchange(seq, {
      from: { role: 'software-service', party: 'sparring' },
      to: { role: 'ordering-application', party: 'subject' },
      reply: { status: seq === 1 ? 200 : 401, headers: [], body: '' },
    }),
  ),
  steps: { 1: 'order-life/read', 2: 'access/without-token/getOrder' },
  notes: [],
  skipped: {},
})

test('a call without a token blames nobody for its 401', () => {
  const [result] = judgeTrace(trace, {
    checks: [check('order-life')],
    procedures: allProcedures,
    unchecked: [],
  })
  expect(result).toMatchObject({ outcome: 'passed', occasions: 1 })
})

test('a check that names the procedure looks at its calls', () => {
  const [result] = judgeTrace(trace, {
    checks: [check('order-life', 'access')],
    procedures: allProcedures,
    unchecked: [],
  })
  expect(result).toMatchObject({ outcome: 'failed', occasions: 2 })
})

test('[TRN-UND-02] what the documents leave open is a warning: the same answer fails a clause that is stated', () => {
  const judged = (...clauses: [string, ...string[]]) =>
    judgeTrace(trace, {
      checks: [{ ...check('order-life', 'access'), clauses }],
      procedures: allProcedures,
      unchecked: [],
    })[0]
  expect(judged('TRN-UND-02')).toMatchObject({ level: 'SHOULD', outcome: 'warning' })
  expect(judged('TRN-UND-02', 'ORD-GEN-04')).toMatchObject({ level: 'MUST', outcome: 'failed' })
})

test('one mistake is blamed once: clauses that show the same stand under the first, failures before warnings', () => {
  const judged = judgeTrace(trace, {
    checks: [
      { ...check('access'), clauses: ['TRN-UND-02'] },
      { ...check('access'), clauses: ['ORD-GEN-05'] },
      { ...check('access'), clauses: ['ORD-GEN-04'] },
      {
        ...check('access'),
        clauses: ['ORD-OPS-01'],
        assertion: each(answersOf('getOrder'), () => 'it has no body'),
      },
    ],
    procedures: allProcedures,
    unchecked: [],
  })
  expect(judged.map(({ clause, outcome, under }) => [clause, outcome, under])).toEqual([
    ['ORD-GEN-04', 'failed', undefined],
    ['ORD-GEN-05', 'failed', 'ORD-GEN-04'],
    ['ORD-OPS-01', 'failed', undefined],
    ['TRN-UND-02', 'warning', 'ORD-GEN-04'],
  ])
})
