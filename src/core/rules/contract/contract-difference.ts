/** Types of the comparison of an exchange with a contract: the message that is compared, and what differs. */
import type { Exchange } from '../../traffic/exchange.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import type { Contract } from './contract.ts'
import type { ContractOperation } from './contract-operations.ts'
import type { SchemaMismatch } from './mismatch.ts'
import type { MessageDirection } from './normalise-schema.ts'
import type { DocumentLocation } from './source.ts'

/** One difference between an exchange and its contract. */
export interface ContractDifference {
  readonly side: MessageDirection
  /** Where in the message: `body /items/0/price`, `query limit`, `status`. */
  readonly place: string
  readonly text: string
  readonly demand: DocumentLocation | undefined
  /** The whole body was read, so that the protocol can be asked about it. */
  readonly isBody?: true
  /** Nothing forbids it. */
  readonly isAdvice?: true
  /** It takes too long to say whether it differs. */
  readonly isUnjudged?: true
}

/** An exchange as it was observed, or as it was recorded: what was redacted then is not compared. */
export type ContractExchange = Exchange & Pick<RecordedExchange, 'redactions'>

export interface ComparedMessage {
  readonly contract: Contract
  readonly operation: ContractOperation
  readonly exchange: ContractExchange
  /** Texts of the path parameters. */
  readonly values: ReadonlyMap<string, string>
}

/** A difference in a message whose side is known. */
export type FoundDifference = Omit<ContractDifference, 'side'>

export const noneFound: readonly FoundDifference[] = []

/** Nothing to add, which is the usual case. */
export function addAll(found: FoundDifference[], more: readonly FoundDifference[]): void {
  if (more.length > 0) found.push(...more)
}

export const asFound = (
  { place, text, demand, isUnjudged }: SchemaMismatch,
  where: string,
): FoundDifference => ({
  place: `${where}${place === '' ? '' : ` ${place}`}`,
  text,
  demand,
  ...(isUnjudged ? { isAdvice: true, isUnjudged } : {}),
})
