/** The time limits of judges in tests: the defaults of a session. */
import type { VerdictTolerances } from '../../src/core/rules/invariants/tracking/tracker-state.ts'

export const judgeTolerances: VerdictTolerances = {
  convergeMs: 120_000,
  graceMs: 10_000,
  pollGapMs: 500,
  webhookMs: 5000,
  tries: 6,
  reads: 8,
  coolDownMs: 10_000,
  inFlightMs: 1000,
  pace: 1,
}
