/**
 * Selects the recorded exchanges that may answer a live call. Excludes tokens and manifests, which are issued anew,
 * replies that depended on a token (401), and failed attempts with a later successful one.
 */
import { operation } from '../../core/protocol/catalogue.ts'
import type { Exchange, Party } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { isPollCall } from '../../core/traffic/polling.ts'
import { calledOperation, isFailedExchange, callLane } from './candidate-index.ts'

/** Tokens and manifests: issued anew by our host. */
export function isHostIssued({ operation: id }: Pick<Exchange, 'operation'>): boolean {
  if (id === undefined) return false
  const { capability, handler: behind } = operation(id)
  return capability === 'discovery' || behind.name === 'token.issue'
}

export interface MatchableOptions {
  /** Whether we play this party. */
  readonly ours: (party: Party) => boolean
  /** Include failed attempts. */
  readonly faithfulFailures: boolean
}

/** The exchanges that may answer, and all that others sent, in the recorded order. */
export function matchableExchanges(
  exchanges: readonly RecordedExchange[],
  { ours, faithfulFailures }: MatchableOptions,
): readonly RecordedExchange[] {
  const keyOf = (each: Exchange): string => `${calledOperation(each)} ${callLane(each)}`
  const succeeded = new Set(
    exchanges.filter((each) => ours(each.to) && !isFailedExchange(each)).map((each) => keyOf(each)),
  )
  return exchanges.filter((each) => {
    if (!ours(each.to)) return true
    if (each.operation === undefined || isHostIssued(each) || each.reply?.status === 401)
      return false
    if (!isFailedExchange(each)) return true
    if (isPollCall(each) || !each.reply || each.failure) return false
    return faithfulFailures || !succeeded.has(keyOf(each))
  })
}
