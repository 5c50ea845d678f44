/** A difference between traffic and contract as sentences: who sent what, what the contract demands, what the clauses say. */
import { fullRoleName } from '../protocol/role.ts'
import type { Exchange, Party } from '../traffic/exchange.ts'
import { clauseOpinion } from './clause-comparison.ts'
import type { Contract } from './contract.ts'
import type { ContractDifference } from './exchange-differences.ts'
import { settingHint } from './setting-hints.ts'

export interface WordedDifference {
  readonly difference: ContractDifference
  readonly exchange: Exchange
  readonly contract: Contract
  /** The operation in the document; absent where it has none. */
  readonly name: string
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

/** What the protocol itself says about a body that the contract refuses. */
function clauseSentence({ difference, exchange }: WordedDifference): string | undefined {
  if (!difference.isBody) return undefined
  const opinion = clauseOpinion(exchange, difference.side)
  if (!opinion) return undefined
  return opinion.allows
    ? `Contract and protocol disagree: the clauses of ${exchange.operation}${clauseList(opinion.clauses)} allow this body.`
    : `The clauses of ${exchange.operation}${clauseList(opinion.clauses)} do not allow this body either: ${opinion.because}.`
}

export function contractDifferenceText(worded: WordedDifference): string {
  const { difference, exchange, contract } = worded
  const { demand, place, text } = difference
  const where = demand ? ` (${contract.placeText(demand)})` : ''
  const hint =
    senderOf(difference, exchange).party === 'sparring'
      ? settingHint(difference, exchange)
      : undefined
  return [`${opening(worded)}: ${place} ${text}${where}.`, clauseSentence(worded), hint]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** A body that the contract allows and the protocol does not; undefined where they agree. */
export function clauseOnlyText({
  difference,
  exchange,
  contract,
  name,
}: WordedDifference): string | undefined {
  const opinion = clauseOpinion(exchange, difference.side)
  if (!opinion || opinion.allows) return undefined
  const message = messageText({ difference, exchange, contract, name })
  return (
    `Contract and protocol disagree about your ${message}: ${contract.file} allows its body ` +
    `(${difference.demand ? contract.placeText(difference.demand) : name}), and the clauses of ` +
    `${exchange.operation}${clauseList(opinion.clauses)} do not: ${opinion.because}.`
  )
}
