/**
 * A difference between traffic and contract as sentences: who sent what, what the contract demands, what the clauses
 * say.
 */
import { fullRoleName } from '../../protocol/role.ts'
import type { BodyTranslator } from '../../protocol/translation/translator.ts'
import { type Exchange, type Party, statusClass } from '../../traffic/exchange.ts'
import { clauseOpinion, clausesOfStatus } from './clause-comparison.ts'
import type { Contract } from './contract.ts'
import type { ContractDifference, ContractExchange } from './contract-difference.ts'
import { operation as catalogueOperation } from '../../protocol/catalogue.ts'

/** Which setting brings our counterparts closer to a contract, where one is known for a difference. */
interface Hint {
  readonly applies: (difference: ContractDifference, exchange: Exchange) => boolean
  readonly setting: string
}

const isAnswer = ({ side }: ContractDifference): boolean => side === 'response'
const isStatus = (difference: ContractDifference): boolean =>
  isAnswer(difference) && difference.place === 'status'
const hasStatus = ({ reply }: Exchange, ...statuses: readonly number[]): boolean =>
  reply !== undefined && statuses.includes(reply.status)
const capabilityOf = ({ operation }: Exchange) =>
  operation === undefined ? undefined : catalogueOperation(operation).capability

/** The first that applies is named. */
const hints: readonly Hint[] = [
  {
    applies: (difference, { operation, reply }) =>
      isAnswer(difference) &&
      operation === 'pollingEvents' &&
      statusClass({ status: reply?.status ?? 0 }) === 2 &&
      (difference.place === 'status' || reply?.body === undefined),
    setting: 'conduct.emptyPoll',
  },
  {
    applies: (difference, exchange) => isStatus(difference) && hasStatus(exchange, 404, 405),
    setting: 'conduct.unlistedMethod',
  },
  {
    applies: (difference, exchange) => isStatus(difference) && hasStatus(exchange, 409, 422),
    setting: 'conduct.invalidTransition',
  },
  {
    applies: (difference, { reply }) => isAnswer(difference) && (reply?.status ?? 0) >= 400,
    setting: 'conduct.errorBody and conduct.errorCodes',
  },
  {
    applies: ({ place }, { operation }) => place === 'path' && operation !== undefined,
    setting: 'conduct.basePath and conduct.paths',
  },
  {
    applies: ({ side }, { operation }) => side === 'request' && operation === 'acknowledgeEvents',
    setting: 'conduct.acknowledgmentBody',
  },
  {
    applies: ({ isBody }, exchange) => isBody === true && capabilityOf(exchange) === 'customer',
    setting: 'conduct.customer (notation, customerShape, orderShape, wrapper and others)',
  },
  {
    applies: ({ isBody }, exchange) => isBody === true && capabilityOf(exchange) === 'logistics',
    setting: 'conduct.logistics (names, eventPayload and others)',
  },
  {
    applies: ({ isBody }, exchange) => isBody === true && capabilityOf(exchange) === 'indoor',
    setting: 'conduct.indoor (accountShape, paymentBody and others)',
  },
]

/** The sentence that names the setting; undefined where none is known. */
function settingHint(difference: ContractDifference, exchange: Exchange): string | undefined {
  const hint = hints.find(({ applies }) => applies(difference, exchange))
  return hint && `What we send there is a choice of ${hint.setting}, or of a dialect (--dialect).`
}

export interface WordedDifference {
  readonly difference: ContractDifference
  readonly exchange: ContractExchange
  readonly contract: Contract
  /** The operation in the document; absent where it has none. */
  readonly name: string
  /** Of the dialect in which its bodies are. */
  readonly translator?: BodyTranslator | undefined
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
  if (difference.isUnjudged)
    return `The ${message} (${fullRoleName[role]}) was not compared with ${contract.file} as a whole`
  if (party === 'subject') return `Your ${message} differs from ${contract.file}`
  return party === 'partner'
    ? `The partner differs from ${contract.file} (${fullRoleName[role]}, ${message})`
    : `Our counterpart differs from your contract ${contract.file} (${fullRoleName[role]}, ${message})`
}

const clauseList = (clauses: readonly string[]): string =>
  clauses.length === 0 ? '' : ` (${clauses.join(', ')})`

/** What the protocol itself says about what the contract refuses: a body, or the status of a success. */
function clauseWording({
  difference,
  exchange,
  translator,
}: WordedDifference): DifferenceWording | undefined {
  if (difference.side === 'response' && difference.place === 'status') {
    const clauses = clausesOfStatus(exchange)
    const text = `Contract and protocol disagree: the clauses of ${exchange.operation}${clauseList(clauses)} have a success answered with ${exchange.reply?.status}.`
    return clauses.length === 0 ? undefined : { text, clauses }
  }
  const opinion = difference.isBody
    ? clauseOpinion(exchange, difference.side, translator)
    : undefined
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
  translator,
}: WordedDifference): DifferenceWording | undefined {
  const opinion = clauseOpinion(exchange, difference.side, translator)
  if (!opinion || opinion.allows) return undefined
  // A translated answer lacks what its dialect has no place for.
  const { operation = '' } = exchange
  if (difference.side === 'response' && translator?.translates(operation, 'reply')) return undefined
  const message = messageText({ difference, exchange, contract, name })
  const text =
    `Contract and protocol disagree about your ${message}: ${contract.file} allows its body ` +
    `(${difference.demand ? contract.placeText(difference.demand) : name}), and the clauses of ` +
    `${exchange.operation}${clauseList(opinion.clauses)} do not: ${opinion.because}.`
  return { text, clauses: opinion.clauses }
}
