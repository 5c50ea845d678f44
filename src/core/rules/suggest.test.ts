/** The kinds of failures, and what is suggested of them. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scenarioChecks } from '../../../test/support/scenario-check.ts'
import { loadScenarios } from '../../terminal/cli/run/load-scenarios.ts'
import { faultPort } from '../faults/port.ts'
import type { Role } from '../protocol/role.ts'
import { invariants } from './invariants/catalogue.ts'
import { integrationFailures as kinds, suggest } from './suggest.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const proofs = scenarioChecks(await loadScenarios(['scenarios/**/*.yaml'], root)).map(
  ({ file, defect, breaks }) => `${file} ${defect} ${breaks}`,
)

test.each(kinds.map((each) => [each.kind, each] as const))(
  '%s: its story proves that its rule catches its mistake, and its fault can be added',
  (_kind, { scenario, defect, rule, fault }) => {
    expect(proofs).toContain(`scenarios/${scenario}.yaml ${defect} ${rule}`)
    expect(faultPort.check(fault)).toMatchObject({ ok: true })
  },
)

test('there are more than fifty kinds, each once', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(54)
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length)
})

const rules = invariants.map(({ id }) => ({ id, isExercised: false }))

test('five faults of five kinds, those of rules that nothing has exercised first', () => {
  const { next, met, notExercised } = suggest(rules, [])
  expect(new Set(next.map(({ fault }) => fault.split(':')[0])).size).toBe(5)
  expect([met, notExercised.length]).toEqual([[], rules.length])
  const late = rules.map(({ id }) => ({ id, isExercised: id !== 'WH-3' }))
  expect(suggest(late, []).next[0]).toMatchObject({ rule: 'WH-3' })
})

test('a kind is met when its fault has fired and its rule was exercised; which order, if its contents matter', () => {
  const exercised = rules.map(({ id }) => ({ id, isExercised: true }))
  const fired = ['fail:operation=getOrder', 'odd-order:sample=item-by-weight']
  const { met } = suggest(exercised, fired)
  expect(met).toContain('redelivery taken for a duplicate after a failed read')
  expect(met).toContain('goods by weight')
  expect(met).not.toContain('longer than the column')
})

test('what a rule lacks in this session is said, and comes last', () => {
  const needing = rules.map((rule) =>
    rule.id === 'EF-1' || rule.id === 'EF-2' ? { ...rule, needs: ['subject.effects'] } : rule,
  )
  const { needs, next } = suggest(needing, [])
  expect(needs).toEqual({ 'subject.effects': ['EF-1', 'EF-2'] })
  expect(next.map(({ rule }) => rule)).not.toContain('EF-1')
})

test('a fault that acts on no call of the service and on no event for it is left out', () => {
  const faultsFor = (role: Role) => suggest(rules, [], role).next.map(({ fault }) => fault)
  for (const role of ['ordering-application', 'delivery-platform', 'crm'] as const)
    expect(faultsFor(role).join(' ')).not.toMatch(/confirmOrder|getOrder|event=/)
  const all = rules.map(({ id }) => ({ id, isExercised: id !== 'SE-2' }))
  expect(suggest(all, [], 'ordering-application').next[0]?.fault).toContain('createDelivery')
})

test('kinds of rules that do not apply to the service are left out', () => {
  const { next, notMet } = suggest([{ id: 'HO-1', isExercised: false }], [])
  expect([next, notMet]).toEqual([[], []])
})
