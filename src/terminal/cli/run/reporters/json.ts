/** JSON: all data as one document. */
import { compact } from '../../../../core/base/compact.ts'
import { jsonDocument } from '../../reporters/findings.ts'
import { countRuns, type RunReporter, runResults } from '../report.ts'

export const runJsonReporter: RunReporter = {
  name: 'json',
  summary: 'for programs: everything, as one JSON document',
  form: 'document',
  finish(report) {
    const { runs, tookMs, halted, interrupted, unstable, version, notSelected } = report
    return jsonDocument({
      sparring: version,
      ok:
        runs.every(({ result }) => result !== 'failed' && result !== 'stopped') &&
        halted === undefined &&
        !interrupted,
      ...Object.fromEntries(runResults.map((each) => [each, countRuns(report, each)])),
      tookMs: Math.round(tookMs),
      ...compact({ halted, interrupted, notSelected }),
      unstable,
      runs: runs.map(({ outcome, tookMs: ms, total: _total, session: _session, ...run }) => ({
        ...run,
        tookMs: Math.round(ms),
        ...(outcome
          ? {
              sessionMs: outcome.tookMs,
              channel: outcome.run.channel,
              steps: outcome.steps,
              orders: outcome.orders,
              verdicts: outcome.verdicts,
              notExercised: outcome.unexercised.map(({ id }) => id),
              advice: [...new Set(outcome.advice.map(({ id }) => id))],
              journal: outcome.journal,
            }
          : {}),
      })),
    })
  },
}
