/**
 * Proves checks: each passes on our own counterpart, and fails on the same counterpart with the defect made for it. Most
 * defects show when the traffic of the passing one is played through them, which takes milliseconds; a session is opened for
 * those that do not, and in a soak for every one.
 */
import { procedures } from '../../src/certify/judge/catalogue.ts'
import { describe, expect, test } from 'vitest'
import type { Check } from '../../src/certify/judge/check.ts'
import type { Certification } from '../../src/certify/judge/certify.ts'
import type { Defect } from '../../src/certify/judge/defect.ts'
import { type CheckResult, judgeTrace } from '../../src/certify/judge/judge-checks.ts'
import { createTrace } from '../../src/certify/judge/trace.ts'
import { type Role, roles } from '../../src/core/protocol/role.ts'
import { certifyCounterpart } from './certified-counterpart.ts'
import { replayThroughDefect } from './replay-defect.ts'
import { isSoak } from './soak.ts'

const describedResult = ({ clause, outcome, problems, why = '' }: CheckResult): string =>
  `${clause} ${outcome} ${why}${problems.map(({ text }) => text).join('; ')}`.trim()

/** Whether the defect is found: a violation of a MUST fails, of others it warns. */
const isFound = ([result]: readonly CheckResult[]): boolean =>
  result?.outcome === 'failed' || result?.outcome === 'warning'

/** Tests of all checks of an area, by role. */
export function proveChecks(area: string, checks: readonly Check[]): void {
  for (const role of roles) proveForRole(area, role, checks)
}

function proveForRole(area: string, role: Role, all: readonly Check[]): void {
  const checks = all.filter((check) => check.roles.includes(role))
  if (checks.length === 0) return
  let passing: Promise<Certification> | undefined
  const passingCertification = (): Promise<Certification> =>
    (passing ??= certifyCounterpart({ role, checks }))

  async function resultInTraffic(check: Check, defect: Defect): Promise<readonly CheckResult[]> {
    const { trace } = await passingCertification()
    return judgeTrace(createTrace(await replayThroughDefect(trace, defect)), {
      checks: [check],
      procedures,
      unchecked: [],
    })
  }

  describe(`${area}, ${role}`, () => {
    test('our own counterpart passes every check', async () => {
      const { results } = await passingCertification()
      const others = results.filter(({ outcome }) => outcome !== 'passed')
      expect(others.map(describedResult)).toEqual([])
    })
    const proven = checks.filter(({ defect }) => !('unproven' in defect))
    test.each(proven.map((check) => [check.clauses.join(', '), check] as const))(
      '[%s] fails on a counterpart with its defect',
      async (_, check) => {
        const { defect } = check
        if ('unproven' in defect) throw new Error('it has no defect')
        let results = isSoak ? [] : await resultInTraffic(check, defect)
        if (!isFound(results))
          ({ results } = await certifyCounterpart({ role, checks: [check], defect }))
        expect(isFound(results) || results.map(describedResult)).toBe(true)
      },
    )
  })
}
