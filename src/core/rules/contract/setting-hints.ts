/** Which setting brings our counterparts closer to a contract, where one is known for a difference. */
import { operation as catalogueOperation } from '../../protocol/catalogue.ts'
import { type Exchange, statusClass } from '../../traffic/exchange.ts'
import type { ContractDifference } from './contract-difference.ts'

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
export function settingHint(
  difference: ContractDifference,
  exchange: Exchange,
): string | undefined {
  const hint = hints.find(({ applies }) => applies(difference, exchange))
  return hint && `What we send there is a choice of ${hint.setting}, or of a dialect (--dialect).`
}
