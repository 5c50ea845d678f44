/** What came of holding two recordings against each other, in the shape that a replay is reported in. */
import type { Renamed } from '../../correlation/binding.ts'
import type { Replayed } from '../../replay/status.ts'
import type { Standing } from '../../recording/standing.ts'

export interface Comparison {
  /** In the order of the recorded one; extra ones where they happened. */
  readonly exchanges: readonly Replayed[]
  /** Place in `exchanges` of the first that differs beyond noise. */
  readonly first?: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  /** Old and new names, as they were learned. */
  readonly map: readonly Renamed[]
  /** What says nothing and was not compared: how often it was there. */
  readonly leftOut: {
    readonly idle: readonly [recorded: number, live: number]
    readonly tokens: readonly [recorded: number, live: number]
  }
}
