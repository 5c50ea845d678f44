/**
 * Coverage as observed from outside: in which states of an order which faults fired, and which calls had which outcome. Plain counts
 * that add up over runs and parts of a campaign.
 */
import { type FaultMatcher, faultClass } from './schedule.ts'

/** Counts by item; see the functions below for the texts of items. */
export type CoverageCounts = Readonly<Record<string, number>>

/** An item `fault <state> <fault> <message>`: a fault fired while its order was in this state. */
export const faultItem = (state: string, name: string, match: FaultMatcher): string =>
  `fault ${state} ${faultClass({ name, match })}`

/** An item `call <state> <operation> <class>`: a call was answered so while its order was in this state. */
export const callItem = (state: string, operation: string, outcome: string): string =>
  `call ${state} ${operation} ${outcome}`

/** The operations of which a call was answered with 2xx. */
export const successesIn = (counts: CoverageCounts): readonly string[] =>
  Object.keys(counts).flatMap((item) => {
    const [kind, , operation = '', outcome] = item.split(' ')
    return kind === 'call' && outcome === outcomeClass(200) ? [operation] : []
  })

/** An item `event <state> <type> <channel>`: an event was handed over while its order was in this state. */
export const eventItem = (state: string, event: string, channel: string): string =>
  `event ${state} ${event} ${channel}`

/** The outcome of a call as its class: `2xx`, or `none` without a reply. */
export const outcomeClass = (status: number): string =>
  status === 0 ? 'none' : `${Math.floor(status / 100)}xx`

export function addCounts(sum: Map<string, number>, counts: CoverageCounts): void {
  for (const [item, count] of Object.entries(counts)) sum.set(item, (sum.get(item) ?? 0) + count)
}

export interface HeatMap {
  /** In the order of a life of an order. */
  readonly states: readonly string[]
  /** Names of faults, in the order of the alphabet. */
  readonly faults: readonly string[]
  /** How often a fault fired in a state. */
  readonly count: (state: string, fault: string) => number
}

/** State by fault, from the items of a campaign. */
export function heatMap(counts: ReadonlyMap<string, number>, order: readonly string[]): HeatMap {
  const cells = new Map<string, number>()
  const faults = new Set<string>()
  const states = new Set<string>()
  for (const [item, count] of counts) {
    const [kind, state = '', fault = ''] = item.split(' ')
    if (kind !== 'fault') continue
    faults.add(fault)
    states.add(state)
    const cell = `${state} ${fault}`
    cells.set(cell, (cells.get(cell) ?? 0) + count)
  }
  return {
    states: [
      ...order.filter((each) => states.has(each)),
      ...[...states].filter((each) => !order.includes(each)).sort(),
    ],
    faults: [...faults].sort(),
    count: (state, fault) => cells.get(`${state} ${fault}`) ?? 0,
  }
}
