/** What covers the overview: the story of a bucket, or the keys. */
import type { Bucket } from '../investigation/bucket.ts'
import { certaintyText, keptTexts, paceTexts, reproducerTexts } from '../campaign/campaign-text.ts'
import { clauseWithPlace } from '../../core/protocol/clause.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import {
  bindingKeysText,
  helpLine,
  keysWidth,
} from '../../terminal/dashboard/keys/documented-key.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import {
  emptyRow,
  type Row,
  row,
  span,
  type Tone,
  wrapSpans,
} from '../../terminal/dashboard/view/text/row.ts'
import { coverageMapOf, shortStateNames } from './heat-map.ts'
import { campaignKeyTexts } from './key-texts.ts'
import { bodyHeight, type CampaignModel, chosenBucket } from './model.ts'

/** Rows of the text below its title. */
export const textHeight = (model: CampaignModel): number => Math.max(1, bodyHeight(model) - 1)

const heading = (text: string): readonly Row[] => [emptyRow, row(span(` ${text}`, 'strong'))]

function storyRows(
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

function helpRows(model: CampaignModel): readonly Row[] {
  const { columns, state } = model
  const width = keysWidth(campaignKeyTexts)
  const pace = paceTexts(state.pace())
  const { states } = coverageMapOf(model)
  const names = shortStateNames(states, 2)
  return [
    row(span(' keys', 'strong')),
    ...campaignKeyTexts.map((key) =>
      helpLine(bindingKeysText(key), key.title, { width: columns, keyWidth: width }),
    ),
    ...heading('states in the coverage'),
    ...states.map((each, index) =>
      helpLine(names[index] ?? '', each === '-' ? 'about no order, or before it is placed' : each, {
        width: columns,
        keyWidth: width,
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

/** All rows of the open text. */
export function openTextRows(model: CampaignModel): readonly Row[] {
  if (model.view === 'help') return helpRows(model)
  const bucket = chosenBucket(model)
  return bucket ? storyRows(bucket, model) : []
}

function titleOf(model: CampaignModel): string {
  if (model.view === 'help') return 'Keys'
  const { rule = '', id = '', status = '' } = chosenBucket(model) ?? {}
  return `${rule} ${id} ${status}`
}

/** The rows that are visible, below their title. */
export function openTextArea(model: CampaignModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const rows = openTextRows(model)
  const height = textHeight(model)
  const top = Math.max(0, Math.min(model.top, rows.length - height))
  const where =
    rows.length > height
      ? [span(`${top + 1}-${Math.min(rows.length, top + height)} of ${rows.length}`, 'muted')]
      : []
  const title = ruledRow({ rect, glyphs }, true, [span(titleOf(model), 'accent')], where)
  return [title, ...rows.slice(top, top + height)]
}
