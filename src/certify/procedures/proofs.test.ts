// @module-tag slow
/**
 * Proof of every check, by one certification of a role as a user runs it: our own counterpart passes it, whatever other
 * procedures have left behind, also by the redacted recording, which is what a report is made of; the same traffic with one
 * mistake does not pass; and the traffic keeps to our own documents, also where we call it wrongly on purpose.
 *
 * What is certified by area is left to the nightly: every procedure and check of it is in the whole role as well.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { isUnproven, mistakesFor } from '../../../test/support/certification/mistakes.ts'
import { mutateTrace } from '../../../test/support/certification/mutate-trace.ts'
import { roles } from '../../core/protocol/role.ts'
import type { Contract } from '../../core/rules/contract/contract.ts'
import { readContract } from '../../core/runtime/files/contract-files.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { defaultConfiguration } from '../../core/session-api/configuration/defaults.ts'
import { openApiOfRole } from '../../core/session/openapi.ts'
import { redactedTrace } from '../cli/run-certify.ts'
import { checks } from '../../core/rules/checks/catalogue.ts'
import { procedures } from '../judge/catalogue.ts'
import type { Certification } from '../judge/certify.ts'
import { type CheckResult, judgeTrace } from '../judge/judge-checks.ts'
import { createTrace } from '../../core/rules/checks/trace.ts'
import { contractResult } from '../session/contract-result.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-proofs-'))
let contracts: readonly Contract[]

beforeAll(async () => {
  contracts = await Promise.all(
    roles.map((role) => {
      const file = join(folder, `${role}.json`)
      writeFileSync(file, JSON.stringify(openApiOfRole(role, defaultConfiguration())))
      return readContract({ file })
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

const notPassed = (results: readonly CheckResult[]): readonly string[] =>
  results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(
      ({ clause, outcome, why, problems }) => `${clause} ${outcome}: ${why ?? problems[0]?.text}`,
    )

describe.each(roles)('%s', (role) => {
  const ofRole = checks.filter((check) => check.roles.includes(role))
  /** By what a clause is about, as a user selects them: ORD, DIS, AUT. */
  const areas = [...Map.groupBy(ofRole, ({ clauses: [clause] }) => clause.slice(0, 3))]
  const recording = join(folder, `${role}.rec.ndjson`)
  let passing: Promise<Certification> | undefined
  const certified = (): Promise<Certification> =>
    (passing ??= certifyCounterpart({ role, checks: ofRole, recording }))

  test('our own counterpart passes every check, also by its redacted recording', async () => {
    const { trace, results } = await certified()
    expect(notPassed(results)).toEqual([])
    const read = await readRecording(recording)
    if (!read.ok) throw new Error(read.error)
    const redacted = createTrace(redactedTrace(trace, read.value))
    expect(notPassed(judgeTrace(redacted, { checks: ofRole, procedures, unchecked: [] }))).toEqual(
      [],
    )
    expect(redacted.all).toHaveLength(trace.exchanges.length)
  })

  test('the traffic with our own counterpart differs nowhere from the four documents', async () => {
    const { trace, results } = await certified()
    const result = await contractResult(contracts, { trace, service: 'http://x', results })
    expect(result.problems.map(({ text }) => text)).toEqual([])
    expect(result).toMatchObject({ outcome: 'passed', occasions: trace.exchanges.length })
    expect(result.occasions).toBeGreaterThan(200)
    expect(result.evidence).toHaveLength(5)
  })

  test.each(areas)(
    'our own counterpart passes every check of %s by the procedures that these name',
    { tags: ['nightly'] },
    async (_, ofArea) => {
      const { results } = await certifyCounterpart({ role, checks: ofArea })
      expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    },
  )

  const proven = ofRole.filter((check) => !isUnproven(check, role))
  test.each(
    proven.flatMap((check) =>
      mistakesFor(check, role, 'v2').map(
        (mistake) => [check.clauses.join(', '), mistake, check] as const,
      ),
    ),
  )('[%s] does not pass with the mistake %s', async (_, mistake, check) => {
    const { trace } = await certified()
    const catalogue = { checks: [check], procedures, unchecked: [] }
    const [result] = judgeTrace(createTrace(mutateTrace(trace, mistake)), catalogue)
    // A violation of a MUST fails, of others it warns.
    expect(['failed', 'warning']).toContain(result?.outcome)
  })
})
