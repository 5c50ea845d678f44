/**
 * Glyph sets: Unicode, and ASCII for terminals or locales without it. None has an emoji form, since terminals disagree
 * on the width of those; rows that change often use ASCII in both sets, which halves the cost of a frame.
 */
export interface Glyphs {
  readonly live: string
  readonly hold: string
  readonly past: string
  /** A status that was reached, is current, is possible, has failed. */
  readonly done: string
  readonly now: string
  readonly open: string
  readonly failed: string
  /** An item that is next, scheduled, held. */
  readonly next: string
  readonly scheduled: string
  readonly held: string
  readonly rule: string
  readonly focusRule: string
  readonly link: string
  readonly more: string
  readonly leads: string
  /** Something is above the visible rows. */
  readonly above: string
  /** Bars of a sparkline, from none to the highest. */
  readonly bars: string
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
    above: '↑',
    bars: '▁▂▃▄▅▆▇█',
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
    above: '^',
    bars: '_.:-=+*#',
    asciiOnly: true,
  },
}

/** No glyphs, for output that is read aloud: wherever one stands, a word stands beside it. */
export const wordGlyphs: Glyphs = {
  live: '',
  hold: '',
  past: '',
  done: '',
  now: '',
  open: '',
  failed: '',
  next: '',
  scheduled: '',
  held: '',
  rule: '',
  focusRule: '',
  link: '',
  more: '',
  leads: 'to',
  above: '',
  bars: '',
  asciiOnly: true,
}
