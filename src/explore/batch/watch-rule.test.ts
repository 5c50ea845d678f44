/** When a run that is played for one rule need not be played to its end, with a session whose verdicts the test sets. */
import { expect, test } from 'vitest'
import { invariants } from '../../core/rules/invariants/catalogue.ts'
import type { Finding, Verdict } from '../../core/rules/invariants/verdict.ts'
import type { Session } from '../../core/session-api/session.ts'
import { watchRule } from './session-runner.ts'

const finding: Finding = { because: 'The service did it.', at: 0, evidence: [] }

/** Whether the run ends when its rule has these findings. */
function endsBy(rule: string, broken: string, ...findings: readonly Finding[]): boolean {
  const kind = invariants.find(({ id }) => id === broken)?.kind
  let change = (): void => undefined
  const session = {
    clock: { now: () => 0 },
    subscribe(listener: () => void) {
      change = listener
      return () => undefined
    },
    verdicts: () => [{ id: broken, kind, outcome: 'failed', findings } as unknown as Verdict],
  } as unknown as Session
  using watched = watchRule(session, rule)
  change()
  return watched.broken.aborted
}

test('what must never happen ends the run when it has happened', () => {
  expect(endsBy('SE-1', 'SE-1', finding)).toBe(true)
  expect(endsBy('RT-4', 'RT-4', finding)).toBe(true)
})

test('another rule does not end it, nor what is advice or not certain', () => {
  expect(endsBy('SE-1', 'SE-3', finding)).toBe(false)
  expect(endsBy('SE-1', 'SE-1', { ...finding, advice: true })).toBe(false)
  expect(endsBy('SE-1', 'SE-1', { ...finding, lagMs: 20 })).toBe(false)
})

test('[ORD-GEN-05] what must come in the end may still come', () => {
  expect(endsBy('CV-1', 'CV-1', finding)).toBe(false)
  expect(endsBy('RT-6', 'RT-6', finding)).toBe(false)
})

test('[AUT-TOK-04] a token that was used again was used, whatever comes later', () => {
  expect(endsBy('TK-2', 'TK-2', finding)).toBe(true)
})
