/** One exchange in full: request and reply, side by side where there is room. */
import { isoOf } from '../../../core/engine/instant.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import { type Exchange, type HeaderPairs, wallDurationMs } from '../../../core/traffic/exchange.ts'
import { bodyRows, fieldRows, heading, indent } from './text/json.ts'
import { cutSpans, emptyRow, type Row, row, span, type Tone, widthOf } from './text/row.ts'
import { shortDurationText } from './text/time.ts'

export function exchangeRows(exchange: Exchange, width: number): readonly Row[] {
  const {
    from,
    to,
    startedAt,
    wall,
    attempt,
    orderId,
    eventIds,
    fault,
    failure,
    reply: answer,
    resendOf,
  } = exchange
  const party = ({ role, party: side }: Exchange['from']): string =>
    `${shortRoleName[role]} (${side})`
  const head = fieldRows(
    [
      'when',
      `${isoOf(Math.floor(startedAt))}, took ${shortDurationText(wallDurationMs(exchange))}`,
    ],
    ['wall', wall && isoOf(Math.floor(wall.startedAt))],
    ['parties', `${party(from)} > ${party(to)}${attempt === undefined ? '' : `, try ${attempt}`}`],
    ['order', orderId],
    ['events', eventIds?.join(' ')],
    [
      'again',
      resendOf === undefined
        ? undefined
        : `#${resendOf}, sent by hand in place of its caller: not judged, not recorded`,
    ],
    ['fault', fault],
    ['failed', answer && failure ? `${failure.code}: ${failure.message}` : undefined],
  )
  const half = width >= 100 ? Math.floor((width - 3) / 2) : width - 1
  const request = requestRows(exchange, half)
  const reply = replyRows(exchange, half)
  return [
    ...head,
    emptyRow,
    ...(width >= 100 ? sideBySide(request, reply, half) : [...request, emptyRow, ...reply]),
  ]
}

const requestRows = ({ request }: Exchange, width: number): readonly Row[] => [
  heading('Request'),
  row(span(` ${request.method} `, 'accent'), span(request.url)),
  ...headerRows(request.headers),
  emptyRow,
  ...indent(bodyRows(request.body, width - 2)),
  ...trailerRows(request.wire?.trailers),
]

function replyRows({ reply, failure }: Exchange, width: number): readonly Row[] {
  if (!reply) {
    const why = failure ? `${failure.code}: ${failure.message}` : 'none'
    return [heading('No reply'), row(span(` ${why}`, 'err'))]
  }
  const tone: Tone = reply.status >= 500 ? 'err' : reply.status >= 400 ? 'warn' : 'ok'
  return [
    heading('Reply'),
    row(span(` ${reply.status}`, tone)),
    ...headerRows(reply.headers),
    emptyRow,
    ...indent(bodyRows(reply.body, width - 2)),
    ...trailerRows(reply.wire?.trailers),
  ]
}

const trailerRows = (trailers: HeaderPairs = []): readonly Row[] =>
  trailers.length === 0 ? [] : [emptyRow, ...headerRows(trailers)]

const headerRows = (headers: HeaderPairs): readonly Row[] =>
  headers.map(([name, value]) => row(span(` ${name}: `, 'muted'), span(value)))

/** Two texts side by side; the shorter one is padded with empty rows. */
function sideBySide(left: readonly Row[], right: readonly Row[], width: number): readonly Row[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index): Row => {
    const start = cutSpans(left[index]?.spans ?? [], width)
    const gap = span(' '.repeat(Math.max(0, width - widthOf(start)) + 2))
    return { spans: [...start, gap, ...(right[index]?.spans ?? [])] }
  })
}
