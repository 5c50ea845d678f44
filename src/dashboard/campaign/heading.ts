/** The rows at the top: what the campaign does, how long, how fast, and how much it has covered. */
import {
  exercisedText,
  percentText,
  phaseTexts,
  rateText,
} from '../../exploration/campaign-text.ts'
import { pluralise } from '../../protocol/count-text.ts'
import type { Glyphs } from '../view/text/glyphs.ts'
import { type Row, rowWithEnds, type Span, span } from '../view/text/row.ts'
import { ageText } from '../view/text/time.ts'
import { type CampaignModel, headingHeight, recentRate } from './model.ts'

function badge({ ended, stop, state }: CampaignModel, glyphs: Glyphs): readonly Span[] {
  if (ended)
    return ended.reason === 'done'
      ? [span(` ${glyphs.done} DONE `, 'ok')]
      : [span(` ${glyphs.hold} STOPPED `, 'warn')]
  if (stop === 'stopping') return [span(` ${glyphs.hold} STOPPING `, 'warn')]
  return [span(` ${glyphs.live} EXPLORE `, 'accent'), span(` ${phaseTexts[state.phase()]}`)]
}

/** How much of the budget is used, and how long the rest takes. */
function timeText({ heading, tookMs, state, ended }: CampaignModel): string {
  const { maxMs, maxRuns, untilCovered } = heading.budget
  const done = state.schedules.size
  const passed = ageText(tookMs)
  if (ended) return passed
  if (maxMs !== undefined) return `${passed}, ${ageText(maxMs - tookMs)} left`
  if (maxRuns !== undefined)
    return done === 0 || done >= maxRuns
      ? `${passed}, ${maxRuns} schedules to run`
      : `${passed}, about ${ageText(((maxRuns - done) * tookMs) / done)} left`
  return untilCovered ? `${passed}, until it is covered` : passed
}

function schedulesText({ heading, state }: CampaignModel): string {
  const { maxRuns } = heading.budget
  const done = state.schedules.size
  return maxRuns === undefined
    ? pluralise(done, 'schedule')
    : `${done} of ${pluralise(maxRuns, 'schedule')}`
}

function progressSpans(model: CampaignModel): readonly Span[] {
  const { state, width } = model
  const { newProbability } = state.estimate()
  return [
    span(` ${schedulesText(model)}`, 'strong'),
    span(`  ${rateText(recentRate(model))}`, 'strong'),
    span(` of ${pluralise(state.runs(), 'run')}, ${width} side by side`, 'muted'),
    span(`  ${exercisedText(state)}`),
    span(`, next looks new ${percentText(newProbability)}`, 'muted'),
  ]
}

const bucketSpans = ({ state: { buckets } }: CampaignModel): readonly Span[] =>
  buckets.size === 0
    ? [span('no bucket ', 'ok')]
    : [span(`${pluralise(buckets.size, 'bucket')} `, 'err')]

export function headingRows(model: CampaignModel, glyphs: Glyphs): readonly Row[] {
  const { columns, heading } = model
  const { subject, channels, seed, shard } = heading
  const part = shard ? `  part ${shard.part} of ${shard.of}` : ''
  const what = span(`  ${subject}  ${channels.join(' and ')}  seed ${seed}${part}`, 'muted')
  const rows = [
    rowWithEnds(columns, [...badge(model, glyphs), what], [span(`${timeText(model)} `)]),
    rowWithEnds(columns, progressSpans(model), bucketSpans(model)),
  ]
  return rows.slice(0, headingHeight(model))
}
