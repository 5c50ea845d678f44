/** The rungs for calls, best first: each looks in the lane of a call for the recorded one that answers it. */
import type { Difference } from '../difference/difference.ts'
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { type Entities, type Epoch, isSafe } from './entity-versions.ts'
import type { Rung } from './match-strategy.ts'
import { failed, type Slot } from './candidate.ts'

/** What a rung answers with. */
export interface Answer {
  readonly rung: Rung
  /** What answers; none on a miss. */
  readonly recorded?: RecordedExchange
  readonly differences: readonly Difference[]
  /** One sentence, where the differences do not say it. */
  readonly because?: string
}

export interface ClimbOptions {
  readonly entities: Entities
  /** What differs in the request, `live` in the names of the recording. */
  readonly asked: (recorded: Exchange, live: Exchange) => readonly Difference[]
  readonly faithfulFailures: boolean
  /** A recorded call has been made now. */
  readonly onUsed: (recorded: RecordedExchange, at: number) => void
}

/** So many recorded calls of one lane are compared for one live call. */
const mostCompared = 20

export interface Standpoint {
  /** In the names of the recording. */
  readonly live: Exchange
  readonly epoch: Epoch
  /** In milliseconds of the replay's clock since it began. */
  readonly at: number
}

export function createClimb({ entities, asked, faithfulFailures, onUsed }: ClimbOptions) {
  /** A read must come at the same point; a change only after the same changes. */
  const isThen = (slot: Slot, live: Exchange, epoch: Epoch): boolean =>
    slot.epoch.changes === epoch.changes && (!isSafe(live) || slot.epoch.news === epoch.news)

  const rejects = (differences: readonly Difference[]): boolean =>
    differences.some(({ side, accepted }) => side === 'request' && !accepted)

  function use(slot: Slot, rung: Rung, differences: readonly Difference[], at: number): Answer {
    slot.used = true
    onUsed(slot.recorded, at)
    return { rung, recorded: slot.recorded, differences }
  }

  /** Good answers first, unless failures are wanted as they were. */
  function inOrder(lane: readonly Slot[]): readonly Slot[] {
    if (faithfulFailures || !lane.some(({ recorded }) => failed(recorded))) return lane
    return [
      ...lane.filter(({ recorded }) => !failed(recorded)),
      ...lane.filter(({ recorded }) => failed(recorded)),
    ]
  }

  function sameTime(lane: readonly Slot[], live: Exchange, epoch: Epoch, at: number) {
    let next: { slot: Slot; differences: readonly Difference[] } | undefined
    let compared = 0
    for (const slot of inOrder(lane)) {
      if (slot.used || !isThen(slot, live, epoch)) continue
      const differences = asked(slot.recorded, live)
      if (!rejects(differences)) return use(slot, 'exact', differences, at)
      next ??= { slot, differences }
      if (++compared >= mostCompared) break
    }
    return next && use(next.slot, 'body', next.differences, at)
  }

  function again(lane: readonly Slot[], live: Exchange, epoch: Epoch): Answer | undefined {
    if (!isSafe(live)) return undefined
    const last = lane.findLast((slot) => slot.used && isThen(slot, live, epoch))
    return last && { rung: 'repeat', recorded: last.recorded, differences: [] }
  }

  /** What stands later in the recording: the subject has skipped something, or its news is still on its way. */
  function ahead(lane: readonly Slot[], live: Exchange, epoch: Epoch, at: number) {
    const slot = inOrder(lane).find(
      ({ used, epoch: then }) =>
        !used && (then.changes > epoch.changes || (isSafe(live) && then.news > epoch.news)),
    )
    return slot && use(slot, 'ahead', asked(slot.recorded, live), at)
  }

  /** What stands earlier and was not asked for in its time: a change that comes late is still that change. */
  function late(lane: readonly Slot[], live: Exchange, at: number): Answer | undefined {
    if (isSafe(live)) return undefined
    const slot = inOrder(lane).find(({ used }) => !used)
    return slot && use(slot, 'ahead', asked(slot.recorded, live), at)
  }

  /**
   * The last that the recording knows of something that nobody has changed since but by news, and of lists: what was
   * changed may be in them or not.
   */
  function behind(lane: readonly Slot[], live: Exchange, { changes }: Epoch): Answer | undefined {
    if (!isSafe(live)) return undefined
    const isOfAll = entities(live).length === 0
    const slot = lane.findLast(({ epoch: then }) => isOfAll || then.changes === changes)
    return (
      slot && {
        rung: 'repeat',
        recorded: slot.recorded,
        differences: [],
        because: 'it is the last that the recording knows of it',
      }
    )
  }

  return function climb(lane: readonly Slot[], { live, epoch, at }: Standpoint): Answer {
    return (
      sameTime(lane, live, epoch, at) ??
      again(lane, live, epoch) ??
      ahead(lane, live, epoch, at) ??
      late(lane, live, at) ??
      behind(lane, live, epoch) ?? { rung: 'miss', differences: [] }
    )
  }
}
