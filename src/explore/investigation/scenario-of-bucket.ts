/** What is kept of a bucket: the scenario of its smallest reproducer, and a paragraph for a person. */
import type { Invariant } from '../../core/rules/invariants/invariant.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import { crashRule } from '../batch/crash.ts'
import {
  type KeptScenarioOptions,
  matcherText,
  scenarioOfSchedule,
} from '../schedules/scenario-of-schedule.ts'
import { scheduledFaultText } from '../schedules/schedule.ts'
import type { Workload } from '../workloads/workload.ts'
import { type Bucket, isUnshrunk, unshrunkText } from './bucket.ts'

/** The scenario of a bucket, named after the rule and what triggers it. */
export function scenarioOfBucket(
  bucket: Bucket,
  options: Omit<KeptScenarioOptions, 'schedule'>,
  invariant: Pick<Invariant, 'sentence' | 'remedy' | 'clauses'> | undefined,
): ScenarioInput {
  const { rule, schedule, failure, id } = bucket
  const scenario = scenarioOfSchedule({ ...options, schedule })
  const triggers = schedule.faults.map(({ name, match }) => `${name} on ${matcherText(match)}`)
  const how = triggers.length === 0 ? 'without any fault' : `by ${triggers.join(', ')}`
  return {
    ...scenario,
    name: `${rule} ${how}`.slice(0, 200),
    about: [
      `${options.workload.about} ${failure.because}`,
      ...(invariant ? [invariant.sentence, invariant.remedy] : []),
      `Found by sparring explore as ${id}${isUnshrunk(bucket) ? `, ${unshrunkText}` : ''}.`,
    ].join(' '),
    clauses: [...(invariant?.clauses ?? [])],
    // What else is wrong is another matter, as is a step that a mended service never comes to. A run in which the service
    // goes away has failed, whatever is expected.
    expect: { steps: 'any', invariants: rule === crashRule.id ? [] : [rule] },
  }
}

/** What a person reads about a bucket: one paragraph. */
export function bucketParagraph(
  bucket: Bucket,
  workload: Workload,
  invariant: Pick<Invariant, 'sentence' | 'remedy'> | undefined,
): string {
  const { rule, schedule, failure, status, failed, played } = bucket
  const faults = schedule.faults.map(scheduledFaultText).join(' and ')
  const takes = isUnshrunk(bucket)
    ? `It failed with ${faults}, ${unshrunkText}.`
    : `It takes ${faults}.`
  const cause = faults === '' ? 'It needs no fault.' : takes
  const times =
    played === 0
      ? 'It was not played again, since the time was over.'
      : status === 'confirmed'
        ? `It failed each time it was played again (${failed} of ${played}).`
        : `Played again it failed ${failed} of ${played} times.`
  return [
    `${rule}: ${failure.because}`,
    workload.about,
    cause,
    times,
    ...(invariant ? [invariant.remedy] : []),
  ].join(' ')
}
