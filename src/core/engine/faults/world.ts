/** State of faults: those in force, their tallies, and the handovers of each order. */
import type { EventChannel } from '../emitted-event.ts'
import type { Instant } from '../instant.ts'
import type { ActiveFault } from './fault.ts'

/** Counts of one fault for messages with the same key. */
export interface Tally {
  /** Messages that it matched. */
  readonly seen: number
  /** Messages that it distorted. */
  readonly fired: number
  /** The last ones of these, with none let through between or after them. */
  readonly firedInRow: number
  readonly last: Instant
  /** The longest gap in milliseconds between two attempts of one retry chain. */
  readonly gap: number
  /** Retry chains that have ended: the caller gave up for a while. */
  readonly chains: number
}

export interface FaultsWorld {
  /** Faults in force, by id, oldest first. */
  readonly live: Map<number, ActiveFault>
  /** The ids of those in force by the order that they name, id or slot; '' for those that name none. */
  readonly liveByOrder: Map<string, readonly number[]>
  /** Ended faults, for display. */
  readonly over: Map<number, ActiveFault>
  nextId: number
  /** Tallies by tally key. */
  readonly tallies: Map<string, Tally>
  /** Slot of each order id: `o1` for the first order of the session. */
  readonly slotByOrder: Map<string, string>
  /** Order id of each slot: every message is matched against the few slots that faults name. */
  readonly orderBySlot: Map<string, string>
  nextSlot: number
  /** Ids of the events of each order that were handed over, by channel: each event once, in that order. */
  readonly handedOver: Readonly<Record<EventChannel, Map<string, readonly string[]>>>
  /** Number of events handed over, by channel. */
  readonly handovers: Record<EventChannel, number>
  /** Number of polls that returned events. */
  polls: number
  /** The process of the user's service was ended, and has not been started again. */
  isDown: boolean
  /** When all faults were ended by command. */
  endedAt: Instant | undefined
}

/** Maximum numbers of entries. */
export const faultBounds = { over: 1000, tallies: 100_000, orders: 50_000, handed: 1000 } as const

export const createFaultsWorld = (): FaultsWorld => ({
  live: new Map(),
  liveByOrder: new Map(),
  over: new Map(),
  nextId: 1,
  tallies: new Map(),
  slotByOrder: new Map(),
  orderBySlot: new Map(),
  nextSlot: 1,
  handedOver: { polling: new Map(), webhook: new Map() },
  handovers: { polling: 0, webhook: 0 },
  polls: 0,
  isDown: false,
  endedAt: undefined,
})

/** The slot of an order, by which people and files name it. */
export const slotOf = ({ slotByOrder: slots }: FaultsWorld, orderId: string): string | undefined =>
  slots.get(orderId)
