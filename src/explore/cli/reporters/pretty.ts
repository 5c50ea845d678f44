/**
 * Text for people: what a campaign does, each bucket as it is found, and at the end its details and what was covered.
 */
import type { Bucket, BucketStatus } from '../../investigation/bucket.ts'
import type { CampaignPhase } from '../../campaign/campaign-record.ts'
import type { CampaignProgress, CampaignState } from '../../campaign/campaign-state.ts'
import {
  certaintyText,
  exercisedText,
  paceTexts,
  percentText,
  phaseTexts,
  rateText,
  reproducerTexts,
  runRate,
  unexercisedClasses,
} from '../../campaign/campaign-text.ts'
import type { BrokenRule } from '../../schedules/broken-rule.ts'
import { pluralise, timesText } from '../../../core/protocol/count-text.ts'
import { ageText } from '../../../terminal/dashboard/view/text/time.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { green, grey, red, type Style, yellow } from '../../../terminal/cli/reporters/reporter.ts'
import {
  evidenceLines,
  indented,
  ruleLines,
  secondsText,
} from '../../../terminal/cli/reporters/rule-lines.ts'
import { brokenRuleDescription, hasFindings, ruleDescription } from '../build-report.ts'
import type { ExploreReport, ExploreReporter } from '../explore-report.ts'
import {
  boundedText,
  bucketLines,
  outputLines,
  ruleResults,
  type SteadyFailure,
  steadyText,
} from './rule-results.ts'

const marks: Readonly<Record<BucketStatus, readonly [mark: string, color: typeof red]>> = {
  confirmed: ['FAIL', red],
  flaky: ['FAIL', red],
  seen: ['FAIL', red],
  unplayed: ['?   ', yellow],
  suspected: ['?   ', yellow],
}

/** `FAIL  RT-6  7a59d3fa  Must …`. */
function bucketHead({ status, rule, id }: Bucket, style: Style): string {
  const [mark, color] = marks[status]
  const sentence = ruleDescription(rule)?.sentence ?? ''
  return `${color(mark, style)}  ${rule}  ${id}  ${sentence}`
}

/** A bucket while the campaign runs; its details come at the end. */
const bucketNews = (bucket: Bucket, style: Style): readonly string[] => [
  bucketHead(bucket, style),
  ...indented([escapeControls(bucket.failure.because), ...indented(reproducerTexts(bucket))], 6),
  grey(`      ${certaintyText(bucket)}`, style),
]

const crashNews = ({ rule, because, output }: BrokenRule, style: Style): readonly string[] => [
  `${red('FAIL', style)}  ${rule}  ${escapeControls(because)} What it takes is looked for.`,
  ...indented(outputLines(output), 6),
]

const steadyHead = (steady: SteadyFailure, style: Style): string =>
  `${red('FAIL', style)}  ${steady.failure.rule}  ${escapeControls(steadyText(steady))}`

/** Rules that no workload before broke without faults. */
const newFailures = (failures: readonly BrokenRule[], { steadyFailures }: CampaignState) =>
  [...new Map(failures.map((each) => [each.rule, each])).values()].filter(
    ({ rule }) => [...steadyFailures.values()].filter((each) => each.rule === rule).length === 1,
  )

function phaseLine(phase: CampaignPhase, { state, width }: CampaignProgress): string {
  if (phase !== 'search') return phaseTexts[phase]
  const all = pluralise(state.classes().length, 'kind')
  return `${phaseTexts.search}: ${all} of faults, ${pluralise(width, 'schedule')} side by side`
}

/** 1, 2, 5, 10, 20, 50 …: a line for each, so that a long campaign shows progress and its log stays short. */
const isMilestone = (count: number): boolean => /^[125]0*$/.test(String(count))

