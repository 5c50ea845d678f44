/** What each rule of the catalogue needs, and when it is missing. */
import { expect, test } from 'vitest'
import { featureSwitches } from '../../protocol/operation.ts'
import type { Settings } from '../../engine/settings.ts'
import { invariants } from './catalogue.ts'
import { missingNeeds } from './needs.ts'
import type { RuleNeed } from './verdict.ts'

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
    logistics: ['SE-2', 'SE-4', 'SE-10', 'CV-5'],
    'subject.probe': ['CV-6'],
  })
  expect(missingWith(['logistics'], ['subject.probe', 'subject.effects'])).toEqual({})
  expect(missingWith(['indoor'], ['subject.effects'])).toEqual({
    logistics: ['SE-2', 'SE-4', 'SE-10', 'CV-5'],
    'subject.probe': ['CV-6'],
  })
})
