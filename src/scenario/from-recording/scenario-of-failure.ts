/** The scenario of a recording that was cut down to a failure: what leads to it, and its opposite as expectation. */
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { decisionsOf } from './decisions.ts'
import { historyOf } from './history.ts'
import { arrivalText, oppositeOfFailure, type RecordedFailure, withoutEnd } from './opposite.ts'
import { type DerivedScenario, scenarioOf } from './scenario-of.ts'
import type { StepTiming } from './steps-of.ts'

/** Undefined where expectations cannot tell the failure. */
export function scenarioOfFailure(
  content: RecordingContent,
  failure: RecordedFailure,
  timing: StepTiming,
): DerivedScenario | undefined {
  const history = historyOf(content)
  const opposite = oppositeOfFailure(failure, history)
  if (!opposite) return undefined
  const decisions = withoutEnd(decisionsOf(content), failure)
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
      steps: steps[0]?.advance === undefined ? steps : steps.slice(1),
      expect: opposite.expect,
    },
  }
}
