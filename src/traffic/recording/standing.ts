/** The status of a replayed exchange: what came of it beside its recording. */

/** From what is no trouble to what is most. */
export const standings = [
  'same',
  /** It differs only where a rule says that it may. */
  'noise',
  'late',
  'changed',
  /** One old identifier became two new ones, or two became one. */
  'identity',
  'missing',
  'extra',
  /** Something that it comes of did not happen. */
  'blocked',
  /** It names something whose new name nobody learned. */
  'unresolved',
  'auth',
  'error',
] as const

export type Standing = (typeof standings)[number]
