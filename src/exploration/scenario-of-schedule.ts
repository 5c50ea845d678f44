/** The scenario that is kept of a schedule: `sparring run` plays it as it stands. */
import type { FaultMatcher } from './schedule.ts'
import { faultSpecOf, type Schedule, scheduledFaultText } from './schedule.ts'
import type { Bucket } from './bucket.ts'
import { crashRule } from './crash.ts'
import type { Invariant } from '../invariants/invariant.ts'
import { formatDuration } from '../protocol/duration.ts'
import type { ScenarioInput } from '../scenario/schema.ts'
import type { Workload } from './workload.ts'

export interface KeptScenarioOptions {
  readonly schedule: Schedule
  /** As it is left by the trim of the schedule. */
  readonly workload: Workload
  readonly channel: 'polling' | 'webhook' | 'both'
  /** Session time after the steps in which faults stay in force, in ms. */
  readonly faultPhaseMs: number
}

/** `CONFIRMED of o1`, `the 2nd getOrder of o1`. */
export function matcherText({ event, operation, trigger, order, nth }: FaultMatcher): string {
  const what = [
    ...((operation ?? trigger) ? [operation ?? trigger] : []),
    ...(event ? [event] : []),
  ]
  const counted = nth === undefined ? what.join(' with ') : `${what.join(' with ')} number ${nth}`
  return order === undefined ? counted : `${counted} of ${order}`
}

/** The scenario without a finding: name, faults, orders and steps. */
export function scenarioOfSchedule({
  schedule,
  workload,
  channel,
  faultPhaseMs,
}: KeptScenarioOptions): ScenarioInput {
  const { orders, steps = [] } = workload.written
  // An order without a time is placed by a step.
  const placed = Object.fromEntries(
    Object.entries(orders ?? {}).map(([slot, order]) => [
      slot,
      workload.orders[slot]?.at === 0 ? { ...order, at: order.at ?? '0s' } : order,
    ]),
  )
  const [subject = 'software-service'] = workload.subjects
  const settings = workload.session as NonNullable<ScenarioInput['session']>
  return {
    name: workload.name,
    about: workload.about,
    subject,
    channel,
    ...(Object.keys(settings).length > 0 ? { session: settings } : {}),
    ...(Object.keys(placed).length > 0 ? { orders: placed } : {}),
    faults: schedule.faults.map((fault) => faultSpecOf(fault) as never),
    steps: [...steps, { advance: formatDuration(Math.ceil(faultPhaseMs / 1000) * 1000) }],
  }
}

/** The scenario of a bucket, named after the rule and what triggers it. */
export function scenarioOfBucket(
  { rule, schedule, failure, id }: Bucket,
  options: Omit<KeptScenarioOptions, 'schedule'>,
  invariant: Pick<Invariant, 'sentence' | 'remedy' | 'clauses'> | undefined,
): ScenarioInput {
  const scenario = scenarioOfSchedule({ ...options, schedule })
  const triggers = schedule.faults.map(({ name, match }) => `${name} on ${matcherText(match)}`)
  const by = triggers.length === 0 ? 'without any fault' : triggers.join(', ')
  return {
    ...scenario,
    name: `${rule} by ${by}`.slice(0, 200),
    about: [
      `${options.workload.about} ${failure.because}`,
      ...(invariant ? [invariant.sentence, invariant.remedy] : []),
      `Found by sparring explore as ${id}.`,
    ].join(' '),
    clauses: [...(invariant?.clauses ?? [])],
    // A run in which the service goes away has failed, whatever is expected.
    ...(rule === crashRule.id ? {} : { expect: { tests: [rule] } }),
  }
}

/** What a person reads about a bucket: one paragraph. */
export function bucketParagraph(
  { rule, schedule, failure, status, failed, played }: Bucket,
  workload: Workload,
  invariant: Pick<Invariant, 'sentence' | 'remedy'> | undefined,
): string {
  const faults = schedule.faults.map(scheduledFaultText)
  const cause = faults.length === 0 ? 'It needs no fault.' : `It takes ${faults.join(' and ')}.`
  const times =
    status === 'confirmed'
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
