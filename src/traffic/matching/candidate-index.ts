/** Index of the recorded calls of the subject, by operation and lane. */
import { isAcknowledgmentCall, isPollCall } from '../polling.ts'
import type { Exchange, Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { EntityVersions } from './entity-versions.ts'
import { calledOperation, callLane, type MatchCandidate } from './candidate.ts'

export interface CandidateIndex {
  /** All lanes of the operation of a call. */
  readonly lanesOf: (live: Exchange) => Iterable<readonly MatchCandidate[]>
  /** Candidates in the lane of a call. */
  readonly laneOf: (live: Exchange) => readonly MatchCandidate[]
  /** Candidates for an explanation: of the same lane, unused first, and some of other lanes. */
  readonly nearby: (
    live: Exchange,
    chosen: RecordedExchange | undefined,
  ) => readonly MatchCandidate[]
  readonly unused: () => readonly string[]
}

/** Maximum number of candidates in an explanation. */
const maxNearby = 20
/** Maximum number of each other lane. */
const maxPerOtherLane = 3

export interface CandidateIndexOptions {
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: only calls to it are candidates. */
  readonly ours: (party: Party) => boolean
  /** Is advanced once through the recording. */
  readonly epochs: EntityVersions
}

/** Without polls and acknowledgments, whose number may differ in a replay. */
export function createCandidateIndex({
  exchanges,
  ours,
  epochs,
}: CandidateIndexOptions): CandidateIndex & { readonly count: number } {
  const byCall = new Map<string, Map<string, MatchCandidate[]>>()
  const candidates: MatchCandidate[] = []
  for (const recorded of exchanges) {
    if (ours(recorded.to) && !isPollCall(recorded) && !isAcknowledgmentCall(recorded))
      addCandidate({ recorded, version: epochs.before(recorded), used: false })
    epochs.record(recorded)
  }

  function addCandidate(slot: MatchCandidate): void {
    const { recorded } = slot
    candidates.push(slot)
    const lanes = byCall.get(calledOperation(recorded)) ?? new Map<string, MatchCandidate[]>()
    byCall.set(calledOperation(recorded), lanes)
    const lane = callLane(recorded)
    const others = lanes.get(lane)
    if (others) others.push(slot)
    else lanes.set(lane, [slot])
  }

  const candidatesInLane = (live: Exchange): readonly MatchCandidate[] =>
    byCall.get(calledOperation(live))?.get(callLane(live)) ?? []
  const lanesOf = (live: Exchange): Iterable<readonly MatchCandidate[]> =>
    byCall.get(calledOperation(live))?.values() ?? []

  return {
    count: candidates.length,
    lanesOf,
    laneOf: candidatesInLane,
    nearby(live, chosen) {
      const own = candidatesInLane(live)
      const near = new Set<MatchCandidate>()
      const add = (slot: MatchCandidate | undefined): void => {
        if (slot && near.size < maxNearby) near.add(slot)
      }
      add(own.find(({ recorded }) => recorded === chosen))
      for (const slot of own) if (!slot.used) add(slot)
      for (const slot of own.slice(-maxNearby)) add(slot)
      for (const lane of lanesOf(live)) {
        if (near.size >= maxNearby) break
        add(lane.find(({ used }) => !used))
        for (const slot of lane.slice(0, maxPerOtherLane)) add(slot)
      }
      return [...near]
    },
    unused: () => candidates.flatMap(({ used, recorded }) => (used ? [] : [recorded.recordId])),
  }
}
