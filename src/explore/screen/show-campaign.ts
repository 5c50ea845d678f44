/**
 * Shows a campaign on a terminal until it is closed. The command line imports this file lazily, since Ink and React take longer to
 * load than everything else.
 */
import { type Bucket, bucketKey, type BucketStatus } from '../investigation/bucket.ts'
import type { CampaignProgress } from '../campaign/campaign-state.ts'
import {
  OpenListScreen,
  type ShowListOptions,
} from '../../terminal/dashboard/list-screen/open-list-screen.tsx'
import type { ExitReason } from '../../terminal/dashboard/runtime/show.tsx'
import { errorText } from '../../terminal/dashboard/runtime/shown-screen.ts'
import {
  type CampaignHeading,
  type CampaignModel,
  chosenBucket,
  chosenBucketIndex,
  foldProgress,
  initialCampaign,
  listedBuckets,
  recentRate,
} from './model.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { questionSpans } from '../../terminal/dashboard/keys/documented-key.ts'
import {
  commonKeys,
  type ListKey,
  type ListKeyOutcome,
  type ListMessage,
  listRows,
  type ListScreen,
  type ListView,
  moveByKey,
  type RowsArea,
  updateList,
} from '../../terminal/dashboard/list-screen/list-screen.ts'
import type { Rect } from '../../terminal/dashboard/model/layout.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import {
  columnSpans,
  type Row,
  row,
  rowWithEnds,
  span,
  type Span,
  type Tone,
  widthOf,
  wrapSpans,
} from '../../terminal/dashboard/view/text/row.ts'
import { coverageMapOf, heatMapHeight, heatMapRows } from './heat-map.ts'
import { campaignHelpRows, storyRows } from './open-text.ts'
import {
  exercisedText,
  percentText,
  phaseTexts,
  rateText,
  reproducerTexts,
  shortReproducerText,
  timeLeftMs,
  statusWords,
} from '../campaign/campaign-text.ts'
import { hintRows } from '../../terminal/dashboard/view/panes/pane.ts'
import { ruledRow } from '../../terminal/dashboard/view/panes/title.ts'
import { ageText } from '../../terminal/dashboard/view/text/time.ts'

// The screen of a campaign: buckets with their reproducers, coverage, and the last schedule.

// The keys of a campaign's screen.

/** What only this screen asks for. */
export interface CampaignAction {
  readonly kind: 'play'
  readonly bucket: Bucket
}

interface StopMessage {
  readonly kind: 'stop'
  readonly stop: CampaignModel['stop']
}

export type CampaignKeyContext = ListView | 'stop'

const campaignContextOf = ({ stop, view }: CampaignModel): CampaignKeyContext =>
  stop === 'asked' ? 'stop' : view

const withoutBucket = (model: CampaignModel): string | undefined =>
  chosenBucket(model) ? undefined : 'there is no bucket yet'

function leaveOrAsk({ ended, stop }: CampaignModel): ListKeyOutcome<StopMessage, CampaignAction> {
  // It was asked before: who presses it again does not want to wait.
  if (ended || stop === 'stopping') return { action: { kind: 'leave' } }
  return { message: { kind: 'stop', stop: 'asked' } }
}

const views: readonly ListView[] = ['overview', 'details', 'help']

type CampaignKey = ListKey<CampaignModel, CampaignKeyContext, StopMessage, CampaignAction>

