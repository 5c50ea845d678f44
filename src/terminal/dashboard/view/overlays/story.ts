/**
 * Explanation of an order: conclusion, the periods in which the views of the two sides differed, and the events in
 * order.
 */
import type { StoryKind, StoryLine } from '../../../../core/session-api/explanation.ts'
import type { Explanation } from '../../../../core/session-api/session-api.ts'
import { wordWrap } from '../text/cells.ts'
import { columnSpans, emptyRow, row, span, type Tone } from '../text/row.ts'
import { timeText } from '../text/time.ts'
import { headingLine, listLine, type ListLine, type ListInput, wrappedLines } from './listing.ts'

const tones: Readonly<Record<StoryKind, Tone>> = {
  host: 'strong',
  event: 'accent',
  fault: 'warn',
  handover: 'plain',
  acknowledgment: 'ok',
  read: 'plain',
  call: 'info',
  effect: 'plain',
}

export function storyLines(input: ListInput): readonly ListLine[] {
  const explanation = input.model.snapshot?.explanation
  if (!explanation) return [listLine(row(span(' looking for the story', 'muted')))]
  const { title, conclusion, lines, omitted } = explanation
  return [
    ...wrappedLines(title, input.width, 'strong'),
    ...conclusion.flatMap((sentence) => wrappedLines(sentence, input.width, 'plain')),
    ...splitLines(explanation, input),
    listLine(emptyRow),
    headingLine('What happened', 'enter goes to the exchange'),
    ...lines.flatMap((each, index) => storyLine(each, index, input)),
    ...(omitted > 0
      ? wrappedLines(`${omitted} lines in the middle are left out.`, input.width, 'muted')
      : []),
  ]
}

function splitLines({ splits }: Explanation, { width }: ListInput): readonly ListLine[] {
  if (splits.length === 0) return []
  return [
    listLine(emptyRow),
    headingLine('Where the views were apart'),
    ...splits.flatMap(({ from, to, text, because }) => [
      ...wrappedLines(
        `! ${timeText(from, true)} ${to === undefined ? 'to now' : `to ${timeText(to, true)}`}: ${text}`,
        width,
        'warn',
      ),
      ...wrappedLines(`  ${because}`, width, 'muted'),
    ]),
  ]
}

/** One line of the explanation, wrapped over several rows when it is too long. */
function storyLine(entry: StoryLine, index: number, { width }: ListInput): readonly ListLine[] {
  const { at, kind, text, exchanges, odd } = entry
  const [seq] = exchanges
  const shown = exchanges.map((each) => `#${each}`).join(' ')
  const roomy = width >= 76
  const room = Math.max(12, width - 1 - (roomy ? 41 : 26))
  return wordWrap(text, room).map((part, place): ListLine => {
    const first = place === 0
    const spans = columnSpans(width - 1, [
      { text: first && odd ? '!' : ' ', width: 1, tone: 'err' },
      { text: first ? timeText(at, true) : '', width: 12, tone: 'muted' },
      ...(roomy ? [{ text: first ? kind : '', width: 14, tone: 'muted' as const }] : []),
      { text: part, tone: odd ? 'warn' : tones[kind] },
      { text: first ? shown : '', width: 9, tone: 'accent' },
    ])
    return seq === undefined || !first
      ? listLine({ spans: [span(' '), ...spans] })
      : listLine({ spans }, { kind: 'exchange', seq, place: String(index) })
  })
}
