// @module-tag slow
/**
 * All checks of a role in one certification, as a user runs it: our own counterpart passes each of them, whatever other
 * procedures have left behind, also by the redacted recording, which is what a report is made of.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { certifyCounterpart } from '../../../test/support/certified-counterpart.ts'
import { redactedTrace } from '../cli/run-certify.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { roles } from '../../core/protocol/role.ts'
import { checks, procedures } from './catalogue.ts'
import { type CheckResult, judgeTrace } from './judge-checks.ts'
import { createTrace } from './trace.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-whole-roles-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const notPassed = (results: readonly CheckResult[]): readonly string[] =>
  results
    .filter(({ outcome }) => outcome !== 'passed')
    .map(
      ({ clause, outcome, why, problems }) => `${clause} ${outcome}: ${why ?? problems[0]?.text}`,
    )

test.each(roles)('our own %s passes every check, also by its redacted recording', async (role) => {
  const ofRole = checks.filter((each) => each.roles.includes(role))
  const recording = join(folder, `${role}.rec.ndjson`)
  const { trace, results } = await certifyCounterpart({ role, checks: ofRole, recording })
  expect(notPassed(results)).toEqual([])
  const read = await readRecording(recording)
  if (!read.ok) throw new Error(read.error)
  const redacted = createTrace(redactedTrace(trace, read.value.exchanges))
  expect(notPassed(judgeTrace(redacted, { checks: ofRole, procedures, unchecked: [] }))).toEqual([])
  expect(redacted.all).toHaveLength(trace.exchanges.length)
})