export const campaignKeys: readonly CampaignKey[] = [
  {
    keys: ['up', 'down', 'k', 'j'],
    label: 'up down',
    contexts: views,
    title: 'the bucket above or below, or scroll; also k and j',
    footer: 'choose',
    run: moveByKey,
  },
  {
    keys: ['pageup', 'pagedown', 'ctrl-u', 'ctrl-d'],
    label: 'pageup pagedown',
    contexts: views,
    title: 'half a screen up or down; also ctrl-u and ctrl-d',
    run: moveByKey,
  },
  {
    keys: ['home', 'end', 'g', 'G'],
    label: 'home end',
    contexts: views,
    title: 'to the first or the last row; also g and G',
    run: moveByKey,
  },
  {
    keys: ['enter'],
    contexts: ['overview'],
    title: 'the story of the bucket: faults, exchanges, files, command',
    footer: 'story',
    disabledReason: withoutBucket,
    run: () => ({ message: { kind: 'opened', view: 'details' } }),
  },
  {
    keys: ['p'],
    contexts: ['overview', 'details'],
    title: 'play its reproducer step by step, in a session of its own',
    footer: 'play it step by step',
    disabledReason: withoutBucket,
    run(model) {
      const bucket = chosenBucket(model)
      return bucket ? { action: { kind: 'play', bucket } } : {}
    },
  },
  { ...commonKeys.back, contexts: ['details', 'help'], title: 'back to the campaign' },
  { ...commonKeys.help, contexts: views },
  {
    keys: ['q'],
    contexts: views,
    title: 'leave; while the campaign runs, stop it (it asks)',
    footer: 'quit',
    always: true,
    run: leaveOrAsk,
  },
  {
    keys: ['ctrl-c'],
    label: 'ctrl-c twice',
    contexts: views,
    title: 'stop the campaign and leave',
    run: leaveOrAsk,
  },
  { ...commonKeys.suspend, contexts: [...views, 'stop'] },
  {
    keys: ['y', 'enter', 'ctrl-c'],
    label: 'q y',
    contexts: ['stop'],
    title: 'stop the campaign; what was found stays',
    run: () => ({ message: { kind: 'stop', stop: 'stopping' }, action: { kind: 'stop' } }),
  },
  {
    keys: ['n', 'esc'],
    label: 'q n',
    contexts: ['stop'],
    title: 'go on with the campaign',
    run: () => ({ message: { kind: 'stop', stop: 'no' } }),
  },
]

function badge({ ended, stop, state }: CampaignModel, glyphs: Glyphs): readonly Span[] {
  if (ended)
    return ended.reason === 'done'
      ? [span(` ${glyphs.done} DONE `, 'ok')]
      : [span(` ${glyphs.hold} STOPPED `, 'warn')]
  if (stop === 'stopping') return [span(` ${glyphs.hold} STOPPING `, 'warn')]
  return [span(` ${glyphs.live} EXPLORE `, 'accent'), span(` ${phaseTexts[state.phase()]}`)]
}

/** How much of the budget is used, and how long the rest takes. */
function timeText({ heading: { budget }, tookMs, state, ended }: CampaignModel): string {
  const { maxMs, untilCovered } = budget
  const passed = ageText(tookMs)
  const left = ended ? undefined : timeLeftMs(state, tookMs, budget)
  if (left !== undefined && left > 0) {
    const isExact = maxMs !== undefined && left === maxMs - tookMs
    return `${passed}, ${isExact ? '' : 'about '}${ageText(left)} left`
  }
  return untilCovered && !ended ? `${passed}, until it is covered` : passed
}

function schedulesText({ heading, state }: CampaignModel): string {
  const { maxRuns } = heading.budget
  const done = state.schedules.size
  return maxRuns === undefined
    ? pluralise(done, 'schedule')
    : `${done} of ${pluralise(maxRuns, 'schedule')}`
}

/** As many parts as fit whole. */
function fittingParts(parts: readonly (readonly Span[])[], width: number): readonly Span[] {
  const kept: Span[] = []
  for (const part of parts) {
    if (widthOf([...kept, ...part]) > width) break
    kept.push(...part)
  }
  return kept
}

