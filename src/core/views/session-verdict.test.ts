/** The verdict of a session in one object. */
import { expect, test } from 'vitest'
import type { SessionInfo } from '../session-api/session-api.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import { sessionVerdict } from './session-verdict.ts'

const info = { contact: { connected: 1 } } as unknown as SessionInfo

const verdict = (id: string, part: object): Verdict =>
  ({
    id,
    name: id,
    premises: 1,
    findings: [],
    clauses: [],
    outcome: 'passed',
    ...part,
  }) as unknown as Verdict

const advised = verdict('RT-5', {
  outcome: 'failed',
  findings: [{ because: 'It repeated a call.', advice: true, evidence: [] }],
})

test('advice is counted as advice, and breaks nothing', () => {
  const { passed, counts, broken } = sessionVerdict([advised, verdict('SE-1', {})], info, undefined)
  expect({ passed, broken }).toEqual({ passed: true, broken: [] })
  expect(counts).toMatchObject({ failed: 0, advice: 1, passed: 1 })
})

test('a session that went back is not judged, and says why', () => {
  const { exit, because } = sessionVerdict([], { ...info, forked: 60 }, undefined)
  expect(exit).toBe(2)
  expect(because).toMatch(/^No rule is checked since the session went back: your service remembers/)
  expect(sessionVerdict([], info, undefined).because).toMatch(/no service takes part/)
})
