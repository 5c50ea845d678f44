/** What covers the overview: the story of a bucket, or the help. */
import type { Bucket } from '../investigation/bucket.ts'
import { certaintyText, keptTexts, paceTexts, reproducerTexts } from '../campaign/campaign-text.ts'
import { clauseWithPlace } from '../../core/protocol/clause.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { helpLine } from '../../terminal/dashboard/keys/documented-key.ts'
import {
  emptyRow,
  type Row,
  row,
  span,
  type Tone,
  wrapSpans,
} from '../../terminal/dashboard/view/text/row.ts'
import { coverageMapOf, shortStateNames } from './heat-map.ts'
import type { CampaignModel } from './model.ts'

const heading = (text: string): readonly Row[] => [emptyRow, row(span(` ${text}`, 'strong'))]

export function storyRows(
  bucket: Bucket,
  { columns, heading: { details } }: CampaignModel,
): readonly Row[] {
  const { failure, trace, alsoBroken, runsToFind, shrinkRuns } = bucket
  const found = details(bucket)
  const { paragraph, clauses, sentence, remedy } = found
  const wrapped = (text: string, tone: Tone = 'plain'): readonly Row[] =>
    wrapSpans([span(` ${text}`, tone)], columns)
  const [workload = '', ...faults] = reproducerTexts(bucket)
  return [
    ...wrapped(paragraph),
    ...heading('The smallest schedule that fails'),
    ...wrapped(workload),
    ...faults.flatMap((each) => wrapped(`- ${each}`, 'warn')),
    ...wrapped(certaintyText(bucket), 'muted'),
    ...wrapped(
      `found after ${pluralise(runsToFind, 'run')}, made smaller in ${pluralise(shrinkRuns, 'more run')}`,
      'muted',
    ),
    ...(alsoBroken.length === 0 ? [] : wrapped(`breaks ${alsoBroken.join(', ')} as well`, 'muted')),
    ...heading('What happened'),
    ...failure.evidence.flatMap(({ seq, line }) => wrapped(`#${seq}  ${line}`)),
    ...(trace === '' ? [] : trace.split(' > ').flatMap((each) => wrapped(each, 'muted'))),
    ...heading('The rule'),
    ...wrapped(sentence),
    ...wrapped(`fix: ${remedy}`),
    ...clauses.flatMap((clause) => wrapped(`${clause.id}  ${clauseWithPlace(clause)}`, 'muted')),
    ...heading('To play it again'),
    ...keptTexts(found).flatMap((each) => wrapped(each, 'info')),
  ]
}

/** The keys, what the states in the coverage stand for, and the pace of the service. */
export function campaignHelpRows(
  { columns, state }: CampaignModel,
  keyRows: readonly Row[],
  keyWidth: number,
): readonly Row[] {
  const pace = paceTexts(state.pace())
  const { states } = coverageMapOf({ state })
  const names = shortStateNames(states, 2)
  return [
    row(span(' keys', 'strong')),
    ...keyRows,
    ...heading('states in the coverage'),
    ...states.map((each, index) =>
      helpLine(names[index] ?? '', each === '-' ? 'about no order, or before it is placed' : each, {
        width: columns,
        keyWidth,
      }),
    ),
    ...(pace.length === 0
      ? []
      : [
          ...heading('the pace of your service, as learned'),
          ...wrapSpans([span(` It ${pace.join(', ')}.`)], columns),
        ]),
  ]
}
