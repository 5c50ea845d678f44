// @module-tag slow
/** A service that speaks V1 is told what of V1 it still uses; and a migration goes through its steps in order. */
import { describe, expect, test } from 'vitest'
import { mistakesFor } from '../../../../test/support/certification/mistakes.ts'
import { mutateTrace } from '../../../../test/support/certification/mutate-trace.ts'
import { certifyCounterpart } from '../../../../test/support/certified-counterpart.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import type { Certification } from '../../judge/certify.ts'
import type { Check } from '../../../core/rules/checks/check.ts'
import { type CheckResult, judgeTrace } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { v1Checks } from '../../../core/rules/checks/catalogue.ts'
import { migrationProgress, migrationStepOf, migrationSteps } from './steps.ts'
import { v1Procedures } from './v1-procedures.ts'
import { v1Roles } from '../../../core/rules/checks/migration/v1-authentication.ts'

const clauses = await loadClauses()

describe.each(v1Roles)('our own %s of V1', (role) => {
  const forms = v1Checks.filter(({ roles }) => roles.includes(role))
  let certified: Promise<Certification> | undefined
  const certify = (): Promise<Certification> =>
    (certified ??= certifyCounterpart({ role, checks: forms, dialect: 'v1' }))
  const outcomeOf = (results: readonly CheckResult[], { clauses: [clause] }: Check) =>
    results.find((result) => result.clause === clause)?.outcome

  test('[MIG-VER-04] has the forms of V1, which are left to do, and one of V2', async () => {
    const { results } = await certify()
    const others = results.filter(({ outcome }) => outcome !== 'warning')
    const expected = role === 'ordering-application' ? ['ORD-FLD-06 passed'] : []
    expect(others.map(({ clause, outcome }) => `${clause} ${outcome}`)).toEqual(expected)
  })

  test.each(
    forms.flatMap((form) =>
      mistakesFor(form, role, 'v1').map(
        (mistake) => [form.clauses.join(', '), mistake, form] as const,
      ),
    ),
  )('[%s] is told apart in the form of V1 and that of V2: %s', async (_, change, form) => {
    const { trace, results } = await certify()
    const changed = createTrace(mutateTrace(trace, change))
    const catalogue = { checks: [form], procedures: v1Procedures, unchecked: [] }
    expect(outcomeOf(judgeTrace(changed, catalogue), form)).toBe(
      outcomeOf(results, form) === 'warning' ? 'passed' : 'warning',
    )
  })
})

test('forms name clauses of the register, and their roles are bound by them', () => {
  const foreign = v1Checks.flatMap(({ clauses: named }) => named.filter((id) => !clauses.has(id)))
  expect(foreign).toEqual([])
})

test('[MIG-VER-04] every clause of the register belongs to a step, and the steps are in the order of the documents', () => {
  expect([...clauses.keys()].filter((id) => migrationStepOf(id) === undefined)).toEqual([])
  expect(migrationSteps.map(({ name }) => name)).toEqual([
    'authentication',
    'discovery',
    'merchant',
    'menu',
    'orders',
    'logistics',
    'customer',
    'indoor',
    'transport',
  ])
  expect(migrationStepOf('MIG-VER-05')?.name).toBe('authentication')
  expect(migrationStepOf('MIG-VER-02')?.name).toBe('discovery')
})

test('a step is done, to do, or not seen', () => {
  const steps = migrationProgress([
    { clause: 'AUT-TOK-01', outcome: 'passed' },
    { clause: 'AUT-TOK-02', outcome: 'skipped' },
    { clause: 'DIS-GEN-01', outcome: 'passed' },
    { clause: 'MIG-VER-02', outcome: 'failed' },
    { clause: 'ORD-FLD-01', outcome: 'warning' },
    { clause: 'IND-GEN-01', outcome: 'skipped' },
  ])
  const by = new Map(steps.map((step) => [step.name, step]))
  expect(by.get('authentication')).toMatchObject({ state: 'done', kept: 1, unseen: 1, left: [] })
  expect(by.get('discovery')).toMatchObject({ state: 'to do', left: ['MIG-VER-02'], kept: 1 })
  expect(by.get('orders')).toMatchObject({ state: 'to do', left: ['ORD-FLD-01'] })
  expect(by.get('indoor')).toMatchObject({ state: 'not seen', unseen: 1 })
  expect(by.get('menu')).toMatchObject({ state: 'not seen', unseen: 0 })
})
