/** Chooses the exchanges of a report by `--order`, `--failed` and `--only`, and says how to see the others. */
import { problem } from '../../../core/base/problem.ts'
import { isRemarkable } from '../../page/session/exchange-text.ts'
import { orderViewsOf } from '../../page/session/order-views.ts'
import type { ReportedAmount, ReportedExchange } from '../../page/session/report-content.ts'
import { trafficFilter } from '../../../core/views/traffic-filter.ts'
import { trafficRow } from '../../../core/views/traffic-rows.ts'
import type { ReportOptions } from './report-flags.ts'

/** A shorter beginning of an id fits too many orders. */
const minPrefixChars = 4
/** How many of the fitting ids an error names. */
const maxNamed = 3

/** An order by its slot (`o2` is the second that the traffic names), its id or the beginning of it. */
export function findReportedOrder(
  typed: string,
  orderIds: readonly string[],
  slots: ReadonlyMap<string, string>,
): string {
  const bySlot = slots.get(typed) ?? orderIds[Number(/^o([1-9]\d*)$/.exec(typed)?.[1] ?? 0) - 1]
  if (orderIds.includes(typed)) return typed
  if (bySlot !== undefined) return bySlot
  const fitting =
    typed.length < minPrefixChars ? [] : orderIds.filter((each) => each.startsWith(typed))
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) return only
  throw problem(
    'reading --order',
    only === undefined
      ? `no order "${typed}" is in the traffic`
      : `"${typed}" fits several orders: ${fitting.slice(0, maxNamed).join(', ')}`,
    only === undefined
      ? orderIds.length === 0
        ? 'It names no order at all.'
        : `It has ${orderIds.length}, such as ${orderIds.slice(0, maxNamed).join(', ')}.`
      : 'Write more of the id.',
  )
}

export interface ChosenExchanges {
  readonly exchanges: readonly ReportedExchange[]
  /** The order that was chosen, of which alone the page tells. */
  readonly onlyOrder?: string
  readonly amount: ReportedAmount
}

export interface ExchangeChoice {
  readonly exchanges: readonly ReportedExchange[]
  /** Numbers that a verdict or a failure names. */
  readonly named: ReadonlySet<number>
  /** Ids of orders by slot, as the session has them. */
  readonly slots: ReadonlyMap<string, string>
  /** Exchanges of the session, which may have more than are known here. */
  readonly all: number
  /** What is to be said about those. */
  readonly remedies: readonly string[]
}

export function chooseExchanges(
  { exchanges, named, slots, all, remedies }: ExchangeChoice,
  { order, failed, only }: Pick<ReportOptions, 'order' | 'failed' | 'only'>,
  limit: number,
): ChosenExchanges {
  const filter = trafficFilter(only ?? '', (slot) => slots.get(slot))
  if (!filter.ok)
    throw problem(
      'reading --only',
      filter.error,
      'Write words that all hold, such as "confirmOrder !failed".',
    )
  const views = order === undefined ? undefined : orderViewsOf(exchanges)
  const orderId =
    order === undefined ? undefined : findReportedOrder(order, [...(views?.keys() ?? [])], slots)
  const ofOrder = orderId === undefined ? undefined : new Set(views?.get(orderId)?.exchanges ?? [])
  const chosen = exchanges.filter(
    (each) =>
      ofOrder?.has(each.seq) !== false &&
      (!failed || named.has(each.seq) || isRemarkable(each)) &&
      (only === undefined || filter.value(trafficRow(each))),
  )
  const isLong = chosen.length > limit
  return {
    exchanges: chosen,
    amount: {
      all,
      chosen: chosen.length,
      remedies: [
        ...remedies,
        ...(isLong
          ? ['See others with --order <id>, --failed, --only <filter>, or more with --limit <n>']
          : []),
      ],
    },
    ...(orderId === undefined ? {} : { onlyOrder: orderId }),
  }
}
