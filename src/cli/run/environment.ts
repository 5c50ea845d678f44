/** Where a run is played: in this process with nobody to try, or against your service, started by us or running already. */
import type { Outcome } from '../../scenario/outcome.ts'
import type { Planned } from './plan.ts'

export interface Watching {
  /** Hears what is being done, in one line. */
  readonly onStep: (text: string) => void
  /** Somebody interrupts. */
  readonly enough: AbortSignal
}

export type Played =
  | {
      readonly kind: 'played'
      readonly outcome: Outcome
      /** The last lines that your service wrote. */
      readonly output?: readonly string[] | undefined
      /** What else may be behind it, as a sentence. */
      readonly hint?: string | undefined
    }
  /** It cannot go on: your service cannot be reached, or turns us away. */
  | {
      readonly kind: 'halted'
      readonly because: string
      readonly remedy: string
      readonly output?: readonly string[] | undefined
    }

export type Arena = (planned: Planned, watching: Watching) => Promise<Played>
