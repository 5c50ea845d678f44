/** What a campaign covered, what it never exercised, and what is in doubt, as rows of a name and a text. */
import {
  exercisedText,
  paceTexts,
  percentText,
  unexercisedClasses,
} from '../../campaign/campaign-text.ts'
import type { CampaignState } from '../../campaign/campaign-state.ts'
import { pluralise, timesText } from '../../../core/protocol/count-text.ts'
import type { ExploreReport } from '../explore-report.ts'
import { boundedText, ruleResults } from './rule-results.ts'

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

const countTexts = (counts: ReadonlyMap<string, number>): readonly string[] =>
  Array.from(counts, ([rule, count]) => `${rule} ${timesText(count)}`)

type NamedText = readonly [name: string, text: string]

const named = (name: string, texts: readonly string[]): readonly NamedText[] =>
  texts.map((text, index) => [index === 0 ? name : '', text])

function doubtRows({ state }: ExploreReport): readonly NamedText[] {
  const { inconclusive, unattributed, leftOut } = state
  return [
    ...named(
      'late',
      inconclusive.size === 0
        ? []
        : [`inconclusive, because Sparring was late: ${countTexts(inconclusive).join(', ')}`],
    ),
    ...named(
      'shared',
      unattributed.size === 0
        ? []
        : [`broken by no schedule alone: ${countTexts(unattributed).join(', ')}`],
    ),
    ...named(
      'left out',
      Array.from(leftOut, ([workload, because]) => `${workload}: ${because}`),
    ),
  ]
}

/** Rows of a name and a text; what is empty has none. */
export function coverageRows(report: ExploreReport): readonly NamedText[] {
  const { state } = report
  const { runs, species, newProbability } = state.estimate()
  const notExercised = ruleResults(report)
    .filter(({ premises }) => premises === 0)
    .map(({ rule }) => rule.id)
  const pace = paceTexts(state.pace())
  return [
    ...named('faults', [`${exercisedText(state)} exercised`]),
    ...named('never', neverLines(state)),
    ...named(
      'rules',
      notExercised.length === 0
        ? []
        : [
            `${pluralise(notExercised.length, 'premise')} never occurred: ${boundedText(notExercised, maxRules)}`,
          ],
    ),
    ...named('estimate', [
      `the next schedule looks new with ${percentText(newProbability)} (${pluralise(runs, 'schedule')} looked ${pluralise(species, 'way')} so far)`,
    ]),
    ...named('pace', pace.length === 0 ? [] : [`your service ${pace.join(', ')}`]),
    ...doubtRows(report),
  ]
}
