/** Text for people: a line for each run, and the details of each failure. */
import type { Clause } from '../../../../core/protocol/clause.ts'
import { formatDuration } from '../../../../core/protocol/duration.ts'
import {
  adviceMeaningOf,
  isInconclusive,
  isInconclusiveVerdict,
  isViolation,
  type Verdict,
  withEvidenceOnce,
} from '../../../../core/rules/invariants/verdict.ts'
import { escapeControls } from '../../../../core/traffic/escape-controls.ts'
import {
  countRuns,
  type LocatedFailure,
  runCountsText,
  type RunReport,
  type RunReporter,
  unexercisedCountText,
  unexercisedTexts,
} from '../report.ts'
import { green, grey, red, type Style, yellow } from '../../reporters/reporter.ts'
import { evidenceLines, indented, ruleLines, secondsText } from '../../reporters/rule-lines.ts'
import { pluralise } from '../../../../core/protocol/count-text.ts'

const maxFindings = 3

function findingLines(verdict: Verdict, clauses: readonly Clause[]): readonly string[] {
  const { findings, violations } = verdict
  const shown = findings.filter(isViolation)
  const listed = (shown.length > 0 ? shown : findings).slice(0, maxFindings)
  return [
    ...withEvidenceOnce(listed).flatMap(({ because, evidence }, index) => [
      ...(index === 0 ? [] : [`  ${escapeControls(because)}`]),
      ...indented(evidenceLines(evidence), 4),
    ]),
    ...(violations > listed.length ? [`  and ${violations - listed.length} times more`] : []),
    ...indented(ruleLines(verdict, clauses)),
  ]
}

function failureLines(failure: LocatedFailure, file: string, style: Style): readonly string[] {
  const { because, place, verdict, follows, clauses = [] } = failure
  const where = place ? grey(`  ${file}:${place.line}:${place.column}`, style) : ''
  return [
    `${escapeControls(because)}${where}`,
    ...(follows === undefined ? [] : [`  with ${follows}, which failed first`]),
    ...(verdict ? findingLines(verdict, clauses) : []),
  ]
}

/** Failures that follow another stand under it, without their exchanges. */
const listedLines = (failure: LocatedFailure, file: string, style: Style): readonly string[] =>
  failure.follows === undefined
    ? failureLines(failure, file, style)
    : [`  and with it ${escapeControls(failure.because)}`]

const marks = {
  passed: ['ok  ', green],
  failed: ['FAIL', red],
  inconclusive: ['?   ', yellow],
  skipped: ['skip', yellow],
  stopped: ['stop', yellow],
} as const

function headOf(run: RunReport, style: Style): string {
  const [mark, color] = marks[run.result]
  const { outcome, tookMs } = run
  const took = outcome
    ? `${secondsText(tookMs)}, ${formatDuration(Math.round(outcome.tookMs / 100) * 100)} of the session`
    : secondsText(tookMs)
  const again = run.repetition > 1 ? `  #${run.repetition}` : ''
  const unsaid = unexercisedTexts(run).map((text) => yellow(`; ${text}`, style))
  return `${color(mark, style)}  ${escapeControls(run.title)}${again}${run.result === 'skipped' ? '' : grey(`  ${took}`, style)}${unsaid.join('')}`
}

function adviceLines({ outcome }: RunReport, style: Style): readonly string[] {
  return (outcome?.advice ?? []).map(
    (verdict) =>
      `      ${yellow('advice', style)}  ${verdict.id}: ${escapeControls(verdict.findings[0]?.because ?? '')} (${adviceMeaningOf(verdict)})`,
  )
}

/** What a run that failed may have failed of besides, had Sparring not been late. */
const inconclusiveLines = ({ outcome }: RunReport, style: Style): readonly string[] =>
  (outcome?.verdicts ?? []).filter(isInconclusiveVerdict).map(({ id, findings, clauses }) => {
    const because = findings.find(isInconclusive)?.because ?? ''
    return `      ${yellow('inconclusive', style)}  ${id}: ${escapeControls(because)} (${clauses.join(', ')})`
  })

export const runPrettyReporter: RunReporter = {
  name: 'pretty',
  summary: 'for people: a line for each run, and why one failed',
  form: 'lines',
  ended(run, style) {
    if (style.quiet && run.result !== 'failed') return ''
    const lines = [headOf(run, style)]
    if (run.because !== undefined) lines.push(`      ${escapeControls(run.because)}`)
    for (const failure of run.failures)
      lines.push(...listedLines(failure, run.file, style).map((line) => `      ${line}`))
    if (run.result === 'failed') {
      for (const { number, text } of run.outcome?.steps
        .filter(({ result }) => result === 'skipped')
        .slice(0, 1) ?? [])
        lines.push(
          grey(
            `      not done any more: step ${number} (${escapeControls(text)}) and what follows`,
            style,
          ),
        )
      lines.push(...inconclusiveLines(run, style))
      if (run.hint !== undefined) lines.push(`      ${run.hint}`)
      lines.push(
        ...(run.output ?? []).map((line) => grey(`      | ${escapeControls(line)}`, style)),
      )
      lines.push(`      seed ${run.seed}`, `      again: ${run.again}`)
    }
    if (!style.quiet) lines.push(...adviceLines(run, style))
    return `${lines.join('\n')}\n`
  },
  finish(report, style) {
    const { runs, tookMs, halted, unstable, notSelected = [] } = report
    const unexercised = unexercisedCountText(report)
    const lines = [
      ...unstable.map((title) => `${yellow('unstable', style)}  ${title}: it came out differently`),
      ...(style.quiet && halted === undefined && countRuns(report, 'failed') === 0
        ? []
        : [
            `${pluralise(runs.length, 'run')}: ${runCountsText(report) || 'nothing to play'}, in ${secondsText(tookMs)}`,
            ...(unexercised === undefined ? [] : [yellow(unexercised, style)]),
            ...notSelected.map(
              (each) => `not selected: ${pluralise(each.runs, 'run')} ${each.because}`,
            ),
          ]),
    ]
    return lines.length > 0 ? `${lines.join('\n')}\n` : ''
  },
}

/** One failure as plain text, for other reporters. */
export const failureText = (failure: LocatedFailure, file: string): string =>
  failureLines(failure, file, { color: false, quiet: false }).join('\n')
