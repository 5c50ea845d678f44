/** The buckets as a list, with the smallest reproducer of each; below it, where there is room, more about the chosen one. */
import type { Bucket, BucketStatus } from '../investigation/bucket.ts'
import { reproducerTexts, shortReproducerText } from '../campaign/campaign-text.ts'
import { listRows } from '../../terminal/dashboard/list-screen/list-screen.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import { hintRows } from '../../terminal/dashboard/view/panes/pane.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import {
  columnSpans,
  type Row,
  row,
  rowWithEnds,
  type Span,
  span,
  type Tone,
  wrapSpans,
} from '../../terminal/dashboard/view/text/row.ts'
import { type CampaignModel, chosenBucketIndex, listedBuckets } from './model.ts'

const tones: Readonly<Record<BucketStatus, Tone>> = {
  confirmed: 'err',
  seen: 'err',
  flaky: 'warn',
  suspected: 'muted',
}

/** Rules that are broken without any fault, at the right of the title. */
function steadySpans({ state: { steadyFailures } }: CampaignModel): readonly Span[] {
  const rules = [...new Set([...steadyFailures.values()].map(({ rule }) => rule))]
  return rules.length === 0 ? [] : [span(`without faults: ${rules.join(', ')}`, 'err')]
}

function bucketCells(bucket: Bucket, width: number): readonly Span[] {
  const { rule, status, hits } = bucket
  return columnSpans(width - 1, [
    { text: rule, width: 6, tone: 'strong' },
    { text: status, width: 9, tone: tones[status] },
    { text: `x${hits}`, width: 5, align: 'right', tone: 'muted' },
    { text: shortReproducerText(bucket) },
  ])
}

const emptyRows = ({ state, ended }: CampaignModel, width: number): readonly Row[] =>
  hintRows(
    width,
    ended
      ? 'Nothing that was tried breaks a rule.'
      : state.phase() === 'steady'
        ? 'Each workload runs without faults first.'
        : 'Nothing that was tried so far breaks a rule.',
  )

const detailRows = (bucket: Bucket, width: number): readonly Row[] => [
  ...wrapSpans([span(` ${bucket.failure.because}`)], width),
  ...reproducerTexts(bucket).flatMap((text, index) =>
    wrapSpans([span(index === 0 ? ` under ${text}` : `   ${text}`, 'muted')], width),
  ),
]

/** The first rows; a mark at the end of the last one says that there are more. */
function cutRows(rows: readonly Row[], height: number, width: number): readonly Row[] {
  if (rows.length <= height) return rows
  const last = rows[height - 1]?.spans ?? []
  return [...rows.slice(0, height - 1), rowWithEnds(width, last, [span('~', 'muted')])]
}

export function bucketListRows(model: CampaignModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
  const buckets = listedBuckets(model)
  const title = ruledRow(
    { rect, glyphs },
    true,
    [span(`Buckets ${buckets.length}`, 'accent')],
    steadySpans(model),
  )
  const height = rect.height - 1
  const chosen = chosenBucketIndex(buckets, model)
  if (chosen === undefined) return [title, ...emptyRows(model, rect.width)]
  const list = listRows(buckets.length, chosen, height, (index) => {
    const bucket = buckets[index]
    return bucket ? bucketCells(bucket, rect.width) : []
  })
  const spare = height - list.length
  const bucket = buckets[chosen]
  const details =
    bucket && spare > 1 ? cutRows(detailRows(bucket, rect.width), spare - 1, rect.width) : []
  return [title, ...list, ...(details.length > 0 ? [row(), ...details] : [])]
}
