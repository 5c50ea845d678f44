/**
 * One fault in a schedule, stratified: the kinds of faults take turns, and within a kind workload, message and size are drawn.
 * It shows that every fault was tried at every kind of message; the first kinds differ in their fault and their message both.
 * And what is searched only where it is named.
 */
import { hasTrait } from '../../../core/faults/catalogue.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { changesOrders, definitionOf } from '../../schedules/fault-traits.ts'
import { faultClass, type ScheduledFault } from '../../schedules/schedule.ts'
import { atEveryAttempt } from './calls.ts'
import { isDelivery } from './deliveries.ts'
import {
  type Candidate,
  candidatesByClass,
  candidatesIn,
  interleave,
  lastingPhaseMs,
  oncePerSpace,
  pickByName,
  sitesOf,
  slotsOf,
  type Strategy,
} from './strategy.ts'

export const singles: Strategy = {
  name: 'singles',
  about: 'one fault; every kind of fault at every kind of message takes its turn',
  draw(space, turn, chance) {
    const classes = [...candidatesByClass(space).values()]
    const candidates = classes[turn % Math.max(1, classes.length)]
    if (!candidates) return undefined
    const outlasting = candidates.filter(({ fault }) => fault.burst !== undefined)
    const isOutlasting = outlasting.length > 0 && chance.oneIn(2)
    const { workload, fault } = chance.pick(isOutlasting ? outlasting : candidates)
    return { workload, faults: [fault] }
  },
}

/**
 * What another app does at a kind of message: when the service first hears of an order, when it asks for something, and at any
 * other event, by turns; what does most first.
 */
const actsInTurn = oncePerSpace((space): readonly (readonly Candidate[])[] => {
  const sizeOf = ({ fault }: Candidate): number => [fault.options['does']].flat().length
  const nthOf = ({ fault }: Candidate): number => fault.match.nth ?? 1
  const acts = candidatesIn(space)
    .filter(({ fault }) => changesOrders(fault))
    .sort((one, other) => sizeOf(other) - sizeOf(one) || nthOf(one) - nthOf(other))
  const placeOf = ({ fault: { match } }: Candidate): number =>
    match.event === 'CREATED' ? 0 : match.operation === undefined ? 2 : 1
  const kindOf = (each: Candidate): string =>
    `${nthOf(each)} ${faultClass(each.fault)} ${JSON.stringify(each.fault.options)}`
  const places = [...Map.groupBy(acts, placeOf)].sort(([one], [other]) => one - other)
  return interleave(places.map(([, ofPlace]) => [...Map.groupBy(ofPlace, kindOf).values()]))
})

export const otherApps: Strategy = {
  name: 'other-apps',
  about: 'another app of the store acts on an order first, each kind of act in turn',
  draw(space, turn, chance) {
    const acts = actsInTurn(space)
    const candidates = acts[turn % Math.max(1, acts.length)]
    if (!candidates) return undefined
    const { workload, fault } = chance.pick(candidates)
    return { workload, faults: [fault] }
  },
}

const hasLaterVersions = oncePerSpace((space) =>
  candidatesIn(space).some(({ fault }) => definitionOf(fault)?.isNamedOnly),
)

/** What fails with more orders is not small. */
const maxOrders = 4

/** Workloads in turn, those of several orders first: one draw has more forms at messages of one kind. */
const smallWorkloads = oncePerSpace((space) => {
  const sizeOf = (workload: string): number => slotsOf(space, workload).size
  const small = space.workloads.filter((workload) => sizeOf(workload) <= maxOrders)
  return small.sort((one, other) => sizeOf(other) - sizeOf(one))
})

/** A message that is only written otherwise is taken at its next try: every try is, for as long as a partner tries. */
export const laterVersions: Strategy = {
  name: 'later-versions',
  about:
    'every message of a workload is written in another way at each try, or has an event that no document knows',
  draw(space, turn, chance) {
    const [round, isWritten] = [Math.floor(turn / 2), turn % 2 === 0]
    const workloads = smallWorkloads(space)
    const workload = workloads[round % Math.max(1, workloads.length)]
    if (workload === undefined) return undefined
    const isPossible = (fault: ScheduledFault): boolean =>
      (fault.match.nth ?? 1) === 1 &&
      (isWritten
        ? hasTrait(fault, 'contents')
        : isDelivery(fault) && definitionOf(fault)?.symptom === 'unknown')
    /** How many messages of a kind have been written: each is in another form than the one before it. */
    const places = new Map<OperationId | undefined, number>()
    const faults = sitesOf(space, workload).flatMap(({ choices }) => {
      const possible = choices.filter(isPossible)
      const [first] = possible
      if (!first || !isWritten) return pickByName(possible, chance) ?? []
      const place = places.get(first.match.operation) ?? maxOrders * round
      places.set(first.match.operation, place + 1)
      return possible[place % possible.length] ?? []
    })
    const lasting = isWritten ? { faultPhaseMs: lastingPhaseMs } : {}
    return { workload, faults: faults.map(atEveryAttempt), ...lasting }
  },
}

/** Both take the same turns, one after the other where both are named. */
export const namedOnly: Strategy = {
  name: 'named-only',
  about: `what is searched where it is named: ${otherApps.about}; ${laterVersions.about}`,
  draw(space, turn, chance) {
    const [first, ...others] = [
      ...(actsInTurn(space).length > 0 ? [otherApps] : []),
      ...(hasLaterVersions(space) ? [laterVersions] : []),
    ]
    const count = 1 + others.length
    const strategy = turn % count === 0 ? first : others[0]
    return strategy?.draw(space, Math.floor(turn / count), chance)
  },
}