function progressLine({ state, tookMs }: CampaignProgress): string {
  const { size } = state.schedules
  const rate = rateText(runRate(state.runs(), tookMs))
  const { newProbability } = state.estimate()
  return `${pluralise(size, 'schedule')} in ${secondsText(tookMs)}, ${rate}: ${exercisedText(state)}, ${pluralise(state.buckets.size, 'bucket')}, the next one looks new with ${percentText(newProbability)}`
}

function newsLines(progress: CampaignProgress, style: Style): readonly string[] {
  const { record, state } = progress
  switch (record.type) {
    case 'phase':
      return style.quiet ? [] : [grey(phaseLine(record.phase, progress), style)]
    case 'steady': {
      const { workload, failures, leftOut } = record
      const because = leftOut === undefined || style.quiet ? [] : [escapeControls(leftOut)]
      return [
        ...newFailures(failures, state).map((failure) =>
          steadyHead({ workloads: [workload], failure }, style),
        ),
        ...because.map((each) => `${yellow('skip', style)}  ${workload} is left out: ${each}`),
      ]
    }
    case 'known': {
      const { hash, broken } = record
      if (broken.length > 0)
        return [
          `${red('FAIL', style)}  an earlier reproducer (${hash}) breaks ${broken.join(', ')}`,
        ]
      return style.quiet
        ? []
        : [`${green('ok  ', style)}  an earlier reproducer (${hash}) passes now`]
    }
    case 'batch':
      // Reported once: the search for its cause makes it happen again.
      return record.crash && record.crash === state.crash() ? crashNews(record.crash, style) : []
    case 'bucket':
      return bucketNews(record.bucket, style)
    case 'schedule':
      return style.quiet || state.schedules.size < 10 || !isMilestone(state.schedules.size)
        ? []
        : [grey(progressLine(progress), style)]
    default:
      return []
  }
}

function steadyLines(steady: SteadyFailure, style: Style): readonly string[] {
  const { failure } = steady
  const invariant = brokenRuleDescription(failure)
  return [
    steadyHead(steady, style),
    ...indented([...evidenceLines(failure.evidence), ...outputLines(failure.output)], 8),
    ...(invariant ? indented(ruleLines(invariant, []), 6) : []),
  ]
}

/** Faults, messages of one fault, rules and workloads that are named; the others are counted. */
const maxFaults = 12
const maxMessages = 3
const maxRules = 12

/** `hang: receiveOrderEvent CREATED, getOrder and 9 more`, for each fault. */
function neverLines(state: CampaignState): readonly string[] {
  const byFault = Map.groupBy(unexercisedClasses(state), (each) => each.split(' ')[0] ?? each)
  const lines = Array.from(byFault, ([fault, classes]) => {
    const messages = classes.map((each) => each.slice(fault.length + 1))
    return `${fault}: ${boundedText(messages, maxMessages)}`
  })
  const more = lines.length - maxFaults
  return more > 0 ? [...lines.slice(0, maxFaults), `and ${pluralise(more, 'more fault')}`] : lines
}

/** `PO-2 3 times, RT-6 once`, behind what it is about. */
const countsOf = (about: string, counts: ReadonlyMap<string, number>): readonly string[] => {
  const texts = Array.from(counts, ([rule, count]) => `${rule} ${timesText(count)}`)
  return texts.length === 0 ? [] : [`${about}: ${texts.join(', ')}`]
}

/** Schedules of which not everything was looked at. */
function cutShortTexts({ schedules }: CampaignState): readonly string[] {
  const { length } = [...schedules.values()].filter(({ cutShort }) => cutShort)
  const of = `${length} of ${pluralise(schedules.size, 'schedule')}`
  return length === 0
    ? []
    : [`${of} ended with the time: what must come in the end was not waited for in them`]
}

