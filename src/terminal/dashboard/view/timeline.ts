/** Timeline of a recording on one row: position, divergences, and bookmarks. */
import type { PlaybackSnapshot } from '../../../core/session-api/playback.ts'
import type { Glyphs } from './text/glyphs.ts'
import { rowWithEnds, type Row, type Span, span, type Tone } from './text/row.ts'
import { timeText } from './text/time.ts'

const cellOf = (place: number, total: number, width: number): number =>
  Math.min(width - 1, Math.floor((place * width) / Math.max(1, total)))

/** Merges adjacent cells of the same tone into one span. */
function mergedSpans(cells: readonly (readonly [sign: string, tone: Tone])[]): readonly Span[] {
  const spans: { text: string; tone: Tone }[] = []
  for (const [text, tone] of cells) {
    const last = spans.at(-1)
    if (last?.tone === tone) last.text += text
    else spans.push({ text, tone })
  }
  return spans
}

/** With a sign while there is more to come. */
export const totalText = ({ total, growing }: PlaybackSnapshot): string =>
  growing ? `${total}+` : String(total)

export function timelineRow(playback: PlaybackSnapshot, width: number, glyphs: Glyphs): Row {
  const { at, total, trouble, marks, now, first } = playback
  const firstDifferenceText = first === undefined ? '' : ` first ${glyphs.failed} ${first + 1} `
  const right = [span(` ${timeText(now, true)} `, 'muted'), span(firstDifferenceText, 'err')]
  const left = [span(` ${at}/${totalText(playback)} `)]
  const room = width - right.concat(left).reduce((sum, { text }) => sum + text.length, 0)
  if (room < 10) return rowWithEnds(width, left, right)
  const currentCell = cellOf(at, total, room)
  const line = Array.from({ length: room }, (_, index): readonly [string, Tone] =>
    index < currentCell ? [glyphs.focusRule, 'accent'] : [glyphs.rule, 'muted'],
  )
  for (const { place } of marks) line[cellOf(place, total, room)] = ['*', 'accent']
  for (const place of trouble) line[cellOf(place, total, room)] = ['!', 'err']
  line[currentCell] = [glyphs.now, 'strong']
  return { spans: [...left, ...mergedSpans(line), ...right] }
}
