/**
 * Selects the recorded exchanges that may answer a live call. Excludes tokens and manifests, which are issued anew,
 * replies that depended on a token (401), and failed attempts with a later successful one.
 */
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange, Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { isPoll } from './entity-versions.ts'
import { calledOf, failed, laneOf } from './candidate.ts'

/** Tokens and manifests: issued anew by our host. */
export function isOfTheHost({ operation: id }: Pick<Exchange, 'operation'>): boolean {
  if (id === undefined) return false
  const { capability, behind } = operation(id)
  return capability === 'discovery' || behind.name === 'token.issue'
}

export interface AnswerableOptions {
  /** Whether we play this party. */
  readonly ours: (party: Party) => boolean
  /** Include failed attempts. */
  readonly faithfulFailures: boolean
}

/** The exchanges that may answer, and all that others sent, in the recorded order. */
export function answerable(
  exchanges: readonly RecordedExchange[],
  { ours, faithfulFailures }: AnswerableOptions,
): readonly RecordedExchange[] {
  const keyOf = (each: Exchange): string => `${calledOf(each)} ${laneOf(each)}`
  const succeeded = new Set(
    exchanges.filter((each) => ours(each.to) && !failed(each)).map((each) => keyOf(each)),
  )
  return exchanges.filter((each) => {
    if (!ours(each.to)) return true
    if (each.operation === undefined || isOfTheHost(each) || each.reply?.status === 401)
      return false
    if (!failed(each)) return true
    if (isPoll(each.operation) || !each.reply || each.failure) return false
    return faithfulFailures || !succeeded.has(keyOf(each))
  })
}
