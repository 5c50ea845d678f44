/** Proves checks: each passes on our own counterpart, and fails on the same counterpart with the defect made for it. */
import { describe, expect, test } from 'vitest'
import { type Role, roles } from '../../src/protocol/role.ts'
import type { CheckResult } from '../../src/certification/judge-checks.ts'
import type { Check } from '../../src/certification/check.ts'
import { certifyCounterpart } from './certified-counterpart.ts'

const describedResult = ({ clause, outcome, problems, why = '' }: CheckResult): string =>
  `${clause} ${outcome} ${why}${problems.map(({ text }) => text).join('; ')}`.trim()

/** What the outcome is when the defect is found: a violation of a MUST fails. */
const foundOutcomes = ['failed', 'warning']

/** Tests of all checks of an area, by role. */
export function proveChecks(area: string, checks: readonly Check[]): void {
  for (const role of roles) proveForRole(area, role, checks)
}

function proveForRole(area: string, role: Role, all: readonly Check[]): void {
  const checks = all.filter((check) => check.roles.includes(role))
  if (checks.length === 0) return
  describe(`${area}, ${role}`, () => {
    test('our own counterpart passes every check', async () => {
      const { results } = await certifyCounterpart({ role, checks })
      const others = results.filter(({ outcome }) => outcome !== 'passed')
      expect(others.map(describedResult)).toEqual([])
    })
    const proven = checks.filter(({ defect }) => !('unproven' in defect))
    test.each(proven.map((check) => [check.clauses.join(', '), check] as const))(
      '[%s] fails on a counterpart with its defect',
      async (_, check) => {
        const { defect } = check
        if ('unproven' in defect) throw new Error('it has no defect')
        const { results } = await certifyCounterpart({ role, checks: [check], defect })
        const [result] = results
        expect(
          foundOutcomes.includes(result?.outcome ?? '') || (result && describedResult(result)),
        ).toBe(true)
      },
    )
  })
}
