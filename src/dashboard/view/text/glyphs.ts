/**
 * The signs on the screen, as a ladder of two: Unicode, and ASCII for terminals or locales without it. None has an
 * emoji form, since terminals disagree on how wide those are; and rows that change often use ASCII in both, because
 * that halves the cost of a frame.
 */
export interface Glyphs {
  readonly live: string
  readonly hold: string
  readonly past: string
  /** A status that was reached, is now, may come, and will not come. */
  readonly done: string
  readonly now: string
  readonly open: string
  readonly failed: string
  /** An item that is taken next, is scheduled, is held. */
  readonly next: string
  readonly scheduled: string
  readonly held: string
  readonly rule: string
  readonly focusRule: string
  readonly link: string
  readonly more: string
  readonly leads: string
  readonly asciiOnly: boolean
}

export const glyphSets: Readonly<Record<'unicode' | 'ascii', Glyphs>> = {
  unicode: {
    live: '●',
    hold: '‖',
    past: '«',
    done: '✓',
    now: '●',
    open: '○',
    failed: '✗',
    next: '▸',
    scheduled: '·',
    held: '‖',
    rule: '─',
    focusRule: '━',
    link: '─',
    more: '…',
    leads: '→',
    asciiOnly: false,
  },
  ascii: {
    live: '*',
    hold: '=',
    past: '<',
    done: 'v',
    now: '*',
    open: 'o',
    failed: 'x',
    next: '>',
    scheduled: '.',
    held: '=',
    rule: '-',
    focusRule: '=',
    link: '-',
    more: '~',
    leads: '->',
    asciiOnly: true,
  },
}
