/**
 * What of a recording may answer a live call. Tokens and manifests are given out anew by whoever plays the host, so
 * what turned on them is no answer either; and an attempt that failed is none where a later one went well.
 */
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { isPoll } from './entity-versions.ts'
import { calledOf, failed, laneOf } from './candidate.ts'

/** Given out anew, by whoever plays the host. */
export function isOfTheHost({ operation: id }: Pick<Exchange, 'operation'>): boolean {
  if (id === undefined) return false
  const { capability, behind } = operation(id)
  return capability === 'discovery' || behind.name === 'token.issue'
}

export interface AnswerableOptions {
  /** Whether we play this party. */
  readonly ours: (party: Party) => boolean
  /** Failed attempts count as well. */
  readonly faithfulFailures: boolean
}

/** What is left to look in, with all that others sent: the order stays. */
export function answerable(
  exchanges: readonly RecordedExchange[],
  { ours, faithfulFailures }: AnswerableOptions,
): readonly RecordedExchange[] {
  const keyOf = (each: Exchange): string => `${calledOf(each)} ${laneOf(each)}`
  const well = new Set(
    exchanges.filter((each) => ours(each.to) && !failed(each)).map((each) => keyOf(each)),
  )
  return exchanges.filter((each) => {
    if (!ours(each.to)) return true
    if (each.operation === undefined || isOfTheHost(each) || each.reply?.status === 401)
      return false
    if (!failed(each)) return true
    if (isPoll(each.operation) || !each.reply || each.failure) return false
    return faithfulFailures || !well.has(keyOf(each))
  })
}
