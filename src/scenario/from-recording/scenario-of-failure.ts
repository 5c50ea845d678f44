/** The scenario of a recording that was cut down to a failure: what leads to it, and its opposite as expectation. */
import { formatDuration } from '../../protocol/duration.ts'
import { trialTimeoutMs } from '../../traffic/minimise/reaction-time.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { decisionsOf } from './decisions.ts'
import { historyOf } from './history.ts'
import { arrivalText, oppositeOfFailure, type RecordedFailure, withoutEnd } from './opposite.ts'
import { type DerivedScenario, scenarioOf } from './scenario-of.ts'
import type { StepTiming } from './steps-of.ts'

/** Bounds in milliseconds of the time that the service is given to settle after the last step. */
const minSettleMs = 5000
const maxSettleMs = 15_000
const settleFactor = 2

/** The limits of the judge: a service that fails never comes to the end of its orders, and is not waited for. */
function limitsOf(content: RecordingContent) {
  const settleMs = Math.round(settleFactor * trialTimeoutMs(content))
  const converge = Math.min(maxSettleMs, Math.max(minSettleMs, settleMs))
  return { converge: formatDuration(converge), grace: formatDuration(converge / 2) }
}

/** Undefined where expectations cannot tell the failure. */
export function scenarioOfFailure(
  content: RecordingContent,
  failure: RecordedFailure,
  timing: StepTiming,
): DerivedScenario | undefined {
  const history = historyOf(content)
  const opposite = oppositeOfFailure(failure, history)
  if (!opposite) return undefined
  const decisions = withoutEnd(decisionsOf(content), failure, history)
  const after =
    failure.kind === 'answer' && failure.state !== undefined ? `, after ${failure.state}` : ''
  const name = `${opposite.text}${after}`
  const derived = scenarioOf(decisions, { name, timing })
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
