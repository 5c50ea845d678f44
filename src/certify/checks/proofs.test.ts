/** Proof of every check: our own counterpart passes it, and the same traffic with one mistake does not. */
import { describe, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { isUnproven, mistakeFor } from '../../../test/support/certification/mistakes.ts'
import { mutateTrace } from '../../../test/support/certification/mutate-trace.ts'
import { roles } from '../../core/protocol/role.ts'
import { checks, procedures } from '../judge/catalogue.ts'
import type { Certification } from '../judge/certify.ts'
import { judgeTrace } from '../judge/judge-checks.ts'
import { createTrace } from '../judge/trace.ts'

describe.each(roles)('%s', (role) => {
  const ofRole = checks.filter((check) => check.roles.includes(role))
  /** By what a clause is about, as a user selects them: ORD, DIS, AUT. */
  const areas = [...Map.groupBy(ofRole, ({ clauses: [clause] }) => clause.slice(0, 3))]
  let passing: Promise<Certification> | undefined
  const certified = (): Promise<Certification> =>
    (passing ??= certifyCounterpart({ role, checks: ofRole }))

  test.each(areas)(
    'our own counterpart passes every check of %s by the procedures that these name',
    async (_, ofArea) => {
      const { results } = await certifyCounterpart({ role, checks: ofArea })
      expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    },
  )

  const proven = ofRole.filter((check) => !isUnproven(check, role))
  test.each(
    proven.map(
      (check) => [check.clauses.join(', '), mistakeFor(check, role, 'v2'), check] as const,
    ),
  )('[%s] does not pass with the mistake %s', async (_, mistake, check) => {
    const { trace } = await certified()
    const catalogue = { checks: [check], procedures, unchecked: [] }
    const [result] = judgeTrace(createTrace(mutateTrace(trace, mistake)), catalogue)
    // A violation of a MUST fails, of others it warns.
    expect(['failed', 'warning']).toContain(result?.outcome)
  })
})
