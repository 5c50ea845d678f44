/** A bucket as plain text: what was broken, its smallest reproducer, and the command that plays it again. */
import { certaintyText, scheduledFaultWords } from '../../../exploration/campaign-text.ts'
import type { Bucket } from '../../../exploration/bucket.ts'
import { pluralise } from '../../../protocol/count-text.ts'
import { escapeControls } from '../../../traffic/escape-controls.ts'
import { evidenceLines, indented, ruleLines } from '../../reporters/rule-lines.ts'
import type { ReportedBucket } from '../explore-report.ts'

/** The smallest schedule that fails: its faults in words, one each line, after its workload. */
export function reproducerLines({ schedule }: Bucket): readonly string[] {
  const { workload, trim = {}, faults } = schedule
  const orders = trim.orders === undefined ? '' : `, only ${trim.orders.join(' and ')}`
  const steps = trim.steps === undefined ? '' : `, only its first ${pluralise(trim.steps, 'step')}`
  return [
    `${workload}${orders}${steps}${faults.length === 0 ? ', without any fault' : ''}`,
    ...faults.map(scheduledFaultWords),
  ]
}

/** What is kept of it, and how it is played again. */
export const keptLines = ({ file, recording, again }: ReportedBucket): readonly string[] => [
  ...(file === undefined ? [] : [`scenario: ${escapeControls(file)}`]),
  ...(recording === undefined ? [] : [`recording: ${escapeControls(recording)}`]),
  `again: ${escapeControls(again)}`,
]

/** All of it, without a heading. */
export function bucketLines(reported: ReportedBucket): readonly string[] {
  const { bucket, clauses, paragraph } = reported
  const { failure, alsoBroken, trace } = bucket
  const [workload = '', ...faults] = reproducerLines(bucket)
  return [
    escapeControls(failure.because),
    ...indented(evidenceLines(failure.evidence)),
    ...(trace === '' ? [] : [`  ${escapeControls(trace)}`]),
    `under ${workload}`,
    ...indented(faults.map((each) => escapeControls(each))),
    certaintyText(bucket),
    ...(alsoBroken.length === 0 ? [] : [`with it ${alsoBroken.join(', ')}`]),
    ...ruleLines(reported, clauses),
    escapeControls(paragraph),
    ...keptLines(reported),
  ]
}
