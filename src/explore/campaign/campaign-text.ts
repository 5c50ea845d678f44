/** Texts about a campaign that its screen and its reporters share. */
import { formatDuration } from '../../core/protocol/duration.ts'
import { pluralise, timesText } from '../../core/protocol/count-text.ts'
import {
  type Bucket,
  type BucketDetails,
  fileReplaysText,
  isUnshrunk,
  unshrunkText,
} from '../investigation/bucket.ts'
import type { CampaignBudget } from './campaign.ts'
import type { CampaignPhase } from './campaign-record.ts'
import type { CampaignState } from './campaign-state.ts'
import type { SubjectPace } from '../schedules/result.ts'
import { matcherText } from '../schedules/scenario-of-schedule.ts'
import type { ScheduledFault } from '../schedules/schedule.ts'

const optionText = (key: string, value: unknown): string =>
  `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`

function burstText(burst: ScheduledFault['burst']): string {
  if (burst === undefined) return ''
  return burst === 'outlast' ? ', each attempt until the caller gives up' : `, ${burst} attempts`
}

/**
 * A fault in words: `fail (status 500, effect before) on confirmOrder of o1, each attempt until the caller gives up`.
 */
export function scheduledFaultWords({ name, match, options, burst }: ScheduledFault): string {
  const sizes = Object.entries(options).map(([key, value]) => optionText(key, value))
  const own = sizes.length === 0 ? '' : ` (${sizes.join(', ')})`
  const channel = match.channel === undefined ? '' : ` by ${match.channel}`
  return `${name}${own} on ${matcherText(match)}${channel}${burstText(burst)}`
}

/** A status in words: the programs that read reports have it as one word. */
export const statusWords: Readonly<Record<Bucket['status'], string>> = {
  confirmed: 'confirmed',
  flaky: 'flaky',
  seen: 'seen',
  unplayed: 'not played again',
  suspected: 'suspected',
}

const notPlayedAgain = 'it was not played again, since the time was over'

const statusTexts: Readonly<Record<Bucket['status'], (bucket: Bucket) => string>> = {
  confirmed: ({ failed, played }) => `failed ${failed} of ${played} times when it was played again`,
  flaky: ({ failed, played }) => `flaky: failed ${failed} of ${played} times when played again`,
  suspected: ({ failed, played }) =>
    `suspected: failed once, and ${failed === 0 ? 'none' : 'once'} of ${played} times when played again`,
  unplayed: () => `failed once; ${notPlayedAgain}`,
  seen: ({ played }) =>
    `seen once; ${played === 0 ? notPlayedAgain : `none of ${played} times when it was played again`}`,
}

/** How certain a bucket is, and how often it was met. */
export const certaintyText = (bucket: Bucket): string =>
  [
    statusTexts[bucket.status](bucket),
    `${pluralise(bucket.hits, 'schedule')} failed with it`,
    ...(bucket.unfinished ? ['a smaller reproducer is looked for'] : []),
    ...(isUnshrunk(bucket) && !bucket.unfinished ? [unshrunkText] : []),
  ].join('; ')

/** The smallest schedule that fails: its workload, then its faults in words, one each. */
export function reproducerTexts({ schedule }: Bucket): readonly string[] {
  const { workload, trim = {}, faults } = schedule
  const orders = trim.orders === undefined ? '' : `, only ${trim.orders.join(' and ')}`
  const steps = trim.steps === undefined ? '' : `, only its first ${pluralise(trim.steps, 'step')}`
  return [
    `${workload}${orders}${steps}${faults.length === 0 ? ', without any fault' : ''}`,
    ...faults.map(scheduledFaultWords),
  ]
}

/** The same in one line, without sizes: `delivery: fail on confirmOrder of o1`. */
export const shortReproducerText = ({ schedule: { workload, faults } }: Bucket): string =>
  `${workload}: ${faults.map(({ name, match }) => `${name} on ${matcherText(match)}`).join(' + ') || 'without any fault'}`

/** What is kept of a bucket, and how it is played again. */
export const keptTexts = ({
  file,
  replays,
  recording,
  again,
}: BucketDetails): readonly string[] => [
  ...(file === undefined ? [] : [`scenario: ${file}`]),
  ...(replays === undefined ? [] : [`  ${fileReplaysText(replays)}`]),
  ...(recording === undefined ? [] : [`recording: ${recording}`]),
  `again: ${again}`,
]

/** A duration of the service's own, which is not exact: `5s`, `130ms`. */
const roundText = (ms: number): string =>
  formatDuration(ms < 1000 ? Math.round(ms) : Math.round(ms / 100) * 100)

/** The pace of a service as far as it was learned, as parts of one sentence. */
export function paceTexts({
  pollMs,
  reactionMs,
  retryGapMs,
  attempts,
  reconcileMs,
  answerMs,
}: SubjectPace): readonly string[] {
  const text = (words: string, ms: number | undefined): readonly string[] =>
    ms === undefined ? [] : [`${words} ${roundText(ms)}`]
  return [
    ...text('polls every', pollMs),
    ...text('reacts within', reactionMs),
    ...(attempts === undefined ? [] : [`tries a call at most ${timesText(attempts)}`]),
    ...text('waits between attempts up to', retryGapMs),
    ...text('reads an order again every', reconcileMs),
    ...text('answers within', answerMs),
  ]
}

/** What a campaign does in a phase. */
export const phaseTexts: Readonly<Record<CampaignPhase, string>> = {
  steady: 'without faults',
  known: 'earlier reproducers',
  search: 'search',
}

/** The kinds of faults that never fired. */
export function unexercisedClasses(state: CampaignState): readonly string[] {
  const exercised = state.exercisedClasses()
  return state.classes().filter((each) => !exercised.has(each))
}

/** `3 of 120 kinds of faults`. */
export function exercisedText(state: CampaignState): string {
  const all = state.classes().length
  return `${all - unexercisedClasses(state).length} of ${pluralise(all, 'kind')} of faults`
}

/** About how long the search still takes, in ms of wall-clock time; undefined where nothing that is known limits it. */
export function timeLeftMs(
  { schedules }: CampaignState,
  tookMs: number,
  { maxMs, maxRuns }: CampaignBudget,
): number | undefined {
  const done = schedules.size
  const byTime = maxMs === undefined ? Infinity : maxMs - tookMs
  const byRuns = maxRuns === undefined || done === 0 ? Infinity : ((maxRuns - done) * tookMs) / done
  const left = Math.min(byTime, byRuns)
  return Number.isFinite(left) ? Math.max(0, left) : undefined
}

/** Runs per second of wall-clock time. */
export const runRate = (runs: number, ms: number): number => (ms > 0 ? (runs * 1000) / ms : 0)

/** `151/s`, `3.2/s`, `12/min`. */
export const rateText = (perSecond: number): string =>
  perSecond >= 10
    ? `${Math.round(perSecond)}/s`
    : perSecond >= 1
      ? `${perSecond.toFixed(1)}/s`
      : `${Math.round(perSecond * 60)}/min`

/** `2.1 %`. */
export const percentText = (share: number): string => `${(share * 100).toFixed(1)} %`
