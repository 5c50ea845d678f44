/**
 * Text overlays: full details of an exchange, order, entity, fact or item; messages; the help. Rows are cached per
 * object and width, since scrolling renders the same exchange again and again.
 */
import { isoOf } from '../../../core/engine/instant.ts'
import { effectsText } from '../../../core/views/effects-text.ts'
import { assertNever } from '../../../core/protocol/result.ts'
import type {
  AgendaRow,
  ItemDetail,
  JournalRow,
  OrderDetail,
} from '../../../core/session-api/session-api.ts'
import { containsWords } from '../../../core/traffic/contains-words.ts'
import { helpRows } from './help.ts'
import {
  failedRulesOfExchange,
  failedRulesOfOrder,
  type RuleFailure,
} from '../model/failed-rules.ts'
import { isViewOnly } from '../model/changes.ts'
import { type Model, tabNames } from '../model/model.ts'
import { isListOverlay } from './overlays/catalogue.ts'
import { itemNotes } from './panes/agenda.ts'
import { hintRows } from './panes/pane.ts'
import { wordWrap } from './text/cells.ts'
import { bodyRows, fieldRows, heading, indent, jsonValueRows } from './text/json.ts'
import {
  cutSpans,
  emptyRow,
  plainText,
  type Row,
  row,
  span,
  type Tone,
  widthOf,
} from './text/row.ts'
import type { EntityDetail } from '../../../core/session-api/entities.ts'
import { shortRoleName } from '../../../core/protocol/role.ts'
import { type Exchange, type HeaderPairs, wallDurationMs } from '../../../core/traffic/exchange.ts'
import { shortDurationText } from './text/time.ts'

