/** Text for people: each procedure as it ends, then what is not passed, and the counts of each area. */
import type { CheckOutcome } from '../../judge/judge-checks.ts'
import {
  type CertificationReport,
  countOutcomes,
  outcomeCountsText,
  resultsByArea,
} from '../../report/report.ts'
import { green, grey, red, type Style, yellow } from '../../../terminal/cli/reporters/reporter.ts'
import { indented, secondsText } from '../../../terminal/cli/reporters/rule-lines.ts'
import { type CertifyReporter, resultLines } from './result-lines.ts'

const marks: Readonly<Record<CheckOutcome, readonly [mark: string, color: typeof red]>> = {
  passed: ['ok  ', green],
  failed: ['FAIL', red],
  warning: ['warn', yellow],
  skipped: ['skip', grey],
  attestation: ['ask ', yellow],
}

/** What is left to do, in the order of a migration. */
const stepLines = ({ migration }: CertificationReport): readonly string[] =>
  migration.map(({ name, state, left }) => [name, state, ...left].join('  '))

function areaLines({ results }: CertificationReport): readonly string[] {
  return Array.from(
    resultsByArea(results),
    ([area, ofArea]) => `${area}  ${outcomeCountsText(countOutcomes(ofArea))}`,
  )
}

/** Outcomes that are listed at the end: failures last, where the eye is. */
const listedOutcomes: readonly CheckOutcome[] = ['warning', 'failed']

const headLine = (outcome: CheckOutcome, text: string, style: Style): string => {
  const [mark, color] = marks[outcome]
  return `${color(mark, style)}  ${text}`
}

export const certifyPretty: CertifyReporter = {
  name: 'pretty',
  summary: 'for people',
  form: 'lines',
  ended({ procedure, state, why, number, of, tookMs = 0 }, style) {
    if (state === 'begins' || style.quiet) return ''
    const outcome = state === 'done' ? 'passed' : 'skipped'
    const text = why === undefined ? procedure : `${procedure}: ${why}`
    return `${headLine(outcome, text, style)} ${grey(`${number}/${of} ${secondsText(tookMs)}`, style)}\n`
  },
  finish({ report, exchanges }, style) {
    const { results, leftovers, halted, counts, role, service, tookMs } = report
    const listed = listedOutcomes.flatMap((outcome) =>
      results
        .filter((each) => each.outcome === outcome)
        .flatMap((each) => [
          headLine(outcome, `${each.clauses.join(', ')}  ${each.level}`, style),
          ...indented(resultLines(each, exchanges), 6),
        ]),
    )
    const lines = [
      ...listed,
      ...(listed.length > 0 ? [''] : []),
      ...(style.quiet ? [] : report.speaks === 'v1' ? stepLines(report) : areaLines(report)),
      ...leftovers.map((each) => `stays at the service: ${each}`),
      ...(halted === undefined ? [] : [`${red('ended before its time', style)}: ${halted}`]),
      `${role} at ${service}: ${halted === undefined ? '' : 'incomplete, '}${outcomeCountsText(counts)} in ${secondsText(tookMs)}`,
    ]
    return `${lines.join('\n')}\n`
  },
}
