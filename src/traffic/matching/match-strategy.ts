/** How well a live request was found in the recording: the rungs of the ladder, best first. */
export const rungs = [
  'exact',
  /** Its body differs. */
  'body',
  /** All such exchanges were used, and nothing was changed since: the last again. */
  'repeat',
  /** It names something that the recording knows under another name, now bound. */
  'bound',
  /** The next one stands after changes that have not been made yet. */
  'ahead',
  /** Our state machine answered. */
  'synth',
  'miss',
] as const
export type Rung = (typeof rungs)[number]
