/**
 * The scenario file of a recording (`export --format scenario`); of one that was cut down to a failure, what leads to it and
 * its opposite as expectation.
 */
import { formatDuration } from '../../core/protocol/duration.ts'
import { trialTimeoutMs } from '../minimise/reaction-time.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { yamlText } from '../../core/scenario/yaml-text.ts'
import { decisionsOf } from './decisions.ts'
import { historyOf } from './history.ts'
import { arrivalText, oppositeOfFailure, type RecordedFailure, withoutEnd } from './opposite.ts'
import { type DerivedScenario, scenarioOf } from './scenario-of.ts'
import { needsOwnProcess, scenarioScript, type ScenarioScript } from './scenario-script.ts'
import type { StepPace } from './steps-of.ts'

/** Bounds in milliseconds of the time that the service has to settle after the last step. */
const minSettleMs = 5000
const maxSettleMs = 15_000
const settleFactor = 2

/** The limits of the judge: a service that fails never comes to the end of its orders, and is not waited for. */
function limitsOf(content: RecordingContent) {
  const settleMs = Math.round(settleFactor * trialTimeoutMs(content))
  const converge = Math.min(maxSettleMs, Math.max(minSettleMs, settleMs))
  return { converge: formatDuration(converge), grace: formatDuration(converge / 2) }
}

/** The pace at which a recording that was cut down shows its failure. */
const recordedPaceIn = ({ header }: RecordingContent): StepPace => ({
  timing: header._rec.pace ?? 'original',
  maxGapMs: header._rec.gap,
})

/** Undefined where expectations cannot tell the failure. */
export function scenarioOfFailure(
  content: RecordingContent,
  failure: RecordedFailure,
  pace: StepPace,
): DerivedScenario | undefined {
  const history = historyOf(content)
  const opposite = oppositeOfFailure(failure, history)
  if (!opposite) return undefined
  const decisions = withoutEnd(decisionsOf(content), failure, history)
  const after =
    failure.kind === 'answer' && failure.state !== undefined ? `, after ${failure.state}` : ''
  const name = `${opposite.text}${after}`
  const derived = scenarioOf(decisions, { name, ...pace })
  // The same ids would be known to a service that runs on; a pause before the first step waits for nothing.
  const { seed: _seed, steps = [], expect: _expect, ...scenario } = derived.scenario
  return {
    ...derived,
    scenario: {
      ...scenario,
      about: `${arrivalText(history)} What must be so: ${opposite.text}.`.trimStart(),
      // What a rule gives time for takes the time of the rule.
      ...(failure.kind === 'invariant'
        ? {}
        : { session: { ...scenario.session, tolerances: limitsOf(content) } }),
      steps: steps[0]?.advance === undefined ? steps : steps.slice(1),
      expect: opposite.expect,
    },
  }
}

const untold =
  'expectations cannot tell the failure that this recording was cut down to: this is what was recorded'

/** Whether the failure shows in the answer to a request, so that sending the request again shows it. */
const isAnswerOfService = (failure: RecordedFailure): boolean =>
  failure.kind === 'answer' && failure.by !== 'partner'

/**
 * The script of a failure that no single request shows; undefined where a request shows it, or expectations cannot tell
 * it.
 */
export function failureScript(
  content: RecordingContent,
  title: string,
  pace?: StepPace,
): ScenarioScript | undefined {
  const { failure } = content.header._rec
  if (!failure || isAnswerOfService(failure)) return undefined
  const derived = scenarioOfFailure(content, failure, pace ?? recordedPaceIn(content))
  return derived && scenarioScript(derived.scenario, title)
}

export interface ScenarioText {
  readonly text: string
  readonly warnings: readonly string[]
  readonly needsOwnProcess: boolean
}

export function scenarioText(content: RecordingContent, pace?: StepPace): ScenarioText {
  const { failure } = content.header._rec
  const ofFailure = failure && scenarioOfFailure(content, failure, pace ?? recordedPaceIn(content))
  const decisions = decisionsOf(content)
  const name = decisions.name || 'A recording'
  const { scenario, warnings } =
    ofFailure ?? scenarioOf(decisions, { name, ...(pace ?? { timing: 'original' }) })
  return {
    text: yamlText(scenario),
    warnings: failure && !ofFailure ? [untold, ...warnings] : warnings,
    needsOwnProcess: needsOwnProcess(scenario),
  }
}
