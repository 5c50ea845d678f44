// @module-tag slow
/** A service that speaks V1 is told what of V1 it still uses; and a migration goes through its steps in order. */
import { describe, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../../test/support/certified-counterpart.ts'
import { loadClauses } from '../../../core/protocol/clause.ts'
import type { Defect } from '../../judge/defect.ts'
import { v1Forms } from './catalogue.ts'
import { migrationProgress, migrationStepOf, migrationSteps } from './steps.ts'
import { checkOfForm, type V1Form } from './v1-forms.ts'
import { v1Roles } from './v1-procedures.ts'

const clauses = await loadClauses()

describe.each(v1Roles)('our own %s of V1', (role) => {
  const forms = v1Forms.filter(({ roles }) => roles.includes(role))

  const certify = async (some: readonly V1Form[], defect?: Defect): Promise<readonly string[]> => {
    const checks = some.map(checkOfForm)
    const { results } = await certifyCounterpart({ role, checks, defect, speaks: 'v1' })
    return results.map(({ clause, outcome, why = '' }) => `${clause} ${outcome} ${why}`.trim())
  }

  test('[MIG-VER-04] has the forms of V1, which are left to do', async () => {
    const found = await certify(forms)
    const expected = forms.map(
      (form) => `${form.clauses[0]} ${'migrated' in form ? 'warning' : 'passed'}`,
    )
    expect(found).toEqual(expected.toSorted())
  })

  test.each(forms.map((form) => [form.clauses.join(', '), form] as const))(
    '[%s] is told apart in the form of V1 and that of V2',
    async (_, form) => {
      const [clause] = form.clauses
      if ('migrated' in form)
        expect(await certify([form], form.migrated)).toEqual([`${clause} passed`])
      else expect(await certify([form], form.defect)).toEqual([`${clause} warning`])
    },
  )
})

test('forms name clauses of the register, and their roles are bound by them', () => {
  const foreign = v1Forms.flatMap(({ clauses: named }) => named.filter((id) => !clauses.has(id)))
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
