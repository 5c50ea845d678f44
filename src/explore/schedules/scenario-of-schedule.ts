/** The scenario that is kept of a schedule: `sparring run` plays it as it stands. */
import { type FaultMatcher, faultSpecOf, type Schedule } from './schedule.ts'
import { formatDuration } from '../../core/protocol/duration.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import type { Workload } from '../workloads/workload.ts'

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
