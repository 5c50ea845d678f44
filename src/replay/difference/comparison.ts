/** Result of comparing two recordings, in the shape of a replay report. */
import type { RenamedIdentifier } from '../../core/traffic/recording/binding.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import type { Standing } from '../../core/traffic/recording/standing.ts'

export interface Comparison {
  /** In recorded order; extra exchanges where they happened. */
  readonly exchanges: readonly ReplayedExchange[]
  /** Index in `exchanges` of the first that differs beyond noise. */
  readonly first?: number
  readonly counts: Readonly<Partial<Record<Standing, number>>>
  /** Recorded and live identifiers, as they were matched. */
  readonly map: readonly RenamedIdentifier[]
  /** Number of exchanges left out as insignificant. */
  readonly leftOut: {
    readonly idle: readonly [recorded: number, live: number]
    readonly tokens: readonly [recorded: number, live: number]
  }
}
