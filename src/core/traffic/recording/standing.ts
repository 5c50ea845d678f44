/** The result of comparing a replayed exchange with its recording. */

/** In ascending order of severity. */
export const standings = [
  'same',
  /** Only differences that a rule accepts. */
  'noise',
  /** It failed without an answer or with a 5xx when it was recorded, and succeeds now. */
  'gone',
  'late',
  'changed',
  /** One recorded identifier has two live ones, or the reverse. */
  'identity',
  'missing',
  'extra',
  /** A cause of it did not happen. */
  'blocked',
  /** It contains a recorded identifier without a known live one. */
  'unresolved',
  'auth',
  'error',
] as const

export type Standing = (typeof standings)[number]

/** Standings that need no attention: the subject behaves as recorded, or better. */
export const unremarkableStandings: ReadonlySet<Standing> = new Set(['same', 'noise', 'gone'])
