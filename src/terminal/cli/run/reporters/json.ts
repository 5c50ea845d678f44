/** JSON: all data as one document. */
import { compact } from '../../../../core/base/compact.ts'
import { countRuns } from '../report.ts'
import { defineReporter } from './reporter.ts'

export const runJsonReporter = defineReporter({
  name: 'json',
  summary: 'for programs: everything, as one JSON document',
  form: 'document',
  finish(report) {
    const { runs, tookMs, halted, interrupted, unstable, version } = report
    const document = {
      sparring: version,
      ok:
        runs.every(({ result }) => result !== 'failed' && result !== 'stopped') &&
        halted === undefined &&
        !interrupted,
      passed: countRuns(report, 'passed'),
      failed: countRuns(report, 'failed'),
      inconclusive: countRuns(report, 'inconclusive'),
      skipped: countRuns(report, 'skipped'),
      stopped: countRuns(report, 'stopped'),
      tookMs: Math.round(tookMs),
      ...compact({ halted, interrupted }),
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
              advice: [...new Set(outcome.advice.map(({ id }) => id))],
              journal: outcome.journal,
            }
          : {}),
      })),
    }
    return `${JSON.stringify(document, null, 2)}\n`
  },
})
