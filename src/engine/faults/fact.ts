/** Facts about faults. */
import type { ActiveFault } from './fault.ts'
import type { Distortion } from './distortion.ts'

export type FaultFact =
  /** A fault was added. */
  | { readonly kind: 'fault.added'; readonly fault: ActiveFault }
  /** A fault ended. */
  | {
      readonly kind: 'fault.removed'
      readonly id: number
      readonly because: NonNullable<ActiveFault['over']>
    }
  /** A fault distorted a message or a plan. */
  | {
      readonly kind: 'fault.fired'
      readonly id: number
      /** Name of the fault; for one drawn by a storm, its own name. */
      readonly name: string
      /** Text of the fault as one line, for one drawn by a storm. */
      readonly text?: string
      /** Label of the fault point, by content: `ev(o2,CONFIRMED,webhook)`, `req(confirm,o2)`. */
      readonly on: string
      /** Tally keys under which it is counted. */
      readonly keys: readonly string[]
      readonly orderId?: string
      readonly legal: boolean
      /** Distortion of a message; absent for a plan, whose items show it. */
      readonly distortion?: Distortion
    }
  /** A fault matched a message without selecting it (nth, percent, burst). */
  | { readonly kind: 'fault.passed'; readonly id: number; readonly keys: readonly string[] }
  /** All faults ended: delayed items are released, and nothing is distorted any more. */
  | { readonly kind: 'fault.ended' }
