/** The strategies that are compared, each as a campaign of its own. */
import { faultClass, type ScheduledFault } from '../../src/explore/schedules/schedule.ts'
import { dense } from '../../src/explore/search/strategies/dense.ts'
import {
  pickByName,
  type SearchSpace,
  sitesOf,
  type Strategy,
} from '../../src/explore/search/strategies/strategy.ts'
import { transport } from './transport.ts'

interface Placed {
  /** Absent for a fault at a message about no single order. */
  readonly workload?: string
  readonly fault: ScheduledFault
}

const bySpace = new WeakMap<SearchSpace, readonly (readonly Placed[])[]>()

/** All faults by their kind, those of messages about no single order too. */
function faultKinds(space: SearchSpace): readonly (readonly Placed[])[] {
  const known = bySpace.get(space)
  if (known) return known
  const all: readonly Placed[] = [
    ...space.workloads.flatMap((workload) =>
      sitesOf(space, workload).flatMap(({ choices }) =>
        choices.map((fault) => ({ workload, fault })),
      ),
    ),
    ...space.shared.flatMap(({ choices }) => choices.map((fault) => ({ fault }))),
  ]
  const kinds = [...Map.groupBy(all, ({ fault }) => faultClass(fault)).values()]
  bySpace.set(space, kinds)
  return kinds
}

/** One fault in a schedule and no other, each kind as likely as every other. */
const oneFault: Strategy = {
  name: 'singles',
  about: 'one fault in each schedule, its kind drawn',
  drawShared: () => [],
  draw(space, _turn, chance) {
    const kind = chance.pick(faultKinds(space))
    const fault = pickByName(
      kind.map((each) => each.fault),
      chance,
    )
    const places = kind.filter((each) => each.fault === fault)
    const { workload = chance.pick(space.workloads) } = chance.pick(places)
    return { workload, faults: fault ? [fault] : [] }
  },
}

export interface ComparedStrategy {
  readonly name: string
  readonly about: string
  /** Absent: the usual ones. */
  readonly strategies?: readonly Strategy[]
}

export const baseline = 'transport'
export const ours = 'ours'

export const comparedStrategies: readonly ComparedStrategy[] = [
  { name: baseline, about: transport.about, strategies: [transport] },
  { name: 'singles', about: oneFault.about, strategies: [oneFault] },
  { name: 'dense', about: dense.about, strategies: [dense] },
  { name: ours, about: 'the usual mix of a campaign' },
]
