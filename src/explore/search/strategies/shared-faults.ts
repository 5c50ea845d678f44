/**
 * Faults at messages about no single order (polls, acknowledgments, tokens), which neighbouring schedules share. Pure.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import { faultClass, type ScheduledFault } from '../../schedules/schedule.ts'
import { definitionOf } from '../../schedules/fault-traits.ts'
import { denseFaults } from './dense.ts'
import { operation as rowOf } from '../../../core/protocol/catalogue.ts'
import {
  type FaultSite,
  interleave,
  isFailure,
  oncePerSpace,
  pickByName,
  type SearchSpace,
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

/** What a service takes over, what it changes, and what it only reads: a crash at the first of them loses most. */
const crashRank = ({ match: { operation, event }, options }: ScheduledFault): string => {
  const isRead = operation !== undefined && rowOf(operation).method === 'GET'
  return `${isRead ? 2 : event === undefined || event === 'CREATED' ? 0 : 1} ${String(options['when'])}`
}

/** The kinds of messages at which the service can be ended, in turn. */
const crashesInTurn = oncePerSpace(({ crashes = [] }) =>
  crashes.toSorted((one, other) => (crashRank(one) < crashRank(other) ? -1 : 1)),
)

/** Nothing, or a crash where the service is ours to start: each kind takes its turn. */
export const crashOrNothing: SharedForm = (space, turn) => {
  const crashes = crashesInTurn(space)
  const crash = crashes[turn % Math.max(1, crashes.length)]
  return crash ? [crash] : []
}

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
