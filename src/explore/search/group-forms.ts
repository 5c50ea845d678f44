/**
 * What the schedules of a group of neighbours have in common, and where a schedule stands among those drawn in the same
 * way.
 */
import { createGroupFinder, type GroupSizes, type NeighbourGroup, nextGroup } from './neighbours.ts'
import {
  crashesOrNothing,
  denseSharedFaults,
  noSharedFaults,
  renewalSharedFaults,
  type SharedForm,
  singleSharedFault,
  successiveSharedFaults,
} from './strategies/shared-faults.ts'
import {
  lastingPhaseMs,
  oncePerSpace,
  type SearchSpace,
  slotsOf,
  type Strategy,
  takeTurns,
} from './strategies/strategy.ts'
import { operation as rowOf, type OperationId } from '../../core/protocol/catalogue.ts'
import { hasTrait } from '../../core/faults/catalogue.ts'
import { faultClass } from '../schedules/schedule.ts'
import { type Candidate, candidatesIn } from './strategies/candidates.ts'
import { atEveryAttempt } from './strategies/calls.ts'

// Faults that never end by themselves: every call of one operation about one order fails or hangs,
// and the other orders must go on. The order is any one, or one that comes when others are under
// way.

/** What can fail for good: from the first attempt on, and without effect. */
const isPermanent = ({ fault: { name, match, burst, options } }: Candidate): boolean =>
  hasTrait({ name }, 'permanent') &&
  match.nth === 1 &&
  burst === undefined &&
  options['effect'] !== 'after'

/** Whether it is about an order that comes when others are under way. */
const isLater = ({ later }: SearchSpace, { workload, fault }: Candidate): boolean =>
  later.get(workload)?.has(fault.match.order ?? '') === true

type Rank = (operation: OperationId | undefined) => string

/** Calls that change something come before readings, and those before webhooks. */
const stepsFirst: Rank = (operation) => {
  const { webhook, method } = operation === undefined ? {} : rowOf(operation)
  return `${webhook ? 2 : method === 'GET' ? 1 : 0} ${operation}`
}

/** Of an order that is not known yet: the readings by which it becomes known come first. */
const readingsFirst: Rank = (operation) => {
  const { method } = operation === undefined ? {} : rowOf(operation)
  return `${method === 'GET' ? 0 : 1} ${stepsFirst(operation)}`
}

/** By kind: operations by rank, and the names of faults alternate from operation to operation. */
function inTurn(candidates: readonly Candidate[], rankOf: Rank): readonly (readonly Candidate[])[] {
  const kinds = Map.groupBy(candidates, ({ fault }) => faultClass(fault))
  const byOperation = [...Map.groupBy(kinds.values(), ([first]) => first?.fault.match.operation)]
  byOperation.sort(([one], [other]) => (rankOf(one) < rankOf(other) ? -1 : 1))
  return takeTurns(byOperation.map(([, ofOperation]) => ofOperation))
}

const ofAnyOrder = oncePerSpace((space) =>
  inTurn(candidatesIn(space).filter(isPermanent), stepsFirst),
)

const ofLaterOrders = oncePerSpace((space) => {
  const candidates = candidatesIn(space).filter(isPermanent)
  const ofLater = candidates.filter((each) => isLater(space, each))
  return inTurn(ofLater.length > 0 ? ofLater : candidates, readingsFirst)
})

const drawFrom =
  (candidatesInTurn: typeof ofAnyOrder): Strategy['draw'] =>
  (space, turn, chance) => {
    const kinds = candidatesInTurn(space)
    const candidates = kinds[turn % Math.max(1, kinds.length)]
    if (!candidates) return undefined
    const several = candidates.filter(({ workload }) => slotsOf(space, workload).size > 1)
    const { workload, fault } = chance.pick(
      several.length > 0 && !chance.oneIn(4) ? several : candidates,
    )
    return { workload, faults: [atEveryAttempt(fault)], faultPhaseMs: lastingPhaseMs }
  }

export const permanent: Strategy = {
  name: 'permanent',
  about: 'every call of one operation about one order fails or hangs, and has no effect',
  draw: drawFrom(ofAnyOrder),
}

export const permanentLater: Strategy = {
  name: 'permanent-later',
  about: 'the same of an order that comes when others are under way',
  draw: drawFrom(ofLaterOrders),
}

export interface GroupForm {
  readonly shared: SharedForm
  /** In place of the usual strategies. */
  readonly only?: Strategy
}

const unshared: GroupForm = { shared: crashesOrNothing }
const permanentOnly: GroupForm = { shared: noSharedFaults, only: permanent }
const permanentLaterOnly: GroupForm = { shared: noSharedFaults, only: permanentLater }
const renewal: GroupForm = { shared: renewalSharedFaults }
const successive: GroupForm = { shared: successiveSharedFaults }
const many: GroupForm = { shared: denseSharedFaults }
const single: GroupForm = { shared: singleSharedFault }

/** What groups of neighbours have in common, in turn. */
const groupForms: readonly GroupForm[] = [
  unshared,
  permanentOnly,
  successive,
  unshared,
  renewal,
  permanentLaterOnly,
  many,
  unshared,
  successive,
  many,
  unshared,
  single,
]

/** The place of a schedule in its group. */
export interface GroupPlace {
  readonly group: NeighbourGroup
  readonly form: GroupForm
  /** How many groups before it have the same form. */
  readonly groupTurn: number
  /** How many schedules before it are drawn by the same only strategy, or else by the usual ones. */
  readonly turn: number
}

/** Finds the place of a schedule: a pure function of its number. Without what needs a longer fault phase than there may be. */
export function createPlaceFinder(
  sizes: GroupSizes,
  maxPhaseMs = Number.POSITIVE_INFINITY,
): (index: number) => GroupPlace {
  const possible = groupForms.filter(({ only }) => !only || lastingPhaseMs <= maxPhaseMs)
  const groupOf = createGroupFinder(sizes)
  /** Of the first schedule of each group. */
  const places: GroupPlace[] = []
  const groupTurns = new Map<GroupForm, number>()
  const turns = new Map<Strategy | undefined, number>()

  function addPlace(): void {
    const group = nextGroup(sizes, places.at(-1)?.group)
    const form = possible[group.number % possible.length] ?? unshared
    const [groupTurn, turn] = [groupTurns.get(form) ?? 0, turns.get(form.only) ?? 0]
    places.push({ group, form, groupTurn, turn })
    groupTurns.set(form, groupTurn + 1)
    turns.set(form.only, turn + group.end - group.begin)
  }

  return (index) => {
    const { number } = groupOf(index)
    while (places.length <= number) addPlace()
    const place = places[number]
    if (!place) throw new Error(`there is no group ${number}`)
    return { ...place, turn: place.turn + index - place.group.begin }
  }
}
