/** Index of the recorded calls of the subject, by operation and lane. */
import { isAcknowledgment } from '../polling.ts'
import type { Exchange, Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { type Epochs, isPoll } from './entity-versions.ts'
import { calledOf, laneOf, type Slot } from './candidate.ts'

export interface Slots {
  /** All lanes of the operation of a call. */
  readonly lanesOf: (live: Exchange) => Iterable<readonly Slot[]>
  /** Candidates in the lane of a call. */
  readonly laneOf: (live: Exchange) => readonly Slot[]
  /** Candidates for an explanation: of the same lane, unused first, and some of other lanes. */
  readonly nearby: (live: Exchange, chosen: RecordedExchange | undefined) => readonly Slot[]
  readonly unused: () => readonly string[]
}

/** Maximum number of candidates in an explanation. */
const maxNearby = 20
/** Maximum number of each other lane. */
const maxPerOtherLane = 3

export interface SlotsOptions {
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: only calls to it are candidates. */
  readonly ours: (party: Party) => boolean
  /** Is advanced once through the recording. */
  readonly epochs: Epochs
}

/** Without polls and acknowledgments, whose number may differ in a replay. */
export function createSlots({
  exchanges,
  ours,
  epochs,
}: SlotsOptions): Slots & { readonly count: number } {
  const byCall = new Map<string, Map<string, Slot[]>>()
  const candidates: Slot[] = []
  for (const recorded of exchanges) {
    if (ours(recorded.to) && !isPoll(recorded.operation) && !isAcknowledgment(recorded))
      addCandidate({ recorded, epoch: epochs.before(recorded), used: false })
    epochs.passed(recorded)
  }

  function addCandidate(slot: Slot): void {
    const { recorded } = slot
    candidates.push(slot)
    const lanes = byCall.get(calledOf(recorded)) ?? new Map<string, Slot[]>()
    byCall.set(calledOf(recorded), lanes)
    const lane = laneOf(recorded)
    const others = lanes.get(lane)
    if (others) others.push(slot)
    else lanes.set(lane, [slot])
  }

  const candidatesInLane = (live: Exchange): readonly Slot[] =>
    byCall.get(calledOf(live))?.get(laneOf(live)) ?? []
  const lanesOf = (live: Exchange): Iterable<readonly Slot[]> =>
    byCall.get(calledOf(live))?.values() ?? []

  return {
    count: candidates.length,
    lanesOf,
    laneOf: candidatesInLane,
    nearby(live, chosen) {
      const own = candidatesInLane(live)
      const near = new Set<Slot>()
      const add = (slot: Slot | undefined): void => {
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