function progressRow(model: CampaignModel): Row {
  const { state, width, columns } = model
  const estimate = span(`looks new: ${percentText(state.estimate().newProbability)} `, 'muted')
  const parts: readonly (readonly Span[])[] = [
    [span(` ${schedulesText(model)}`, 'strong')],
    [span(`  ${rateText(recentRate(model))}`, 'strong')],
    [span(`  ${pluralise(state.runs(), 'run')}`)],
    [span(`  ${width} side by side`, 'muted')],
    [span(`  ${exercisedText(state)}`, 'muted')],
  ]
  const room = columns - widthOf([estimate]) - 1
  return rowWithEnds(columns, fittingParts(parts, room), [estimate])
}

const headingHeight = ({ rows }: CampaignModel): number => (rows < 8 ? 1 : 2)

function headingRows(model: CampaignModel, glyphs: Glyphs): readonly Row[] {
  const { columns, heading } = model
  const { subject, channels, seed, shard } = heading
  const part = shard ? `  part ${shard.part} of ${shard.of}` : ''
  const what = span(`  ${subject}  ${channels.join(' and ')}  seed ${seed}${part}`, 'muted')
  const rows = [
    rowWithEnds(columns, [...badge(model, glyphs), what], [span(`${timeText(model)} `)]),
    progressRow(model),
  ]
  return rows.slice(0, headingHeight(model))
}

const tones: Readonly<Record<BucketStatus, Tone>> = {
  confirmed: 'err',
  seen: 'err',
  flaky: 'warn',
  unplayed: 'muted',
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

function bucketListRows(model: CampaignModel, rect: Rect, glyphs: Glyphs): readonly Row[] {
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
    return bucket ? { ...model, chosen: bucketKey(bucket) } : model
  },
  detailsOf(model) {
    const bucket = chosenBucket(model)
    if (!bucket) return { title: '  ', rows: [] }
    const { rule, id, status } = bucket
    return { title: `${rule} ${id} ${statusWords[status]}`, rows: storyRows(bucket, model) }
  },
  helpOf: campaignHelpRows,
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

/** Gives the terminal to something else for as long as it takes; what that returns is shown as a notice. */
type LendTerminal = (to: () => Promise<string | undefined>) => Promise<void>

/** The screen stays until a campaign that is to stop has ended. */
export interface ShowCampaignOptions extends ShowListOptions {
  readonly heading: CampaignHeading
  /** Plays a reproducer on the same terminal, which it borrows as soon as it can; absent where that is not possible. */
  readonly onPlay?: (bucket: Bucket, lend: LendTerminal) => Promise<void>
}

export interface ShownCampaign {
  readonly onProgress: (progress: CampaignProgress) => void
  /**
   * Resolves when the operator leaves: by a key after the campaign has ended, or as soon as one that was stopped has
   * ended.
   */
  readonly closed: Promise<ExitReason>
  /** Closes it, if it is open, and restores the terminal. */
  readonly close: () => Promise<void>
}

const noPlayText = 'a reproducer cannot be played from here; its story has the command'
const waitingText = 'it is played when the schedules that run now have ended'

export function showCampaign(options: ShowCampaignOptions): ShownCampaign {
  const { heading, onPlay } = options
  /** A reproducer is played, or is to be as soon as it can. */
  let isPlaying = false

  async function play(bucket: Bucket): Promise<void> {
    if (!onPlay) return screen.tell(noPlayText, 'muted')
    if (isPlaying) return screen.tell(waitingText, 'muted')
    isPlaying = true
    screen.tell(waitingText, 'info')
    try {
      await onPlay(bucket, screen.lend)
    } catch (error) {
      screen.tell(errorText(error), 'err')
    } finally {
      isPlaying = false
    }
  }

  const screen = new OpenListScreen({
    ...options,
    screen: campaignScreen,
    initial: (columns, rows) => initialCampaign(heading, columns, rows),
    update: updateCampaign,
    act: ({ bucket }) => void play(bucket),
  })

  return {
    closed: screen.closed,
    onProgress(progress) {
      screen.setTookMs(progress.tookMs)
      screen.fold({ kind: 'progress', progress })
      if (progress.record.type === 'end' && screen.model.stop === 'stopping') screen.leave()
    },
    close: () => screen.close(),
  }
}
