/**
 * Faults at messages about no single order (polls, acknowledgments, tokens), which neighbouring schedules share. Pure.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import { faultClass, type ScheduledFault } from '../../schedules/schedule.ts'
import { definitionOf } from '../../schedules/fault-traits.ts'
import { isCreation, isReading } from './calls.ts'
import { denseFaults } from './dense.ts'
import { operation as rowOf, type OperationId } from '../../../core/protocol/catalogue.ts'
import {
  type FaultSite,
  interleave,
  isFailure,
  oncePerSpace,
  pickByName,
  type SearchSpace,
  takeTurns,
} from './strategy.ts'

type Faults = readonly ScheduledFault[]

/** `turn`: how many groups of neighbours have drawn this form before. */
export type SharedForm = (space: SearchSpace, turn: number, chance: Chance) => Faults

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
export const crashesOrNothing: SharedForm = (space, turn) =>
  crashesInTurn(space).flatMap((ofForm) => ofForm[turn % Math.max(1, ofForm.length)] ?? [])

export const noSharedFaults: SharedForm = () => []

/** Many faults, at the messages of one operation or of all. */
export const denseSharedFaults: SharedForm = (space, _turn, chance) => {
  const [first, ...others] = sharedOperations(space)
  const operation = chance.oneIn(2) ? first : chance.pick([undefined, ...others])
  return denseFaults(
    operation === undefined ? space.shared : sitesOfOperation(space, operation),
    chance,
  )
}

/** One fault; every kind takes its turn. */
export const singleSharedFault: SharedForm = (space, turn, chance) => {
  const classes = sharedClasses(space)
  const single = pickByName(classes[turn % Math.max(1, classes.length)] ?? [], chance)
  return single ? [single] : []
}

/** Whether a call is refused so that the client has to ask for a token again. */
const endsToken = ({ options }: ScheduledFault): boolean => options['revoke'] === true

/** The token of the client is revoked at every other message, and every request for another one is slow. */
export const renewalSharedFaults: SharedForm = ({ shared }, _turn, chance) =>
  shared.flatMap(({ choices }) => {
    const isRequest = choices.some(({ match }) => match.operation === 'issueToken')
    const possible = isRequest
      ? choices.filter((fault) => definitionOf(fault)?.symptom === 'slow')
      : choices.filter(endsToken)
    return isRequest || chance.oneIn(2) ? (pickByName(possible, chance) ?? []) : []
  })

/** One call of an operation after the other fails, each in another way; operations take turns. */
export const successiveSharedFaults: SharedForm = (space, turn, chance) => {
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
