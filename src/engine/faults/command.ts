/** Commands about faults. */
import type { MessagePoint } from './fault-point.ts'

export type FaultCommand =
  /** Adds a fault, or all faults of a profile: `{drop: {event: CONFIRMED}}`, `peak-hour`. */
  | { readonly kind: 'fault.add'; readonly spec: unknown }
  /** Removes a fault. */
  | { readonly kind: 'fault.remove'; readonly id: number; readonly expired?: true }
  /** Ends all faults: items that they delayed are released now, and nothing is distorted from here on. */
  | { readonly kind: 'fault.end' }
  /** Decides which fault distorts a message on the wire, and how. */
  | { readonly kind: 'fault.meet'; readonly meeting: MessagePoint }
