/** What is so about faults: those in force, what they have counted, and how far each order's events have got. */
import type { Instant } from '../instant.ts'
import type { ActiveFault } from './fault.ts'

/** What one fault has seen of messages that are about the same. */
export interface Tally {
  /** Messages that it means. */
  readonly seen: number
  /** Messages that it distorted. */
  readonly fired: number
  readonly last: Instant
  /** The longest pause between two of one chain of tries. */
  readonly gap: number
  /** Chains that came to their end: somebody gave up for a while. */
  readonly chains: number
}

export interface FaultsWorld {
  /** Those in force, by id, oldest first. */
  readonly live: Map<number, ActiveFault>
  /** Those that are over, to be looked at. */
  readonly over: Map<number, ActiveFault>
  nextId: number
  /** By fault and what the messages are about. */
  readonly tallies: Map<string, Tally>
  /** Orders by their slots, `o1` for the first of the session. */
  readonly slots: Map<string, string>
  /** The same the other way round: every message is held against the few slots that faults name. */
  readonly inSlots: Map<string, string>
  nextSlot: number
  /** The ids of the events of each order that were handed over, in that order. */
  readonly handed: Map<string, readonly string[]>
  /** Handovers of all orders together. */
  handovers: number
  /** Polls that brought anything. */
  polls: number
  /** When faults came to their end, if somebody said so. */
  endedAt: Instant | undefined
}

/** What is kept at most. */
export const faultBounds = { over: 1000, tallies: 100_000, orders: 50_000, handed: 1000 } as const

export const createFaultsWorld = (): FaultsWorld => ({
  live: new Map(),
  over: new Map(),
  nextId: 1,
  tallies: new Map(),
  slots: new Map(),
  inSlots: new Map(),
  nextSlot: 1,
  handed: new Map(),
  handovers: 0,
  polls: 0,
  endedAt: undefined,
})

/** The slot of an order, if it has one: how people and files name it. */
export const slotOf = ({ slots }: FaultsWorld, orderId: string): string | undefined =>
  slots.get(orderId)
