/** What each rule of the catalogue needs, and when it is missing. */
import { expect, test } from 'vitest'
import { featureSwitches } from '../../protocol/operation.ts'
import type { Settings } from '../../engine/settings.ts'
import { invariants } from './catalogue.ts'
import { missingNeeds } from './needs.ts'
import { notExercisedText, type RuleNeed, type Verdict } from './verdict.ts'

/** The rules that lack something, by what it is, in a session that has these capabilities and shows this. */
function missingWith(on: readonly string[], shown: readonly RuleNeed[] = []) {
  const switchedOff = new Set(
    featureSwitches.filter((each) => each !== 'orders' && !on.includes(each)),
  )
  const lacking = invariants.flatMap((rule) => {
    const { needs } = missingNeeds(rule, { switchedOff } as unknown as Settings, shown)
    return needs ? [[needs.join(' or '), rule.id] as const] : []
  })
  return Object.fromEntries(
    Array.from(
      Map.groupBy(lacking, ([need]) => need),
      ([need, rules]) => [need, rules.map(([, id]) => id)],
    ),
  )
}

test('couriers are what these rules are about, and a probe this one; a session that has them lacks nothing', () => {
  expect(missingWith([])).toMatchObject({
    'subject.effects or logistics': ['SE-1'],
    logistics: ['SE-2', 'SE-4', 'SE-10', 'SE-14', 'CV-5'],
    'subject.probe': ['CV-6'],
  })
  expect(missingWith(['logistics'], ['subject.probe', 'subject.effects'])).toEqual({})
  expect(missingWith(['indoor'], ['subject.effects'])).toEqual({
    logistics: ['SE-2', 'SE-4', 'SE-10', 'SE-14', 'CV-5'],
    'subject.probe': ['CV-6'],
  })
})

const verdictOf = (id: string, premises: number, more: Partial<Verdict> = {}): Verdict => ({
  id,
  name: id,
  sentence: 'Must.',
  remedy: 'Do.',
  kind: 'safety',
  clauses: [],
  premise: 'it happened',
  outcome: premises > 0 ? 'passed' : 'not-exercised',
  premises,
  violations: 0,
  inconclusive: 0,
  findings: [],
  ...more,
})

test('couriers need not come where what the service does inside was counted, and must where it was not', () => {
  const couriers = verdictOf('SE-1', 0, { alsoShownBy: 'EF-1' })
  const needing = verdictOf('SE-1', 0, {
    alsoShownBy: 'EF-1',
    needs: ['subject.effects', 'logistics'],
  })
  const reason = (...verdicts: readonly Verdict[]) => notExercisedText('SE-1', verdicts)
  expect(reason(couriers, verdictOf('EF-1', 2))).toBeUndefined()
  expect(reason(couriers, verdictOf('EF-1', 0))).toBe(
    'SE-1 not exercised: it is checked when it happened',
  )
  expect(reason(needing)).toBe('SE-1 not exercised: it needs subject.effects or logistics')
  expect(reason(verdictOf('SE-1', 0), verdictOf('EF-1', 2))).toContain('SE-1 not exercised')
  expect(reason(verdictOf('SE-1', 1), verdictOf('EF-1', 0))).toBeUndefined()
  expect(notExercisedText('EF-1', [verdictOf('SE-1', 1)])).toBe(
    'EF-1 not exercised: it does not apply to your service',
  )
  // Only what stands for couriers names another rule.
  expect(
    invariants.flatMap(({ id, alsoShownBy }) => (alsoShownBy ? [[id, alsoShownBy]] : [])),
  ).toEqual([['SE-1', 'EF-1']])
})
