/** JSON: all data as one document. */
import { compact } from '../../../../core/base/compact.ts'
import { jsonDocument } from '../../reporters/findings.ts'
import {
  countRuns,
  type RunReport,
  type RunReporter,
  runResults,
  unexercisedCountText,
  unexercisedTexts,
} from '../report.ts'

function runDocument(run: RunReport): object {
  const { outcome, tookMs, total: _total, session: _session, unexercised, ...rest } = run
  const unsaid = unexercisedTexts(run).join('; ')
  return {
    ...(unsaid === '' ? {} : { because: unsaid }),
    ...rest,
    tookMs: Math.round(tookMs),
    ...(unexercised ? { notExercised: unexercised.map(({ id }) => id) } : {}),
    ...(outcome
      ? {
          sessionMs: outcome.tookMs,
          channel: outcome.run.channel,
          steps: outcome.steps,
          orders: outcome.orders,
          verdicts: outcome.verdicts,
          advice: [...new Set(outcome.advice.map(({ id }) => id))],
          journal: outcome.journal,
        }
      : {}),
  }
}

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
      ...compact({
        halted,
        interrupted,
        notSelected,
        claims: unexercisedCountText(report),
      }),
      unstable,
      runs: runs.map(runDocument),
    })
  },
}
