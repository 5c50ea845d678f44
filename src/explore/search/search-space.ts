/** What a search space holds: every kind of fault, and what is left of it under the limits of a campaign. */
import type { EventChannel } from '../../core/engine/emitted-event.ts'
import type { ObservedPoint } from '../schedules/observed-points.ts'
import { faultClass, isSharedFault, type ScheduledFault } from '../schedules/schedule.ts'
import { faultChoices } from './fault-choices.ts'
import type { FaultSite, SearchSpace } from './strategies/strategy.ts'
import { hasTrait } from '../../core/faults/catalogue.ts'
import { endsService } from '../schedules/fault-traits.ts'
import type { ScheduleResult } from '../schedules/result.ts'

/** The messages that faults can distort, with those faults. */
export const faultSitesAt = (
  points: readonly ObservedPoint[],
  channels: readonly EventChannel[],
  named: readonly string[] = [],
): readonly FaultSite[] =>
  points.flatMap((point) => {
    const choices = faultChoices(point, channels, named)
    return choices.length > 0 ? [{ slot: point.match.order, choices }] : []
  })

/** Options that say how long something is held back, in ms. */
const delayOptions = ['by', 'atMost'] as const

/**
 * The search space without faults that are not possible, and without those that hold something back for longer; a fault of which no
 * form is short enough keeps its shortest.
 */
export function restrictedSpace(
  { workloads, own, shared, crashes = [], later }: SearchSpace,
  maxDelayMs: number,
  isPossible: (fault: ScheduledFault) => boolean = (fault) => !endsService(fault),
): SearchSpace {
  const delayOf = ({ options }: ScheduledFault): number =>
    Math.max(0, ...delayOptions.map((name) => Number(options[name] ?? 0)))
  const shorter = (sites: readonly FaultSite[]): readonly FaultSite[] =>
    sites.map(({ slot, choices }) => {
      const shortest = new Map<string, number>()
      for (const choice of choices)
        shortest.set(
          choice.name,
          Math.min(shortest.get(choice.name) ?? Number.POSITIVE_INFINITY, delayOf(choice)),
        )
      return {
        slot,
        choices: choices.filter(
          (choice) =>
            isPossible(choice) &&
            delayOf(choice) <= Math.max(maxDelayMs, shortest.get(choice.name) ?? 0),
        ),
      }
    })
  return {
    workloads,
    own: new Map([...own].map(([name, sites]) => [name, shorter(sites)])),
    shared: shorter(shared),
    crashes: crashes.filter(isPossible),
    later,
  }
}

/** Every kind of fault of a search space. */
export const classesOf = ({ own, shared }: SearchSpace): ReadonlySet<string> =>
  new Set(
    [...own.values(), shared].flatMap((sites) =>
      sites.flatMap(({ choices }) => choices.map(faultClass)),
    ),
  )

const maxCoupling = 4

/**
 * Faults that hold back calls about other orders as well: a partner limits the rate of a client,
 * and revokes its token. Those of other schedules of a batch that fired; the first few of them.
 */
export const couplingFaults = (results: readonly ScheduleResult[]): readonly ScheduledFault[] =>
  results
    .flatMap(({ schedule, exercised }) =>
      schedule.faults.filter(
        (fault, index) =>
          exercised[index] && hasTrait(fault, 'client-wide') && !isSharedFault(fault),
      ),
    )
    .slice(0, maxCoupling)
