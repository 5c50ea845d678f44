/** The areas of a campaign's screen with their rows. */
import { pluralise } from '../../core/protocol/count-text.ts'
import { keyRow, keySpans, questionSpans } from '../../terminal/dashboard/keys/documented-key.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import type { RowsArea } from '../../terminal/dashboard/runtime/area-screen.tsx'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import { type Row, rowWithEnds, span } from '../../terminal/dashboard/view/text/row.ts'
import { bucketListRows } from './bucket-list.ts'
import { coverageMapOf, heatMapHeight, heatMapRows } from './heat-map.ts'
import { headingRows } from './heading.ts'
import { campaignFooterKeys } from './keys.ts'
import { bodyHeight, type CampaignModel, headingHeight } from './model.ts'
import { openTextArea } from './open-text.ts'

/** A smaller screen has no room for the coverage. */
const minColumns = 56
const minRows = 14
/** Rows that the list of buckets keeps, its title among them. */
const minBucketRows = 5

/** The schedule that was run last: its strategy, its workload, its faults. */
function workRow({ last, columns, ended }: CampaignModel): Row {
  if (!last) return rowWithEnds(columns, [], [])
  const { index, strategy, workload, faults, exercised } = last
  const fired = exercised.length === 0 ? 'none fired' : exercised.join(', ')
  return rowWithEnds(
    columns,
    [
      span(ended ? ' last ' : ' now  ', 'muted'),
      span(`#${index} ${strategy} `, 'accent'),
      span(`${workload}, ${pluralise(faults, 'fault')}: `),
      span(fired, 'muted'),
    ],
    [],
  )
}

function footerRow(model: CampaignModel): Row {
  const { columns, stop, notice } = model
  if (stop === 'asked')
    return rowWithEnds(columns, questionSpans('Stop the campaign?', 'y yes', 'n no'), [])
  const keys = campaignFooterKeys(model)
  const right = keySpans(keys.filter(({ always }) => always === true))
  const hints = keySpans(keys.filter(({ always }) => always !== true))
  return keyRow(notice ? [span(` ${notice.text}`, notice.tone)] : [], hints, right, columns)
}

function overviewAreas(model: CampaignModel, body: Rect, glyphs: Glyphs): readonly RowsArea[] {
  const { columns, rows } = model
  const hasCoverage = columns >= minColumns && rows >= minRows
  const work = Math.min(1, body.height)
  const room = body.height - work
  const coverage = hasCoverage
    ? heatMapHeight(coverageMapOf(model), columns, room - minBucketRows)
    : 0
  const buckets: Rect = { ...body, height: room - coverage }
  const map: Rect = { ...body, y: body.y + buckets.height, height: coverage }
  const last: Rect = { ...body, y: body.y + room, height: work }
  return [
    { name: 'buckets', rect: buckets, make: () => bucketListRows(model, buckets, glyphs) },
    { name: 'coverage', rect: map, make: () => heatMapRows(model, map, glyphs) },
    { name: 'work', rect: last, make: () => [workRow(model)] },
  ]
}

/** From top to bottom. */
export function campaignAreas(model: CampaignModel, glyphs: Glyphs): readonly RowsArea[] {
  const { columns, rows, view } = model
  const top = headingHeight(model)
  const header: Rect = { x: 0, y: 0, width: columns, height: Math.min(top, rows) }
  const body: Rect = { x: 0, y: top, width: columns, height: bodyHeight(model) }
  const footer: Rect = { x: 0, y: rows - 1, width: columns, height: rows > top ? 1 : 0 }
  const areas: readonly RowsArea[] = [
    { name: 'heading', rect: header, make: () => headingRows(model, glyphs) },
    ...(view === 'overview'
      ? overviewAreas(model, body, glyphs)
      : [{ name: 'text', rect: body, make: () => openTextArea(model, body, glyphs) }]),
    { name: 'footer', rect: footer, make: () => [footerRow(model)] },
  ]
  return areas.filter(({ rect }) => rect.height > 0 && rect.width > 0)
}
