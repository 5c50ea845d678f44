/** What somebody asks for about faults. */
import type { MessageMeeting } from './meeting.ts'

export type FaultCommand =
  /** Puts a fault in force, or all of a profile: `{drop: {event: CONFIRMED}}`, `friday-night`. */
  | { readonly kind: 'fault.add'; readonly spec: unknown }
  /** Takes a fault out of force. */
  | { readonly kind: 'fault.remove'; readonly id: number; readonly expired?: true }
  /** Ends all faults: what they put off goes on at once, and from here on everything goes as it should. */
  | { readonly kind: 'fault.end' }
  /** A message goes over the wire: which fault distorts it, and how. */
  | { readonly kind: 'fault.meet'; readonly meeting: MessageMeeting }
