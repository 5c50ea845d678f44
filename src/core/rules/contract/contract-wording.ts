/** A difference between traffic and contract as sentences: who sent what, what the contract demands, what the clauses say. */
import { fullRoleName } from '../../protocol/role.ts'
import type { Exchange, Party } from '../../traffic/exchange.ts'
import { clauseOpinion, clausesOfStatus } from './clause-comparison.ts'
import type { Contract } from './contract.ts'
import type { ContractDifference, ContractExchange } from './contract-difference.ts'
import { settingHint } from './setting-hints.ts'

export interface WordedDifference {
  readonly difference: ContractDifference
  readonly exchange: ContractExchange
  readonly contract: Contract
  /** The operation in the document; absent where it has none. */
  readonly name: string
}

/** The sentences, and the clauses that say something about the same. */
export interface DifferenceWording {
  readonly text: string
  readonly clauses: readonly string[]
}

/** Who sent a message. */
export const senderOf = (
  { side }: Pick<ContractDifference, 'side'>,
  { from, to }: Pick<Exchange, 'from' | 'to'>,
): Party => (side === 'request' ? from : to)

const messageText = ({ difference, exchange, name }: WordedDifference): string =>
  difference.side === 'request'
    ? `request ${name}`
    : `answer ${exchange.reply?.status ?? ''} of ${name}`

function opening(worded: WordedDifference): string {
  const { difference, exchange, contract } = worded
  const { party, role } = senderOf(difference, exchange)
  const message = messageText(worded)
  if (party === 'subject') return `Your ${message} differs from ${contract.file}`
  return party === 'partner'
    ? `The partner differs from ${contract.file} (${fullRoleName[role]}, ${message})`
    : `Our counterpart differs from your contract ${contract.file} (${fullRoleName[role]}, ${message})`
}

const clauseList = (clauses: readonly string[]): string =>
  clauses.length === 0 ? '' : ` (${clauses.join(', ')})`

/** What the protocol itself says about what the contract refuses: a body, or the status of a success. */
function clauseWording({ difference, exchange }: WordedDifference): DifferenceWording | undefined {
  if (difference.side === 'response' && difference.place === 'status') {
    const clauses = clausesOfStatus(exchange)
    const text = `Contract and protocol disagree: the clauses of ${exchange.operation}${clauseList(clauses)} have a success answered with ${exchange.reply?.status}.`
    return clauses.length === 0 ? undefined : { text, clauses }
  }
  const opinion = difference.isBody ? clauseOpinion(exchange, difference.side) : undefined
  if (!opinion) return undefined
  const { clauses } = opinion
  return opinion.allows
    ? {
        text: `Contract and protocol disagree: the clauses of ${exchange.operation}${clauseList(clauses)} allow this body.`,
        clauses,
      }
    : {
        text: `The clauses of ${exchange.operation}${clauseList(clauses)} do not allow this body either: ${opinion.because}.`,
        clauses,
      }
}

export function contractDifferenceWording(worded: WordedDifference): DifferenceWording {
  const { difference, exchange, contract } = worded
  const { demand, place, text } = difference
  const where = demand ? ` (${contract.placeText(demand)})` : ''
  const hint =
    senderOf(difference, exchange).party === 'sparring'
      ? settingHint(difference, exchange)
      : undefined
  const clause = clauseWording(worded)
  return {
    text: [`${opening(worded)}: ${place} ${text}${where}.`, clause?.text, hint]
      .filter((part) => part !== undefined)
      .join(' '),
    clauses: clause?.clauses ?? [],
  }
}

/** A body that the contract allows and the protocol does not; undefined where they agree. */
export function clauseOnlyWording({
  difference,
  exchange,
  contract,
  name,
}: WordedDifference): DifferenceWording | undefined {
  const opinion = clauseOpinion(exchange, difference.side)
  if (!opinion || opinion.allows) return undefined
  const message = messageText({ difference, exchange, contract, name })
  const text =
    `Contract and protocol disagree about your ${message}: ${contract.file} allows its body ` +
    `(${difference.demand ? contract.placeText(difference.demand) : name}), and the clauses of ` +
    `${exchange.operation}${clauseList(opinion.clauses)} do not: ${opinion.because}.`
  return { text, clauses: opinion.clauses }
}
