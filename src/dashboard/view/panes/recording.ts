/**
 * Pane 2 for a recording: its exchanges, one per row, with the result of each. The current one is always marked;
 * everything below it is still to come.
 */
import { shortRoleName } from '../../../protocol/role.ts'
import type { PlaybackSnapshot, PlaybackViewRow } from '../../../session-api/playback.ts'
import { focusOf, listHeight, type Model } from '../../model/model.ts'
import { hidesIdle } from '../../model/query.ts'
import { currentPlace, recordingWindow } from '../../model/recording.ts'
import type { Glyphs } from '../text/glyphs.ts'
import { totalText } from '../timeline.ts'
import { columnSpans, type Row, type Span, span, type Tone } from '../text/row.ts'
import { shortDurationText, timeText } from '../text/time.ts'
import { hintRows, listRow, type PaneInput, shortId } from './pane.ts'
import { titleRow } from './title.ts'
import type { Standing } from '../../../traffic/recording/standing.ts'

/** Sign for each result, ASCII in every glyph set: rows that change often are ASCII. */
export const standingSigns: Readonly<Record<Standing, readonly [sign: string, tone: Tone]>> = {
  same: ['=', 'ok'],
  noise: ['~', 'ok'],
  gone: ['g', 'ok'],
  late: ['t', 'warn'],
  changed: ['!', 'err'],
  identity: ['#', 'err'],
  missing: ['-', 'err'],
  extra: ['+', 'err'],
  blocked: ['|', 'warn'],
  unresolved: ['?', 'warn'],
  auth: ['a', 'err'],
  error: ['x', 'err'],
}

export function recordingRows(input: PaneInput, playback: PlaybackSnapshot): readonly Row[] {
  const { model, rect } = input
  const { rows, total, at } = playback
  const place = Math.min(at + 1, total)
  const title = titleRow(input, 'traffic', filterText(model, playback), [
    span(`${place} of ${totalText(playback)}`, 'muted'),
  ])
  if (rows.length === 0) return [title, ...emptyText(model, playback, rect.width)]
  const height = listHeight(model, 'traffic')
  const { top, chosen } = recordingWindow(model, height)
  // The current exchange may be hidden: the next one that is shown stands for it.
  const current = rows.find((row) => row.place >= currentPlace(model))?.place ?? total
  const focused = focusOf(model) === 'traffic'
  return [
    title,
    ...rows.slice(top, top + height).map((row, index): Row => {
      const here = top + index === chosen
      const spans = [
        // Without colours only the sign marks the chosen row.
        span(here && focused ? '>' : ' '),
        ...tapeSpans(row, { current, width: rect.width, model, glyphs: input.glyphs }),
      ]
      return listRow(spans, row.place, here ? (focused ? 'here' : 'elsewhere') : undefined)
    }),
  ]
}

function filterText(model: Model, { passing, tried, problem }: PlaybackSnapshot): readonly Span[] {
  const { filter } = model
  if (filter.draft === '') return hidesIdle(model) ? [span('no idle polls', 'muted')] : []
  const progress = tried === undefined ? `${passing} fit` : `${passing} fit of ${tried} tried`
  return [
    span(`/${filter.draft}`, filter.problem === undefined ? 'info' : 'err'),
    span(problem === undefined ? ` (${progress})` : '', 'muted'),
  ]
}

function emptyText(
  { filter }: Model,
  { total, tried }: PlaybackSnapshot,
  width: number,
): readonly Row[] {
  if (total === 0) return hintRows(width, 'The recording has no exchanges.')
  if (tried !== undefined) return hintRows(width, `Looking: ${tried} of ${total} tried.`)
  if (filter.draft === '') return []
  return hintRows(width, 'No exchange matches the filter.', '/ changes it, esc takes it away.')
}

interface RowContext {
  readonly current: number
  readonly width: number
  readonly model: Model
  readonly glyphs: Glyphs
}

const callTone = (status: number): Tone =>
  status === 0 || status >= 500 ? 'err' : status >= 400 ? 'warn' : 'plain'

/** Sign of the result; a dot while it is still to be sent, blank when it is not sent. */
function resultSign({ standing, sent }: PlaybackViewRow): readonly [sign: string, tone: Tone] {
  if (standing !== undefined) return standingSigns[standing]
  return [sent ? '.' : ' ', 'muted']
}

/** With the fault that disturbed it, and whether it is edited. */
function rowText({ text, fault, edited }: PlaybackViewRow): string {
  const disturbed = fault === undefined ? text : `~${fault.split(' ')[0]} ${text}`
  return edited ? `edited ${disturbed}` : disturbed
}

function tapeSpans(
  row: PlaybackViewRow,
  { current, width, model, glyphs }: RowContext,
): readonly Span[] {
  const { place, seq, startedAt, from, to, status, tookMs, orderId, mark } = row
  const isCurrent = place === current
  const past = place < current
  const [sign, tone] = resultSign(row)
  const isOfChosenOrder = orderId !== undefined && orderId === model.orderId
  const roomy = width >= 70
  const playedTone: Tone = past || isCurrent ? 'plain' : 'muted'
  return [
    span(isCurrent ? glyphs.next : ' ', 'accent'),
    span(mark === undefined ? ' ' : '*', 'accent'),
    ...columnSpans(width - 3, [
      { text: sign, width: 1, tone },
      { text: `#${seq}`, width: 7, align: 'right', tone: isCurrent ? 'accent' : 'muted' },
      { text: timeText(startedAt, roomy), width: roomy ? 12 : 8, tone: 'muted' },
      {
        text: `${shortRoleName[from]}>${shortRoleName[to]}`,
        width: 6,
        tone: row.sent ? 'info' : playedTone,
      },
      { text: rowText(row), tone: row.edited ? 'accent' : playedTone },
      { text: status === 0 ? '---' : String(status), width: 3, tone: callTone(status) },
      ...(roomy
        ? [{ text: shortDurationText(tookMs), width: 6, align: 'right', tone: 'muted' } as const]
        : []),
      ...(width >= 58
        ? [
            {
              text: shortId(orderId),
              width: 8,
              tone: isOfChosenOrder ? 'accent' : 'muted',
            } as const,
          ]
        : []),
    ]),
  ]
}
