/** The schedule that a kept scenario was made of: the workload that it plays, what is left of it, and its faults. */
import { isDeepStrictEqual } from 'node:util'
import { compact } from '../../core/base/compact.ts'
import { scenarioOfSchedule } from '../schedules/scenario-of-schedule.ts'
import {
  createSchedule,
  type FaultMatcher,
  type Schedule,
  type ScheduledFault,
} from '../schedules/schedule.ts'
import { placementOrder, trimWorkload, type Workload } from '../workloads/workload.ts'
import { operations, type OperationId } from '../../core/protocol/catalogue.ts'
import { parseDuration } from '../../core/protocol/duration.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'

/** A scenario file as it is written. */
export type WrittenScenario = Readonly<Record<string, unknown>>

const operationOf = (value: unknown): OperationId | undefined =>
  operations.find(({ id }) => id === value)?.id

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

/** `{ drop: { event: 'CONFIRMED', order: 'o1' } }` as a scheduled fault; undefined for what no schedule has. */
function faultOf(spec: unknown): ScheduledFault | undefined {
  const [entry, ...others] = isUnknownRecord(spec) ? Object.entries(spec) : []
  if (!entry || others.length > 0 || !isUnknownRecord(entry[1])) return undefined
  const { event, operation, trigger, order, channel, nth, burst, ...options } = entry[1]
  const match: FaultMatcher = compact({
    event: textIn(event),
    operation: operationOf(operation),
    trigger: textIn(trigger),
    order: textIn(order),
    channel: channel === 'polling' || channel === 'webhook' ? channel : undefined,
    nth: typeof nth === 'number' ? nth : undefined,
  })
  const times = typeof burst === 'number' || burst === 'outlast' ? burst : undefined
  return compact({ name: entry[0], match, options, burst: times })
}

/** The time after the steps in which faults stay active: the last step, which is no step of the workload. */
function faultPhaseOf({ steps }: WrittenScenario): number | undefined {
  const last: unknown = Array.isArray(steps) ? steps.at(-1) : undefined
  const advance = isUnknownRecord(last) ? last['advance'] : undefined
  return typeof advance === 'string' ? parseDuration(advance) : undefined
}

/** What makes two scenarios play the same, whatever they are called. */
const played = ({ subject, channel, orders, steps, faults, session }: WrittenScenario): unknown => {
  const { tolerances: _, ...settings } = isUnknownRecord(session) ? session : {}
  // Through JSON: what is undefined in one is absent in the other.
  return JSON.parse(
    JSON.stringify({ subject, channel, orders: orders ?? {}, steps, faults, settings }),
  )
}

/** The ways in which a workload may be trimmed: its first orders only, or its first steps only. */
function* trimsOf(workload: Workload): Generator<NonNullable<Schedule['trim']>> {
  const slots = placementOrder(workload)
  for (let orders = slots.length; orders >= 1; orders--)
    for (let steps = workload.steps.length; steps >= 0; steps--)
      yield {
        ...(orders < slots.length ? { orders: slots.slice(0, orders) } : {}),
        ...(steps < workload.steps.length ? { steps } : {}),
      }
  if (slots.length === 0) yield {}
}

/** Undefined for a scenario that is no schedule of these workloads. */
export function scheduleOfScenario(
  scenario: WrittenScenario,
  workloads: readonly Workload[],
  channel: 'polling' | 'webhook' | 'both',
): Schedule | undefined {
  const faultPhaseMs = faultPhaseOf(scenario)
  const specs: readonly unknown[] = Array.isArray(scenario['faults']) ? scenario['faults'] : []
  const faults = specs.flatMap((spec) => faultOf(spec) ?? [])
  if (faultPhaseMs === undefined || faults.length < specs.length) return undefined
  for (const whole of workloads)
    for (const trim of trimsOf(whole)) {
      const schedule = createSchedule(whole.name, faults, { ...trim, faultPhaseMs })
      const workload = trimWorkload(whole, schedule.trim)
      const written = scenarioOfSchedule({ schedule, workload, channel, faultPhaseMs })
      if (isDeepStrictEqual(played(written), played(scenario))) return schedule
    }
  return undefined
}
