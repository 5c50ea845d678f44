/** What a check looks at: not at the wrong calls of procedures that it does not name. */
import { procedures as allProcedures } from './catalogue.ts'
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { Check } from '../../core/rules/checks/check.ts'
import { judgeTrace } from './judge-checks.ts'
import {
  answersOf,
  body,
  each,
  hasStatus,
  isDateTime,
  isOneOf,
  optional,
  replyIs,
} from '../../core/rules/checks/assertion.ts'
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

/** The problems of a check of replies to reads, one with each of these bodies. */
function problemsWith(bodyTest: ReturnType<typeof body>, bodies: readonly unknown[]) {
  const exchanges = bodies.map((shown, index) =>
    sampleExchange(index + 1, {
      from: { role: 'software-service', party: 'sparring' },
      to: { role: 'ordering-application', party: 'subject' },
      reply: { status: 200, headers: [], body: JSON.stringify(shown) },
    }),
  )
  const checks = [
    { ...check('order-life'), assertion: each(answersOf('getOrder'), replyIs(bodyTest)) },
  ]
  const [result] = judgeTrace(
    createTrace({
      role: 'ordering-application',
      speaks: 'v2',
      capabilities: ['orders'],
      exchanges,
      steps: {},
      notes: [],
      skipped: {},
    }),
    { checks, procedures: allProcedures, unchecked: [] },
  )
  return result?.problems.map(({ text, times }) => [text.split(': ', 2)[1], times])
}

test('a time that is wrong is one problem at its place, whatever its value is', () => {
  const times = body(optional('/eta', isDateTime), optional('/items/*/at', isDateTime))
  expect(
    problemsWith(times, [
      { eta: '2026-01-05 12:00:00' },
      { eta: '2026-01-05 12:00:01' },
      { eta: 1_767_614_400 },
      { items: [{ at: 'soon' }] },
      { items: [{ at: '2026-01-05T12:00:00Z' }, { at: 'later' }] },
    ]),
  ).toEqual([
    ['/eta', 3],
    ['/items/0/at', 2],
  ])
})

test('each word that is none of a list is a problem of its own', () => {
  const bodies = ['NEW', 'OLD', 'NEW'].map((status) => ({ status }))
  expect(problemsWith(optional('/status', isOneOf('CREATED')), bodies)).toEqual([
    ['/status', 2],
    ['/status', undefined],
  ])
})
