/** The match strategies by which a recorded exchange was found, best first. */
export const matchStrategies = [
  'exact',
  /** Same operation, entity and version; the body differs. */
  'body',
  /** All such exchanges are used and the version is the same: the last one is repeated. */
  'repeat',
  /** An identifier was unknown and is now bound to a recorded one. */
  'bound',
  /** The recorded call has another version: changes are missing, or it comes late. */
  'ahead',
  /** Answered by our state machine. */
  'synth',
  /** Answered by the partner, to which it was passed on. */
  'forward',
  'miss',
] as const
export type MatchStrategy = (typeof matchStrategies)[number]
