/** The rows at the top: what the campaign does, how long, how fast, and how much it has covered. */
import {
  exercisedText,
  percentText,
  phaseTexts,
  rateText,
  timeLeftMs,
} from '../campaign/campaign-text.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import type { Glyphs } from '../../terminal/dashboard/view/text/glyphs.ts'
import {
  type Row,
  rowWithEnds,
  type Span,
  span,
  widthOf,
} from '../../terminal/dashboard/view/text/row.ts'
import { ageText } from '../../terminal/dashboard/view/text/time.ts'
import { type CampaignModel, recentRate } from './model.ts'

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

export const headingHeight = ({ rows }: CampaignModel): number => (rows < 8 ? 1 : 2)

export function headingRows(model: CampaignModel, glyphs: Glyphs): readonly Row[] {
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
