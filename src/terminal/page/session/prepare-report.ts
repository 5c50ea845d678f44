/** Prepares a report for its sections: chooses what is on the page, and gives it ids and links. */
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { maxShownBodyChars } from '../message-text.ts'
import type { FoldedExchange } from './fold-polls.ts'
import { type OrderViewPair, orderViewsOf } from './order-views.ts'
import type { ReportedExchange, ReportedOrder, SessionReport } from './report-content.ts'
import { selectExchanges } from './select-exchanges.ts'

/** An order of the page, with what it is called and its key among the filters. */
export interface PreparedOrder {
  /** Unique on the page: it holds nothing from the traffic. */
  readonly key: string
  readonly name: string
  readonly order: ReportedOrder
  readonly views: OrderViewPair
}

/** A report with what its sections share: what is on the page, and how it is linked. */
export interface PreparedReport {
  readonly report: SessionReport
  readonly rows: readonly FoldedExchange[]
  readonly leftOut: number
  readonly orders: readonly PreparedOrder[]
  readonly exchangeOf: (seq: number) => ReportedExchange | undefined
  /** Orders that an exchange is about. */
  readonly ordersOf: (seq: number) => readonly PreparedOrder[]
  /** The id of an exchange on the page; undefined for one that is not on it. */
  readonly hrefOf: (seq: number) => string | undefined
  /** The id of its arrow in the sequence. */
  readonly arrowIdOf: (seq: number) => string
  /** `o1` of a call of one order. */
  readonly slotOf: (exchange: Exchange) => string | undefined
  readonly prefix: string
  /** Characters of each body that are shown at most. */
  readonly maxBodyChars: number
}

/** Characters of all bodies of a page, about; one of few exchanges shows each whole. */
const pageBodyChars = 6_000_000
const minBodyChars = 500

/** How much of each body a page of so many exchanges shows. */
export const bodyCharsFor = (exchanges: number): number =>
  Math.max(
    minBodyChars,
    Math.min(maxShownBodyChars, Math.floor(pageBodyChars / Math.max(1, exchanges * 2))),
  )

export interface PrepareOptions {
  /** Rows of exchanges at most. */
  readonly limit: number
  /** Sessions on the page. */
  readonly sessions: number
  /** Before every id, where a page has several sessions. */
  readonly prefix: string
}

const noViews = (orderId: string): OrderViewPair => ({
  orderId,
  host: [],
  known: [],
  events: [],
  calls: [],
  exchanges: [],
})

/** Orders of the session, and those that only the traffic names. */
function ordersOfReport(
  { orders, onlyOrder }: SessionReport,
  views: ReadonlyMap<string, OrderViewPair>,
  prefix: string,
): readonly PreparedOrder[] {
  const named = new Set(orders.map(({ orderId }) => orderId))
  const all: readonly ReportedOrder[] = [
    ...orders,
    ...[...views.keys()].flatMap((orderId) => (named.has(orderId) ? [] : [{ orderId }])),
  ].filter(({ orderId }) => onlyOrder === undefined || orderId === onlyOrder)
  return all.map((order, index) => {
    const { orderId, slot, explanation } = order
    const own = views.get(orderId) ?? noViews(orderId)
    return {
      key: `${prefix}n${index + 1}`,
      name: slot === undefined ? orderId : `${slot} ${orderId}`,
      order,
      views: explanation ? { ...own, host: explanation.host, known: explanation.known } : own,
    }
  })
}

export function prepareReport(
  report: SessionReport,
  { limit, sessions, prefix }: PrepareOptions,
): PreparedReport {
  const views = orderViewsOf(report.exchanges)
  const { rows, leftOut } = selectExchanges(report, views, limit)
  const orders = ordersOfReport(report, views, prefix)
  const bySeq = new Map<number, PreparedOrder[]>()
  for (const each of orders)
    for (const seq of each.views.exchanges) bySeq.set(seq, [...(bySeq.get(seq) ?? []), each])
  const exchanges = new Map(report.exchanges.map((each) => [each.seq, each]))
  const shown = new Set(rows.map(({ exchange }) => exchange.seq))
  return {
    report,
    rows,
    leftOut,
    orders,
    exchangeOf: (seq) => exchanges.get(seq),
    ordersOf: (seq) => bySeq.get(seq) ?? [],
    hrefOf: (seq) => (shown.has(seq) ? `${prefix}x${seq}` : undefined),
    arrowIdOf: (seq) => `${prefix}s${seq}`,
    slotOf: ({ seq }) => {
      const [only, ...others] = bySeq.get(seq) ?? []
      return others.length === 0 ? only?.order.slot : undefined
    },
    prefix,
    maxBodyChars: bodyCharsFor(rows.length * sessions),
  }
}
