/**
 * Text overlays: full details of an exchange, order, entity, fact or item; messages; the help. Rows are cached per
 * object and width, since scrolling renders the same exchange again and again.
 */
import { isoOf } from '../../../core/engine/instant.ts'
import { assertNever } from '../../../core/protocol/result.ts'
import type {
  AgendaRow,
  ItemDetail,
  JournalRow,
  OrderDetail,
} from '../../../core/session-api/session-api.ts'
import { containsWords } from '../../../core/traffic/contains-words.ts'
import { exchangeRows } from './exchange-detail.ts'
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
import { fieldRows, heading, indent, jsonValueRows } from './text/json.ts'
import { emptyRow, plainText, type Row, row, span, type Tone } from './text/row.ts'
import type { EntityDetail } from '../../../core/session-api/entities.ts'

/** The rows of the open text overlay: those with the words that it is searched for. */
export function overlayRows(model: Model, width: number): readonly Row[] {
  const { overlay } = model
  if (overlay?.kind === 'help') return helpRows(width, overlay.search, isViewOnly(model))
  const rows = allRows(model, width)
  const test = containsWords(overlay?.search)
  return test ? rows.filter((each) => test(plainText(each))) : rows
}

function allRows(model: Model, width: number): readonly Row[] {
  const { overlay, seen } = model
  if (!overlay || isListOverlay(overlay) || overlay.kind === 'help') return []
  if (overlay.kind === 'message') return overlay.lines.flatMap((text) => hintRows(width, text))
  const { of } = overlay
  switch (of.kind) {
    case 'exchange': {
      const exchange = seen?.exchange
      if (exchange?.seq !== of.seq) return [row(span(' looking for the exchange', 'muted'))]
      return [
        ...wrongRows(model, exchange.seq, width),
        ...cachedRows(exchange, width, () => exchangeRows(exchange, width)),
      ]
    }
    case 'order': {
      const detail = seen?.order
      if (detail?.row.orderId !== of.orderId) return [row(span(' looking for the order', 'muted'))]
      return [
        ...ruleRows(failedRulesOfOrder(model, of.orderId), width),
        ...cachedRows(detail, width, () => orderRows(detail, width)),
      ]
    }
    case 'entity': {
      const detail = seen?.entity
      if (detail?.row.kind !== of.of || detail.row.id !== of.id)
        return [row(span(` looking for the ${of.of}`, 'muted'))]
      return cachedRows(detail, width, () => entityRows(detail, width))
    }
    case 'fact':
      return factRows(of.row)
    case 'item':
      return itemRows(of.row, seen?.item, width)
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

export function overlayTitle({ overlay, seen }: Model): string {
  if (overlay?.kind === 'message') return overlay.title
  if (!overlay || isListOverlay(overlay) || overlay.kind === 'help') return 'Keys'
  const { of } = overlay
  switch (of.kind) {
    case 'exchange': {
      const exchange = seen?.exchange
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
  const { reason, advice } = model.seen?.traffic.find((each) => each.seq === seq) ?? {}
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
