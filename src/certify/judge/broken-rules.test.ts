/** A rule of the session that failed fails its clause, unless the certification itself has brought it about. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import type { RecordedVerdict } from '../../core/traffic/recording/session-end.ts'
import { invariants } from '../../core/rules/invariants/catalogue.ts'
import { certainRules } from './broken-rules.ts'
import { catalogueOf } from './catalogue.ts'
import { answersAgain, beginsAnew, restarts } from '../../core/rules/checks/blameless.ts'
import type { Check } from '../../core/rules/checks/check.ts'
import { judgeTrace } from './judge-checks.ts'
import type { Procedure } from './procedure.ts'
import { createTrace, type TraceData } from '../../core/rules/checks/trace.ts'
import { answersOf, callsOf, each, hasStatus } from '../../core/rules/checks/assertion.ts'

const role = 'software-service' as const
const subject = { role, party: 'subject' } as const
const ours = { role: 'ordering-application', party: 'sparring' } as const

const sent = (seq: number, status = 202) =>
  sampleExchange(seq, { from: subject, to: ours, reply: { status, headers: [], body: '' } })
const answered = (seq: number, status: number, more: object = {}) =>
  sampleExchange(seq, {
    from: ours,
    to: subject,
    reply: { status, headers: [], body: '' },
    ...more,
  })
const lost = (seq: number) => {
  const { reply: _reply, ...rest } = answered(seq, 0)
  return { ...rest, failure: { code: 'ECONNREFUSED', message: 'refused' } }
}

const check: Check = {
  clauses: ['ORD-EVR-03'],
  roles: [role],
  procedures: ['served-orders'],
  assertion: each(callsOf(), hasStatus(202)),
  remedy: 'Deduplicate events.',
}

const misuse: Procedure = {
  name: 'access',
  about: 'calls without a token',
  roles: [role],
  isMisuse: true,
  run: () => Promise.resolve(),
}

const duplicate = (...evidence: readonly number[]): RecordedVerdict => ({
  id: 'SE-1',
  sentence: 'Must not request a second delivery for the same order.',
  remedy: 'Look whether there is one.',
  clauses: ['ORD-EVR-03', 'ORD-EVR-06'],
  outcome: 'failed',
  premises: 4,
  violations: 1,
  findings: [{ because: 'Duplicate delivery request for o5.', evidence: [...evidence] }],
})

const traceOf = (more: Partial<TraceData>) =>
  createTrace({
    role,
    speaks: 'v2',
    capabilities: ['orders'],
    exchanges: [1, 2, 3, 4].map((seq) => sent(seq)),
    steps: {},
    notes: [],
    skipped: {},
    ...more,
  })

const results = (more: Partial<TraceData>, checks: readonly Check[], isSelection = false) =>
  judgeTrace(traceOf(more), { checks, procedures: [misuse], unchecked: [], isSelection })
const judged = (more: Partial<TraceData>, checked = check) => results(more, [checked])[0]

test('a rule that failed fails the first clause of its list, though the check of it has passed', () => {
  expect(judged({})).toMatchObject({ outcome: 'passed', occasions: 4 })
  expect(judged({ rules: [duplicate(2, 4)] })).toMatchObject({
    outcome: 'failed',
    occasions: 8,
    problems: [
      {
        text: 'Duplicate delivery request for o5. SE-1: Must not request a second delivery for the same order.',
        exchanges: [2, 4],
      },
    ],
    remedy: 'Look whether there is one.',
  })
  const other = { ...check, clauses: ['ORD-EVR-06'] as const }
  expect(results({ rules: [duplicate(2, 4)] }, [check, other])).toMatchObject([
    { clause: 'ORD-EVR-03', outcome: 'failed' },
    { clause: 'ORD-EVR-06', outcome: 'passed' },
  ])
})

test('a rule whose first clause does not bind the service fails the next MUST of its list', () => {
  const foreign = { ...check, roles: ['ordering-application' as const] }
  const advised = { ...check, clauses: ['ORD-EVR-06'] as const, level: 'SHOULD' as const }
  const must = { ...check, clauses: ['TRN-HDR-04'] as const }
  const rule = { ...duplicate(2, 4), clauses: ['ORD-EVR-03', 'ORD-EVR-06', 'TRN-HDR-04'] }
  expect(results({ rules: [rule] }, [foreign, advised, must])).toMatchObject([
    { clause: 'ORD-EVR-06', outcome: 'passed' },
    { clause: 'TRN-HDR-04', outcome: 'failed' },
  ])
  const first = { ...rule, clauses: ['ORD-EVR-06', 'TRN-HDR-04'] }
  expect(results({ rules: [first] }, [foreign, advised, must])).toMatchObject([
    { clause: 'ORD-EVR-06', outcome: 'warning' },
    { clause: 'TRN-HDR-04', outcome: 'passed' },
  ])
})

test('a rule of which no MUST binds the service fails beside the clauses; in a selection it is a warning', () => {
  const other = { ...check, clauses: ['ORD-OPS-02'] as const }
  const kept = { clause: 'ORD-OPS-02', outcome: 'passed' }
  const alone = {
    clause: 'SE-1',
    says: 'Must not request a second delivery for the same order.',
    remedy: 'Look whether there is one.',
    occasions: 4,
    problems: [{ exchanges: [2, 4] }],
  }
  const rules = [duplicate(2, 4)]
  expect(results({ rules }, [other])).toMatchObject([kept, { ...alone, outcome: 'failed' }])
  expect(results({ rules }, [other], true)).toMatchObject([kept, { ...alone, outcome: 'warning' }])
  const advised = { ...check, clauses: ['ORD-EVR-06'] as const, level: 'SHOULD' as const }
  expect(results({ rules }, [advised])).toMatchObject([
    { clause: 'ORD-EVR-06', outcome: 'passed' },
    { ...alone, outcome: 'failed' },
  ])
  for (const none of [
    { rules: [{ ...duplicate(2, 4), outcome: 'open' as const }] },
    { rules, steps: { 2: 'access/without-token/getOrder' } },
  ])
    expect(results(none, [other])).toMatchObject([kept])
  // The clauses of rules are those of V2: in V1 a rule stands for itself.
  const about = { ...check, clauses: ['ORD-EVR-03'] as const }
  expect(results({ rules, speaks: 'v1' as const }, [about])).toMatchObject([
    { clause: 'ORD-EVR-03', outcome: 'passed' },
    { ...alone, outcome: 'failed' },
  ])
  const found = duplicate(2, 4).findings
  const onlyAdvice = [
    { ...duplicate(), findings: found.map((one) => ({ ...one, advice: true as const })) },
  ]
  expect(results({ rules: onlyAdvice }, [other])).toMatchObject([
    kept,
    { ...alone, outcome: 'warning' },
  ])
})

test('[ORD-EVR-03] [ORD-GEN-05] rules whose first clause binds the other side fail an Ordering Application', () => {
  const trace = createTrace({
    role: 'ordering-application',
    speaks: 'v2',
    capabilities: ['orders'],
    exchanges: [2, 4].map((seq) => sent(seq)),
    steps: {},
    notes: [],
    skipped: {},
    rules: invariants
      .filter(({ id }) => id === 'SE-1' || id === 'HO-2')
      .map(({ id, sentence, remedy, clauses }, index) => ({
        ...duplicate(2 * index + 2),
        id,
        sentence,
        remedy,
        clauses: [...clauses],
      })),
  })
  const failed = judgeTrace(trace, catalogueOf('v2')).filter(({ problems }) =>
    problems.some(({ text }) => /SE-1|HO-2/.test(text)),
  )
  expect(failed.map(({ clause, outcome }) => [clause, outcome])).toEqual([
    ['ORD-RUL-01', 'failed'],
    ['SE-1', 'failed'],
  ])
})

test('a rule that failed fails its clause too where the check was skipped', () => {
  const unseen = { ...check, assertion: () => [] }
  expect(judged({ rules: [duplicate(2, 4)] }, unseen)).toMatchObject({ outcome: 'failed' })
  expect(judged({ rules: [duplicate(2, 4)] }, unseen)).not.toHaveProperty('why')
})

test('advice warns; what passed, is inconclusive, or has no exchanges says nothing', () => {
  const [finding] = duplicate(2, 4).findings
  if (!finding) throw new Error('it has one')
  const findings = (more: object): RecordedVerdict => ({
    ...duplicate(),
    findings: [{ ...finding, ...more }],
  })
  expect(judged({ rules: [findings({ advice: true })] })).toMatchObject({ outcome: 'warning' })
  for (const rule of [
    findings({ lagMs: 900 }),
    findings({ evidence: [] }),
    { ...duplicate(2, 4), outcome: 'open' as const },
  ])
    expect(judged({ rules: [rule] })).toMatchObject({ outcome: 'passed', problems: [] })
})

test('wrong calls that are meant, and a new beginning between two exchanges, blame no service', () => {
  const steps = { 2: 'access/without-token/getOrder' }
  expect(judged({ rules: [duplicate(2, 4)], steps })).toMatchObject({ outcome: 'passed' })
  const note = (after: number) => ({ procedure: 'begin-anew', name: beginsAnew, text: '', after })
  const across = (from: number, to: number) =>
    judged({ rules: [duplicate(2, 4)], notes: [note(from), note(to)] })
  expect(across(3, 3)).toMatchObject({ outcome: 'passed' })
  expect(across(2, 6)).toMatchObject({ outcome: 'passed' })
  expect(across(4, 6)).toMatchObject({ outcome: 'failed' })
  expect(across(1, 1)).toMatchObject({ outcome: 'failed' })
})

test('pauses are judged on the real clock only', () => {
  const rules = [duplicate(2, 4), { ...duplicate(2, 4), id: 'RT-4' }]
  expect(certainRules(rules, 'virtual').map(({ id }) => id)).toEqual(['SE-1'])
  expect(certainRules(rules, 'real')).toEqual(rules)
})

test('what a restart has cut off, and a token that it has ended, are no answers of the service', () => {
  const authorization = [['authorization', 'Bearer old']] as const
  const withToken = (seq: number, status: number) =>
    answered(seq, status, {
      request: { method: 'GET', url: 'http://x/orders/1', headers: authorization },
    })
  const token = (seq: number) => answered(seq, 200, { operation: 'issueToken' })
  const note = (name: string, after: number) => ({
    procedure: 'begin-anew',
    name,
    text: '',
    after,
  })
  const shown = traceOf({
    exchanges: [
      lost(1),
      answered(2, 200),
      lost(3),
      withToken(4, 401),
      answered(5, 200),
      withToken(6, 401),
      token(7),
      withToken(8, 401),
      answered(9, 401),
      lost(10),
    ],
    notes: [note(restarts, 2), note(answersAgain, 5)],
  })
  expect(shown.all.map(({ exchange }) => exchange.seq)).toEqual([1, 2, 5, 7, 8, 9, 10])
  const unanswered = traceOf({ exchanges: [lost(3)], notes: [note(restarts, 2)] })
  expect(unanswered.all).toHaveLength(1)
  expect([...each(answersOf(), hasStatus(200))(unanswered)][0]?.problem).toBeDefined()
})
