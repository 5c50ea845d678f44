/** One self-contained HTML page of all runs, each with the session that was played. */
import { type ReportedRun, runsPage } from '../../../page/session/report-page.ts'
import { pluralise } from '../../../../core/protocol/count-text.ts'
import {
  runCountsText,
  type RunReport,
  type RunReporter,
  unexercisedCountText,
  unexercisedTexts,
} from '../report.ts'
import { failureText } from './pretty.ts'
import { secondsText } from '../../reporters/rule-lines.ts'

const reportedRun = (run: RunReport): ReportedRun => {
  const { title, repetition, result, because, file, seed, tookMs, again, failures, outcome } = run
  return {
    title: repetition > 1 ? `${title} #${repetition}` : title,
    result,
    facts: [
      ['file', file],
      ['seed', String(seed)],
      ['took', secondsText(tookMs)],
      ...(because === undefined ? [] : [['because', because] as const]),
      ...(run.hint === undefined ? [] : [['hint', run.hint] as const]),
      ...unexercisedTexts(run).map((text) => ['not exercised', text] as const),
      ['again', again],
    ],
    failures: [
      ...failures.map((failure) => failureText(failure, file)),
      ...(run.output === undefined || run.output.length === 0 ? [] : [run.output.join('\n')]),
    ],
    steps: (outcome?.steps ?? []).map((step) => ({
      text: `${step.number}. ${step.text}${step.because === undefined ? '' : `: ${step.because}`}`,
      result: step.result,
    })),
    ...(run.session === undefined ? {} : { session: run.session }),
  }
}

export const runHtmlReporter: RunReporter = {
  name: 'html',
  summary: 'for people who were not there: one page with diagrams, faults and verdicts',
  form: 'document',
  finish(report) {
    const { runs, tookMs, halted, unstable, version } = report
    const summary = `${pluralise(runs.length, 'run')}: ${runCountsText(report) || 'nothing was played'}, in ${secondsText(tookMs)}, sparring ${version}`
    return runsPage({
      title: 'Report of scenarios',
      summary,
      notes: [
        ...[halted, unexercisedCountText(report)].filter((note) => note !== undefined),
        ...unstable.map((title) => `unstable: ${title}: it came out differently`),
      ],
      runs: runs.map(reportedRun),
    })
  },
}
