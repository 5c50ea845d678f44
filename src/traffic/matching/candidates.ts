/** The recorded calls of the subject, by what they call and by which one of the kind. */
import { isAcknowledgment } from '../polling.ts'
import type { Exchange, Party } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { type Epochs, isPoll } from './entity-versions.ts'
import { calledOf, laneOf, type Slot } from './candidate.ts'

export interface Slots {
  /** All lanes of what a call calls. */
  readonly lanesOf: (live: Exchange) => Iterable<readonly Slot[]>
  /** Those that are about the same. */
  readonly laneOf: (live: Exchange) => readonly Slot[]
  /** Some that may explain an answer: of the same lane, those that are left first, and some of others. */
  readonly nearby: (live: Exchange, chosen: RecordedExchange | undefined) => readonly Slot[]
  readonly unused: () => readonly string[]
}

/** So many explain one answer. */
const mostNear = 20
/** Of these, so many of each other lane. */
const mostOfOthers = 3

export interface SlotsOptions {
  readonly exchanges: readonly RecordedExchange[]
  /** Whether we play this party: what it was asked is what can be answered. */
  readonly ours: (party: Party) => boolean
  /** Goes through the recording once. */
  readonly epochs: Epochs
}

/** Polls and acknowledgments are no slots: how often somebody polls is nobody's business. */
export function createSlots({
  exchanges,
  ours,
  epochs,
}: SlotsOptions): Slots & { readonly count: number } {
  const byCall = new Map<string, Map<string, Slot[]>>()
  const slots: Slot[] = []
  for (const recorded of exchanges) {
    if (ours(recorded.to) && !isPoll(recorded.operation) && !isAcknowledgment(recorded))
      put({ recorded, epoch: epochs.before(recorded), used: false })
    epochs.passed(recorded)
  }

  function put(slot: Slot): void {
    const { recorded } = slot
    slots.push(slot)
    const lanes = byCall.get(calledOf(recorded)) ?? new Map<string, Slot[]>()
    byCall.set(calledOf(recorded), lanes)
    const lane = laneOf(recorded)
    const others = lanes.get(lane)
    if (others) others.push(slot)
    else lanes.set(lane, [slot])
  }

  const laneLike = (live: Exchange): readonly Slot[] =>
    byCall.get(calledOf(live))?.get(laneOf(live)) ?? []
  const lanesOf = (live: Exchange): Iterable<readonly Slot[]> =>
    byCall.get(calledOf(live))?.values() ?? []

  return {
    count: slots.length,
    lanesOf,
    laneOf: laneLike,
    nearby(live, chosen) {
      const own = laneLike(live)
      const near = new Set<Slot>()
      const add = (slot: Slot | undefined): void => {
        if (slot && near.size < mostNear) near.add(slot)
      }
      add(own.find(({ recorded }) => recorded === chosen))
      for (const slot of own) if (!slot.used) add(slot)
      for (const slot of own.slice(-mostNear)) add(slot)
      for (const lane of lanesOf(live)) {
        if (near.size >= mostNear) break
        add(lane.find(({ used }) => !used))
        for (const slot of lane.slice(0, mostOfOthers)) add(slot)
      }
      return [...near]
    },
    unused: () => slots.flatMap(({ used, recorded }) => (used ? [] : [recorded.recordId])),
  }
}
