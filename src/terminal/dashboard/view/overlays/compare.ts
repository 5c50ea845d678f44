/**
 * Compare view: a recorded exchange at the left, its live counterpart at the right. Differences that a rule accepts are
 * dim and show the reason of the rule.
 */
import type { Comparator, Difference } from '../../../../core/traffic/recording/difference.ts'
import type { PlaybackPair } from '../../../../core/session-api/playback.ts'
import type { Exchange } from '../../../../core/traffic/exchange.ts'
import type { Model } from '../../model/model.ts'
import { standingSigns } from '../panes/recording.ts'
import {
  columnPairs,
  comparatorText,
  differencePlaceText,
  jsonValueText,
} from '../text/difference.ts'
import { bodyRows } from '../text/json.ts'
import {
  cutSpans,
  emptyRow,
  type Row,
  row,
  type Span,
  span,
  type Tone,
  widthOf,
} from '../text/row.ts'
import { withVisibleDifference } from '../../../../core/traffic/escape-controls.ts'
import { headingLine, listLine, type ListLine, type ListInput, wrappedLines } from './listing.ts'

const maxDifferences = 200

export function compareLines(input: ListInput, place: number): readonly ListLine[] {
  const pair = comparedPair(input.model, place)
  if (!pair) return [listLine(row(span(' looking for the exchange', 'muted')))]
  return [
    ...summaryLines(pair, input),
    ...pair.edits.map((text) => listLine(row(span(` edited: ${text}`, 'accent')))),
    ...differenceLines(pair, input),
    listLine(emptyRow),
    ...exchangeLines(pair, input.width),
  ]
}

export const comparedPair = ({ snapshot }: Model, place: number): PlaybackPair | undefined => {
  const pair = snapshot?.playback?.pair
  return pair?.row.place === place ? pair : undefined
}

function summaryLines(
  { row: { standing, sent }, because }: PlaybackPair,
  { width, model }: ListInput,
) {
  const target = model.snapshot?.playback?.target
  if (standing === undefined) {
    const reason =
      target === undefined
        ? 'Nothing is sent without a target: this is what was recorded.'
        : sent
          ? 'It was not sent yet: n sends what comes next.'
          : 'It is not sent: your service asked it, or it was left out.'
    return wrappedLines(reason, width, 'muted')
  }
  const [sign, tone] = standingSigns[standing]
  return [
    listLine(
      row(span(` ${sign} ${standing}`, tone), span(because === undefined ? '' : `  ${because}`)),
    ),
  ]
}

/** Unaccepted differences first. */
function differenceLines({ differences }: PlaybackPair, { width }: ListInput): readonly ListLine[] {
  if (differences.length === 0) return []
  const ordered = [...differences.entries()].toSorted(
    ([a, one], [b, other]) => Number(one.accepted) - Number(other.accepted) || a - b,
  )
  const accepted = differences.filter((each) => each.accepted).length
  const open = differences.length - accepted
  const more = differences.length - maxDifferences
  return [
    listLine(emptyRow),
    headingLine(`${open} differ, ${accepted} accepted by a rule`, 'recorded | now; i accepts one'),
    ...ordered
      .slice(0, maxDifferences)
      .flatMap(([index, difference]) => oneDifference(difference, index, width)),
    ...(more > 0 ? [listLine(row(span(` and ${more} more`, 'muted')))] : []),
  ]
}

function oneDifference(difference: Difference, index: number, width: number): readonly ListLine[] {
  const { side, where, kind, recorded, live, accepted, rule } = difference
  const place = differencePlaceText(difference)
  const target = { kind: 'difference', index, key: `${side} ${where} ${kind}` } as const
  const tone: Tone = accepted ? 'muted' : 'strong'
  const head = kind === 'value' ? place : `${place}  ${kind}`
  const [left, right] = withVisibleDifference(jsonValueText(recorded), jsonValueText(live))
  const values = valuePairRows(left, right, width, accepted).map((each) => listLine(each))
  const reasonLines = accepted
    ? wrappedLines(
        `${rule.from} rule, ${comparatorText(rule.compare)}: ${rule.reason}`,
        width - 3,
        'muted',
      ).map(({ row: { spans } }) => listLine({ spans: [span('   '), ...spans] }))
    : []
  return [listLine(row(span(head, tone)), target), ...values, ...reasonLines]
}