/** One exchange in full: request and reply, side by side where there is room. */
function exchangeRows(exchange: Exchange, width: number): readonly Row[] {
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
    note,
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
    ['note', note],
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

/** The rows of the open text overlay: those with the words that it is searched for. */
export function overlayRows(model: Model, width: number): readonly Row[] {
  const { overlay } = model
  if (overlay?.kind === 'help') return helpRows(width, overlay.search, isViewOnly(model))
  const rows = allRows(model, width)
  const test = containsWords(overlay?.search)
  return test ? rows.filter((each) => test(plainText(each))) : rows
}

function allRows(model: Model, width: number): readonly Row[] {
  const { overlay, snapshot } = model
  if (!overlay || isListOverlay(overlay) || overlay.kind === 'help') return []
  if (overlay.kind === 'message') return overlay.lines.flatMap((text) => hintRows(width, text))
  const { of } = overlay
  switch (of.kind) {
    case 'exchange': {
      const exchange = snapshot?.exchange
      if (exchange?.seq !== of.seq) return [row(span(' looking for the exchange', 'muted'))]
      return [
        ...wrongRows(model, exchange.seq, width),
        ...cachedRows(exchange, width, () => exchangeRows(exchange, width)),
      ]
    }
    case 'order': {
      const detail = snapshot?.order
      if (detail?.row.orderId !== of.orderId) return [row(span(' looking for the order', 'muted'))]
      return [
        ...ruleRows(failedRulesOfOrder(model, of.orderId), width),
        ...cachedRows(detail, width, () => orderRows(detail, width)),
      ]
    }
    case 'entity': {
      const detail = snapshot?.entity
      if (detail?.row.kind !== of.of || detail.row.id !== of.id)
        return [row(span(` looking for the ${of.of}`, 'muted'))]
      return cachedRows(detail, width, () => entityRows(detail, width))
    }
    case 'fact':
      return factRows(of.row)
    case 'item':
      return itemRows(of.row, snapshot?.item, width)
    default:
      return assertNever(of)
  }
}

const cache = new WeakMap<object, { readonly width: number; readonly rows: readonly Row[] }>()

function cachedRows(key: object, width: number, make: () => readonly Row[]): readonly Row[] {
  const found = cache.get(key)
  if (found?.width === width) return found.rows
  const rows = make()
  cache.set(key, { width, rows })
  return rows
}

/** Number of rows of the open text overlay, for scrolling. */
export const overlayLength = (model: Model): number =>
  overlayRows(model, model.layout.body.width).length

export function overlayTitle({ overlay, snapshot }: Model): string {
  if (overlay?.kind === 'message') return overlay.title
  if (!overlay || isListOverlay(overlay) || overlay.kind === 'help') return 'Keys'
  const { of } = overlay
  switch (of.kind) {
    case 'exchange': {
      const exchange = snapshot?.exchange
      const name = exchange?.seq === of.seq ? ` ${exchange.operation ?? 'unknown operation'}` : ''
      return `Exchange ${of.seq}${name}`
    }
    case 'order':
      return `Order ${of.orderId}`
    case 'entity':
      return `${tabNames[of.of][1]} ${of.id}`
    case 'fact':
      return `Fact ${of.row.seq} ${of.row.kind}`
    case 'item':
      return `Item #${of.row.id} ${of.row.kind}`
    default:
      return assertNever(of)
  }
}

/** What is wrong with an exchange, in full: its reason, an advice, and the rules that it shows as failed. */
function wrongRows(model: Model, seq: number, width: number): readonly Row[] {
  const { reason, advice } = model.snapshot?.traffic.find((each) => each.seq === seq) ?? {}
  return [
    ...wrappedField('why', reason, width, 'err'),
    ...wrappedField('advice', advice, width, 'warn'),
    ...ruleRows(failedRulesOfExchange(model, seq), width),
  ]
}

const ruleRows = (rules: readonly RuleFailure[], width: number): readonly Row[] =>
  rules.flatMap(({ id, because }) => wrappedField('failed', `${id} ${because}`, width, 'err'))

const wrappedField = (
  name: string,
  text: string | undefined,
  width: number,
  tone: Tone,
): readonly Row[] =>
  text === undefined
    ? []
    : wordWrap(text, Math.max(1, width - 10)).map((line, index) =>
        row(span(` ${(index === 0 ? name : '').padEnd(8)}`, 'muted'), span(line, tone)),
      )

function orderRows(detail: OrderDetail, width: number): readonly Row[] {
  const events = detail.events.map(({ eventType, createdAt, state, eventId }) =>
    row(
      span(` ${createdAt}  `, 'muted'),
      span(`${eventType}  `),
      span(`${state}  ${eventId}`, 'muted'),
    ),
  )
  return [
    heading('Way'),
    ...statusHistoryRows(detail.statusHistory),
    emptyRow,
    heading('Events'),
    ...(events.length === 0 ? [row(span(' none yet', 'muted'))] : events),
    ...(detail.effects
      ? [emptyRow, heading('Effects'), row(span(` ${effectsText(detail.effects)}`))]
      : []),
    emptyRow,
    heading('Document'),
    ...indent(jsonValueRows(detail.document, width - 2)),
  ]
}

const statusHistoryRows = (statusHistory: EntityDetail['statusHistory']): readonly Row[] =>
  statusHistory.map(({ status, at, trigger }) =>
    row(span(` ${isoOf(at)}  `, 'muted'), span(status.padEnd(12)), span(trigger ?? '', 'muted')),
  )

const entityRows = (
  { row: entity, statusHistory, document }: EntityDetail,
  width: number,
): readonly Row[] => [
  ...fieldRows(
    ['what', entity.label],
    ['how', entity.text],
    ['order', entity.orderId],
    ['store', entity.merchant],
  ),
  emptyRow,
  heading('Way'),
  ...statusHistoryRows(statusHistory),
  emptyRow,
  heading('Document'),
  ...indent(jsonValueRows(document, width - 2)),
]

const factRows = (fact: JournalRow): readonly Row[] =>
  fieldRows(
    ['what', fact.text],
    ['kind', fact.kind],
    ['when', isoOf(fact.at)],
    ['by', fact.by],
    ['order', fact.orderId],
    ['number', String(fact.seq)],
  )

const itemRows = (
  item: AgendaRow,
  detail: ItemDetail | undefined,
  width: number,
): readonly Row[] => [
  ...fieldRows(
    ['what', item.text],
    ['effect', item.effect],
    ['kind', item.kind],
    ['due', item.held ? `${isoOf(item.due)}, but held` : isoOf(item.due)],
    ['waits', item.waits === undefined ? undefined : `for ${item.waits}`],
    ['order', item.orderId],
    ['notes', itemNotes(item) || undefined],
    ['fault', item.fault],
    ['loop', item.background ? 'goes on for ever; does not keep the session busy' : undefined],
  ),
  ...(detail?.row.id === item.id
    ? [
        emptyRow,
        heading(detail.event ? `The event ${detail.event.eventType}` : 'The command'),
        ...indent(jsonValueRows(detail.event?.fields ?? detail.command, width - 2)),
      ]
    : []),
]