/** Rows of a name and a text; what is empty has none. */
function coverageRows(report: ExploreReport): readonly (readonly [name: string, text: string])[] {
  const { state } = report
  const { runs, species, newProbability } = state.estimate()
  const idle = ruleResults(report).flatMap(({ premises, rule }) =>
    premises === 0 ? [rule.id] : [],
  )
  const premises = `${pluralise(idle.length, 'premise')} never occurred: ${boundedText(idle, maxRules)}`
  const looked = `${pluralise(runs, 'schedule')} looked ${pluralise(species, 'way')} so far`
  const pace = paceTexts(state.pace())
  const rows: readonly (readonly [name: string, texts: readonly string[]])[] = [
    ['faults', [`${exercisedText(state)} exercised`]],
    ['never', neverLines(state)],
    ['rules', idle.length === 0 ? [] : [premises]],
    ['estimate', [`the next schedule looks new with ${percentText(newProbability)} (${looked})`]],
    ['pace', pace.length === 0 ? [] : [`your service ${pace.join(', ')}`]],
    [
      'advice',
      [
        ...countsOf('no failure, since no clause forbids it', state.advice),
        ...[...state.advice.keys()].map((rule) => `${rule}: ${ruleDescription(rule)?.remedy}`),
      ],
    ],
    ['late', countsOf('inconclusive, because Sparring was late', state.inconclusive)],
    ['early', cutShortTexts(state)],
    ['shared', countsOf('broken by no schedule alone', state.unattributed)],
    ['left out', Array.from(state.leftOut, ([workload, because]) => `${workload}: ${because}`)],
  ]
  return rows.flatMap(([name, texts]) =>
    texts.map((text, index) => [index === 0 ? name : '', text] as const),
  )
}

/** How the campaign ended, and what it did, in one line. */
function summaryLine(report: ExploreReport, style: Style): string {
  const { state, tookMs, buckets, merged, interrupted } = report
  const { size } = state.schedules
  const nothing = state.hasWhole()
    ? green('nothing found', style)
    : yellow('nothing found, and no schedule was played to its end', style)
  const verdict = hasFindings(state) ? red('found', style) : nothing
  const session = ageText(state.sessionMs())
  const rules = ruleResults(report)
  const exercised = rules.filter(({ premises }) => premises > 0).length
  const parts = [
    pluralise(size, 'schedule'),
    `${pluralise(state.runs(), 'run')} in ${secondsText(tookMs)} (${rateText(runRate(state.runs(), tookMs))})`,
    `${session} of sessions`,
    pluralise(buckets.length, 'bucket'),
    `${exercised} of ${pluralise(rules.length, 'rule')} exercised`,
  ]
  const from = merged === undefined ? '' : `, merged from ${pluralise(merged.length, 'file')}`
  return `${verdict}: ${parts.join(', ')}${from}${interrupted ? '; interrupted' : ''}`
}

/** Longest name of a row, and two blanks. */
const nameWidth = 10

function reportLines(report: ExploreReport, style: Style): readonly string[] {
  const { buckets, passing, subject, channel, seed, shard } = report
  const part = shard ? `, part ${shard.part} of ${shard.of}` : ''
  const details = [
    ...ruleResults(report).flatMap(({ steady }) => (steady ? steadyLines(steady, style) : [])),
    ...buckets.flatMap((each) => [
      bucketHead(each.bucket, style),
      ...indented(bucketLines(each), 6),
    ]),
  ]
  if (style.quiet) return [...details, ...(details.length > 0 ? [summaryLine(report, style)] : [])]
  return [
    '',
    ...details,
    ...passing.map((file) => `${green('ok  ', style)}  ${escapeControls(file)} passes now`),
    ...coverageRows(report).map(
      ([name, text]) => `${grey(name.padEnd(nameWidth), style)}${escapeControls(text)}`,
    ),
    grey(`${subject}, ${channel}, seed ${seed}${part}`, style),
    summaryLine(report, style),
  ]
}

const ended = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${lines.join('\n')}\n`

export const explorePretty: ExploreReporter = {
  name: 'pretty',
  summary: 'for people: each bucket as it is found, then its details and what was covered',
  form: 'lines',
  ended: (progress, style) => ended(newsLines(progress, style)),
  finish: (report, style) => ended(reportLines(report, style)),
}