function valuePairRows(
  left: string,
  right: string,
  width: number,
  isAccepted: boolean,
): readonly Row[] {
  const half = Math.max(8, Math.floor((width - 7) / 2))
  const cut = (): string => '~ cut here; it is whole below'
  return columnPairs(left, right, { width: half, cut }).map(([one, other]) =>
    row(
      span('    '),
      span(one, isAccepted ? 'muted' : 'warn'),
      span(' | ', 'muted'),
      span(other, isAccepted ? 'muted' : 'err'),
    ),
  )
}

const titled = (text: string): Row => row(span(text, 'strong'))

const requestRows = ({ request }: Exchange, width: number): readonly Row[] => [
  titled(`${request.method} ${request.url}`),
  ...headerRows(request.headers),
  ...bodyRows(request.body, width),
  emptyRow,
]

function replyRows({ reply, failure }: Exchange, width: number): readonly Row[] {
  const answer = reply ? String(reply.status) : (failure?.code ?? 'none')
  return [
    titled(`answer ${answer}`),
    ...(reply ? [...headerRows(reply.headers), ...bodyRows(reply.body, width)] : []),
  ]
}

const headerRows = (headers: Exchange['request']['headers']): readonly Row[] =>
  headers.map(([name, value]) => row(span(`${name}: `, 'muted'), span(value)))

/** Both exchanges in full, side by side; the recorded one alone when there is no live one. */
function exchangeLines(
  { recorded, live, edits }: PlaybackPair,
  width: number,
): readonly ListLine[] {
  const half = live ? Math.floor((width - 4) / 2) : width - 2
  const parts = [requestRows, replyRows]
  if (!live)
    return [
      headingLine(edits.length > 0 ? 'As it is played' : 'Recorded'),
      ...parts.flatMap((rows) => rows(recorded, half)).map(indented),
    ]
  const pairs = parts.map((rows) => [rows(recorded, half), rows(live, half)] as const)
  const head = [[titled('Recorded')], [titled('Now')]] as const
  return [head, ...pairs].flatMap(([lefts, rights]) =>
    Array.from({ length: Math.max(lefts.length, rights.length) }, (_, index) =>
      listLine(
        row(
          ...cell(lefts[index]?.spans ?? [], half),
          span(' | ', 'muted'),
          ...cutSpans(rights[index]?.spans ?? [], half),
        ),
      ),
    ),
  )
}

const indented = ({ spans }: Row): ListLine => listLine({ spans: [span(' '), ...spans] })

function cell(spans: readonly Span[], width: number): readonly Span[] {
  const kept = cutSpans(spans, width)
  return [span(' '), ...kept, span(' '.repeat(Math.max(0, width - widthOf(kept))))]
}

/** Comparators for accepting a difference, by key. */
export const acceptComparators: readonly (readonly [
  key: string,
  compare: Comparator,
  words: string,
])[] = [
  ['i', { as: 'ignore' }, 'ignore'],
  ['s', { as: 'shape' }, 'shape'],
  ['t', { as: 'time', within: 60_000 }, 'time within 60 s'],
  ['p', { as: 'present' }, 'present'],
  ['n', { as: 'absent-or-null' }, 'absent or null'],
  ['e', { as: 'empty' }, 'empty'],
  ['u', { as: 'set' }, 'set'],
  ['m', { as: 'monotonic' }, 'monotonic'],
  ['a', { as: 'address' }, 'address'],
]
