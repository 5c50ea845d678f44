/**
 * The match strategies for calls, best first: each searches the lane of a live call for the recorded call that answers
 * it.
 */
import type { Difference } from '../../core/traffic/recording/difference.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { type EntityKeysOf, type EntityVersion, isSafeMethod } from './entity-versions.ts'
import type { MatchStrategy } from '../../core/traffic/recording/match-strategy.ts'
import { isFailedExchange, type MatchCandidate } from './candidate-index.ts'

/** Result of a strategy. */
export interface StrategyResult {
  readonly strategy: MatchStrategy
  /** The recorded exchange that answers; none on a miss. */
  readonly recorded?: RecordedExchange
  readonly differences: readonly Difference[]
  /** One sentence, where the differences do not say it. */
  readonly because?: string
}

export interface StrategyOptions {
  readonly entities: EntityKeysOf
  /** Differences of the request; `live` with recorded identifiers. */
  readonly asked: (recorded: Exchange, live: Exchange) => readonly Difference[]
  readonly faithfulFailures: boolean
  /** Called when a recorded call has been matched for the first time. */
  readonly onUsed: (recorded: RecordedExchange, at: number) => void
}

/** Maximum number of recorded calls that are compared with one live call. */
const maxCompared = 20

export interface MatchContext {
  /** With recorded identifiers. */
  readonly live: Exchange
  readonly version: EntityVersion
  /** In milliseconds of the replay's clock since it began. */
  readonly at: number
}

export function createStrategyChain({
  entities,
  asked,
  faithfulFailures,
  onUsed,
}: StrategyOptions) {
  /** A read must have the same version in changes and handovers, a change only in changes. */
  const isSameVersion = (slot: MatchCandidate, live: Exchange, version: EntityVersion): boolean =>
    slot.version.changes === version.changes &&
    (!isSafeMethod(live) || slot.version.handovers === version.handovers)

  const rejects = (differences: readonly Difference[]): boolean =>
    differences.some(({ side, accepted }) => side === 'request' && !accepted)

  function markUsed(
    slot: MatchCandidate,
    strategy: MatchStrategy,
    differences: readonly Difference[],
    at: number,
  ): StrategyResult {
    slot.used = true
    onUsed(slot.recorded, at)
    return { strategy, recorded: slot.recorded, differences }
  }

  /** Successful replies first, unless failures are to be reproduced. */
  function successesFirst(lane: readonly MatchCandidate[]): readonly MatchCandidate[] {
    if (faithfulFailures || !lane.some(({ recorded }) => isFailedExchange(recorded))) return lane
    return [
      ...lane.filter(({ recorded }) => !isFailedExchange(recorded)),
      ...lane.filter(({ recorded }) => isFailedExchange(recorded)),
    ]
  }

  function matchSameVersion(
    lane: readonly MatchCandidate[],
    live: Exchange,
    epoch: EntityVersion,
    at: number,
  ) {
    let next: { slot: MatchCandidate; differences: readonly Difference[] } | undefined
    let compared = 0
    for (const slot of successesFirst(lane)) {
      if (slot.used || !isSameVersion(slot, live, epoch)) continue
      const differences = asked(slot.recorded, live)
      if (!rejects(differences)) return markUsed(slot, 'exact', differences, at)
      next ??= { slot, differences }
      if (++compared >= maxCompared) break
    }
    return next && markUsed(next.slot, 'body', next.differences, at)
  }

  function repeatLast(
    lane: readonly MatchCandidate[],
    live: Exchange,
    epoch: EntityVersion,
  ): StrategyResult | undefined {
    if (!isSafeMethod(live)) return undefined
    const last = lane.findLast((slot) => slot.used && isSameVersion(slot, live, epoch))
    return last && { strategy: 'repeat', recorded: last.recorded, differences: [] }
  }

  /** The next unused call at a later version: the subject has skipped a call, or an event is still on its way. */
  function matchAhead(
    lane: readonly MatchCandidate[],
    live: Exchange,
    epoch: EntityVersion,
    at: number,
  ) {
    const slot = successesFirst(lane).find(
      ({ used, version: recordedVersion }) =>
        !used &&
        (recordedVersion.changes > epoch.changes ||
          (isSafeMethod(live) && recordedVersion.handovers > epoch.handovers)),
    )
    return slot && markUsed(slot, 'ahead', asked(slot.recorded, live), at)
  }

  /** An unused call at an earlier version: a change that comes late is still that change. */
  function matchLate(
    lane: readonly MatchCandidate[],
    live: Exchange,
    at: number,
  ): StrategyResult | undefined {
    if (isSafeMethod(live)) return undefined
    const slot = successesFirst(lane).find(({ used }) => !used)
    return slot && markUsed(slot, 'ahead', asked(slot.recorded, live), at)
  }

  /**
   * The last read of the same change version; for lists the last of all, since they may or may not include the changes.
   */
  function matchBehind(
    lane: readonly MatchCandidate[],
    live: Exchange,
    { changes }: EntityVersion,
  ): StrategyResult | undefined {
    if (!isSafeMethod(live)) return undefined
    const isOfAll = entities(live).length === 0
    const slot = lane.findLast(
      ({ version: recordedVersion }) => isOfAll || recordedVersion.changes === changes,
    )
    return (
      slot && {
        strategy: 'repeat',
        recorded: slot.recorded,
        differences: [],
        because: 'it is the last that the recording knows of it',
      }
    )
  }

  return function matchCall(
    lane: readonly MatchCandidate[],
    { live, version: epoch, at }: MatchContext,
  ): StrategyResult {
    return (
      matchSameVersion(lane, live, epoch, at) ??
      repeatLast(lane, live, epoch) ??
      matchAhead(lane, live, epoch, at) ??
      matchLate(lane, live, at) ??
      matchBehind(lane, live, epoch) ?? { strategy: 'miss', differences: [] }
    )
  }
}
