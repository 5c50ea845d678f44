/** The screen of a campaign: buckets with their reproducers, coverage, and the last schedule. */
import type { CampaignProgress } from '../campaign/campaign-progress.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { questionSpans } from '../../terminal/dashboard/keys/documented-key.ts'
import {
  type ListMessage,
  type ListScreen,
  type RowsArea,
  updateList,
} from '../../terminal/dashboard/list-screen/list-screen.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import { type Row, rowWithEnds, span } from '../../terminal/dashboard/view/text/row.ts'
import { bucketListRows } from './bucket-list.ts'
import { coverageMapOf, heatMapHeight, heatMapRows } from './heat-map.ts'
import { headingHeight, headingRows } from './heading.ts'
import {
  type CampaignAction,
  campaignContextOf,
  type CampaignKeyContext,
  campaignKeys,
  type StopMessage,
} from './keys.ts'
import {
  type CampaignModel,
  chosenBucket,
  chosenBucketIndex,
  foldProgress,
  listedBuckets,
} from './model.ts'
import { helpRows, storyRows } from './open-text.ts'

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

export const campaignScreen: ListScreen<
  CampaignModel,
  CampaignKeyContext,
  StopMessage,
  CampaignAction
> = {
  keys: campaignKeys,
  contextOf: campaignContextOf,
  headingHeight,
  headingRows,
  overviewAreas,
  lengthOf: ({ state }) => state.buckets.size,
  chosenIndex: (model) => chosenBucketIndex(listedBuckets(model), model),
  choose(model, index) {
    const bucket = listedBuckets(model)[index]
    return bucket ? { ...model, chosen: bucket.id } : model
  },
  detailsOf(model) {
    const bucket = chosenBucket(model)
    if (!bucket) return { title: '  ', rows: [] }
    const { rule, id, status } = bucket
    return { title: `${rule} ${id} ${status}`, rows: storyRows(bucket, model) }
  },
  helpOf: helpRows,
  questionOf: ({ stop }) =>
    stop === 'asked' ? questionSpans('Stop the campaign?', 'y yes', 'n no') : undefined,
}

export type CampaignMessage =
  | { readonly kind: 'progress'; readonly progress: CampaignProgress }
  | StopMessage
  | ListMessage

/** Pure, and O(1) for each record, since a campaign sends hundreds of them in a second. */
export function updateCampaign(model: CampaignModel, message: CampaignMessage): CampaignModel {
  switch (message.kind) {
    case 'progress':
      return foldProgress(model, message.progress)
    case 'stop':
      return { ...model, stop: message.stop }
    default:
      return updateList(campaignScreen, model, message)
  }
}
