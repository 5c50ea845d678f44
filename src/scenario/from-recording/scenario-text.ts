/** The scenario file of a recording (`export --format scenario`). */
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { yamlText } from '../yaml-text.ts'
import { decisionsOf } from './decisions.ts'
import type { RecordedFailure } from './opposite.ts'
import { scenarioOf } from './scenario-of.ts'
import { scenarioOfFailure } from './scenario-of-failure.ts'
import { scenarioScript, type ScenarioScript } from './scenario-script.ts'
import type { StepTiming } from './steps-of.ts'

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
  timing?: StepTiming,
): ScenarioScript | undefined {
  const { failure, pace = 'original' } = content.header._rec
  if (!failure || isAnswerOfService(failure)) return undefined
  const derived = scenarioOfFailure(content, failure, timing ?? pace)
  return derived && scenarioScript(derived.scenario, title)
}

export function scenarioText(
  content: RecordingContent,
  timing?: StepTiming,
): { readonly text: string; readonly warnings: readonly string[] } {
  const { failure, pace = 'original' } = content.header._rec
  const ofFailure = failure && scenarioOfFailure(content, failure, timing ?? pace)
  if (ofFailure) return { text: yamlText(ofFailure.scenario), warnings: ofFailure.warnings }
  const decisions = decisionsOf(content)
  const { scenario, warnings } = scenarioOf(decisions, {
    name: decisions.name || 'A recording',
    timing: timing ?? 'original',
  })
  return { text: yamlText(scenario), warnings: failure ? [untold, ...warnings] : warnings }
}
