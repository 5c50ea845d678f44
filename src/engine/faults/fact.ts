/** What has happened with faults. */
import type { ActiveFault } from './fault.ts'
import type { Distortion } from './distortion.ts'

export type FaultFact =
  /** A fault came into force. */
  | { readonly kind: 'fault.added'; readonly fault: ActiveFault }
  /** A fault distorts nothing more. */
  | {
      readonly kind: 'fault.removed'
      readonly id: number
      readonly because: NonNullable<ActiveFault['over']>
    }
  /** A fault distorted a message or a plan. */
  | {
      readonly kind: 'fault.fired'
      readonly id: number
      /** What it was: one that another fault drew goes by its own name. */
      readonly name: string
      /** As one line, for one that another fault drew; any other says so itself. */
      readonly text?: string
      /** What it met, by content: `ev(o2,CONFIRMED,webhook)`, `req(confirm,o2)`. */
      readonly on: string
      /** Under which it is counted. */
      readonly keys: readonly string[]
      readonly orderId?: string
      readonly legal: boolean
      /** What became of a message; absent for a plan, whose items tell. */
      readonly distortion?: Distortion
    }
  /** A fault saw one that it means, but not yet the one that it waits for. */
  | { readonly kind: 'fault.passed'; readonly id: number; readonly keys: readonly string[] }
  /** The end of faults: whatever was held back goes on, and nothing is distorted any more. */
  | { readonly kind: 'fault.ended' }
