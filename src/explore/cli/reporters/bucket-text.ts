/** A bucket as plain text: what was broken, its smallest reproducer, and the command that plays it again. */
import type { BrokenRule } from '../../schedules/broken-rule.ts'
import { keptTexts, reproducerTexts } from '../../campaign/campaign-text.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { evidenceLines, indented } from '../../../terminal/cli/reporters/rule-lines.ts'
import { clauseWithPlace } from '../../../core/protocol/clause.ts'
import type { ReportedBucket } from '../explore-report.ts'

const asLines = (texts: readonly string[]): readonly string[] =>
  texts.map((each) => escapeControls(each))

/** The last lines that the service wrote. */
export const outputLines = (output: BrokenRule['output'] = []): readonly string[] =>
  asLines(output).map((line) => `| ${line}`)

/** All of it, without a heading. The paragraph says why, how certain it is, and what to do. */
export function bucketLines(reported: ReportedBucket): readonly string[] {
  const { bucket, sentence, clauses, paragraph } = reported
  const { failure, alsoBroken, trace, hits, runsToFind } = bucket
  const [workload = '', ...faults] = asLines(reproducerTexts(bucket))
  return [
    escapeControls(paragraph),
    ...indented([...evidenceLines(failure.evidence), ...outputLines(failure.output)]),
    ...(trace === '' ? [] : [`  ${escapeControls(trace)}`]),
    `under ${workload}`,
    ...indented(faults),
    `${pluralise(hits, 'schedule')} failed with it, the first after ${pluralise(runsToFind, 'run')}`,
    ...(alsoBroken.length === 0 ? [] : [`with it ${alsoBroken.join(', ')}`]),
    sentence,
    ...clauses.map((clause) => `${clause.id}  ${clauseWithPlace(clause)}`),
    ...asLines(keptTexts(reported)),
  ]
}
