/**
 * What the schedules of a group of neighbours have in common, and where a schedule stands among those drawn in the same
 * way.
 */
import { createGroupFinder, type GroupSizes, type NeighbourGroup, nextGroup } from './neighbours.ts'
import {
  type Candidate,
  candidatesIn,
  type FaultSite,
  interleave,
  isFailure,
  lastingPhaseMs,
  oncePerSpace,
  pickByName,
  type SearchSpace,
  slotsOf,
  type Strategy,
  takeTurns,
} from './strategies/strategy.ts'
import { operation as rowOf, type OperationId } from '../../core/protocol/catalogue.ts'
import { hasTrait } from '../../core/faults/catalogue.ts'
import { faultClass, type ScheduledFault } from '../schedules/schedule.ts'
import { atEveryAttempt, isCreation, isReading } from './strategies/calls.ts'
import type { Chance } from '../../core/engine/chance.ts'
import { definitionOf } from '../schedules/fault-traits.ts'
import { denseFaults } from './strategies/dense.ts'

type Faults = readonly ScheduledFault[]

/** `turn`: how many groups of neighbours have drawn this form before. */
type SharedForm = (space: SearchSpace, turn: number, chance: Chance) => Faults

const operationOf = ({ choices: [choice] }: FaultSite): string => choice?.match.operation ?? ''

/** The operations that are about no single order, the ones that a service depends on most first. */
function sharedOperations({ shared }: SearchSpace): readonly string[] {
  const all = new Set(shared.map(operationOf))
  const first = ['pollingEvents', 'acknowledgeEvents', 'issueToken'].filter((each) => all.has(each))
  return [...first, ...[...all].filter((each) => !first.includes(each)).sort()]
}

const sitesOfOperation = ({ shared }: SearchSpace, operation: string): readonly FaultSite[] =>
  shared.filter((site) => operationOf(site) === operation)

/** The kinds of faults: operations take turns, and what makes a caller try again is first. */
function sharedClasses(space: SearchSpace): readonly Faults[] {
  const byOperation = sharedOperations(space).map((operation) => {
    const faults = sitesOfOperation(space, operation).flatMap(({ choices }) => choices)
    const rank = (fault: ScheduledFault | undefined): string =>
      fault ? `${isFailure(fault) ? 0 : 1} ${fault.name}` : ''
    return [...Map.groupBy(faults, faultClass).values()].sort(([one], [other]) =>
      rank(one) < rank(other) ? -1 : 1,
    )
  })
  return interleave(byOperation)
}

const acknowledges = (operation: OperationId): boolean =>
  rowOf(operation).handler.name === 'events.acknowledge'

/** Whether a crash meets the service while it takes something over, while it reads, or while it changes something. */
function crashForm({ match: { operation }, options }: ScheduledFault): string {
  const isOfAck = String(options['when']).endsWith('-ack')
  if (operation === undefined || isOfAck || acknowledges(operation)) return 'takes over'
  return isReading(operation) ? 'reads' : 'changes'
}

/** First what begins something: an order is heard of, or something new is made; then Orders, and what is about one. */
function crashRank({ match: { operation, event } }: ScheduledFault): string {
  if (operation === undefined) return ''
  const { path, capability } = rowOf(operation)
  const begins = event === 'CREATED' || acknowledges(operation) || isCreation(operation)
  const isAboutOne = event !== undefined || path.includes('{')
  return `${begins ? 0 : isAboutOne ? 1 : 2} ${capability === 'orders' ? 0 : 1}`
}

/**
 * The crashes of each form, in turn: kinds of messages by rank, another moment at each. A session has one of each form: which
 * of them a failure takes is soon found by shrinking.
 */
const crashesInTurn = oncePerSpace(({ crashes = [] }): readonly Faults[] =>
  [...Map.groupBy(crashes, crashForm).values()].map((ofForm) => {
    const byKind = [...Map.groupBy(ofForm, faultClass).values()]
    const rankOf = ([first]: Faults): string => (first ? crashRank(first) : '')
    return takeTurns(byKind.sort((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1)))
  }),
)

/** Nothing, or crashes where the service is ours to start: each takes its turn. */
const crashesOrNothing: SharedForm = (space, turn) =>
  crashesInTurn(space).flatMap((ofForm) => ofForm[turn % Math.max(1, ofForm.length)] ?? [])

const noSharedFaults: SharedForm = () => []

/** Many faults, at the messages of one operation or of all. */
const denseSharedFaults: SharedForm = (space, _turn, chance) => {
  const [first, ...others] = sharedOperations(space)
  const operation = chance.oneIn(2) ? first : chance.pick([undefined, ...others])
  return denseFaults(
    operation === undefined ? space.shared : sitesOfOperation(space, operation),
    chance,
  )
}

/** One fault; every kind takes its turn. */
const singleSharedFault: SharedForm = (space, turn, chance) => {
  const classes = sharedClasses(space)
  const single = pickByName(classes[turn % Math.max(1, classes.length)] ?? [], chance)
  return single ? [single] : []
}

/** Whether a call is refused so that the client has to ask for a token again. */
const endsToken = ({ options }: ScheduledFault): boolean => options['revoke'] === true

/** The token of the client is revoked at every other message, and every request for another one is slow. */
const renewalSharedFaults: SharedForm = ({ shared }, _turn, chance) =>
  shared.flatMap(({ choices }) => {
    const isRequest = choices.some(({ match }) => match.operation === 'issueToken')
    const possible = isRequest
      ? choices.filter((fault) => definitionOf(fault)?.symptom === 'slow')
      : choices.filter(endsToken)
    return isRequest || chance.oneIn(2) ? (pickByName(possible, chance) ?? []) : []
  })

/** One call of an operation after the other fails, each in another way; operations take turns. */
const successiveSharedFaults: SharedForm = (space, turn, chance) => {
  const operations = sharedOperations(space)
  const sites = sitesOfOperation(space, operations[turn % Math.max(1, operations.length)] ?? '')
  const drawn = new Map<string, ScheduledFault>()
  for (const { choices } of sites) {
    const possible = choices.filter(
      (fault) => fault.burst === undefined && isFailure(fault) && !drawn.has(fault.name),
    )
    const fault = pickByName(possible, chance)
    if (fault) drawn.set(fault.name, fault)
  }
  return [...drawn.values()]
}

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
