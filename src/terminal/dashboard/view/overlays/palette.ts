/** The palette: every action that fits the typed text, with its key, and why it cannot be done now. */
import type { ListOverlay } from '../../model/overlay.ts'
import { matchPalette, type PaletteMatch, seekProblemOf } from '../../model/palette.ts'
import { columnSpans, row, type Span, span, cutSpans, widthOf } from '../text/row.ts'
import { listLine, type ListLine, type ListInput } from './listing.ts'

const keyWidth = 12

/** The title, with its matched characters emphasised. */
function titleSpans({ row: { title, reason }, positions }: PaletteMatch): readonly Span[] {
  const tone = reason === undefined ? 'plain' : 'muted'
  const matched = new Set(positions)
  const spans: Span[] = []
  let start = 0
  for (let end = 1; end <= title.length; end++) {
    if (end < title.length && matched.has(end) === matched.has(start)) continue
    spans.push(span(title.slice(start, end), matched.has(start) ? 'accent' : tone))
    start = end
  }
  return spans
}

export function paletteLines(
  { model, width }: ListInput,
  overlay: Extract<ListOverlay, { readonly kind: 'palette' }>,
): readonly ListLine[] {
  const draft = model.prompt?.kind === 'palette' ? model.prompt.draft : ''
  const matches = matchPalette(model, overlay.rows, draft)
  if (matches.length === 0)
    return [listLine(row(span(` ${seekProblemOf(draft) ?? 'no action is called so'}`, 'muted')))]
  return matches.map((match): ListLine => {
    const { id, keys, reason } = match.row
    const title = cutSpans(titleSpans(match), width - keyWidth - 3)
    const room = width - 1 - keyWidth - 1 - widthOf(title)
    const because = reason === undefined || room < 12 ? [] : [span(`  ${reason}`, 'warn')]
    const spans = [
      ...columnSpans(keyWidth + 1, [{ text: keys, width: keyWidth, tone: 'accent' }, { text: '' }]),
      ...title,
      ...cutSpans(because, room),
    ]
    return listLine({ spans }, { kind: 'action', id })
  })
}
