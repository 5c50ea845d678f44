/** Rows of the traffic. */
import { compact } from '../base/compact.ts'
import { type Exchange, wallDurationMs } from '../traffic/exchange.ts'
import { failureKindOf } from '../traffic/failed-requests.ts'
import { displayPath, displayText } from '../traffic/redaction/display.ts'
import { plainReason } from '../traffic/stated-reason.ts'
import { eventTitle } from '../protocol/event-types.ts'
import { tryParseJson } from '../traffic/json/try-parse-json.ts'
import type { DerivedLog } from '../traffic/log.ts'
import type { TrafficRow, View } from '../session-api/session-api.ts'
import { type OrderOfSlot, trafficFilter } from './traffic-filter.ts'

/** An empty poll: 204, or an empty list, as the host is configured. */
const isIdle = ({ operation, reply }: Exchange): boolean =>
  (operation === 'pollingEvents' || operation === 'pollEventsV1') &&
  (reply?.status === 204 || reply?.body === '[]')

/**
 * The failure and its reason; of an exchange without a diagnosis, such as one of a recording, what its reply says.
 */
function failureOf(exchange: Exchange): Pick<TrafficRow, 'failed' | 'reason'> {
  if (!failureKindOf(exchange)) return {}
  const reason = exchange.reason ?? plainReason(exchange)
  return {
    failed: true,
    ...(reason === undefined ? {} : { reason: displayText(reason, exchange.request.url) }),
  }
}

/** The event of a webhook; the text of a body is parsed for these alone. */
function eventOf({ operation, request: { body = '' } }: Exchange): string | undefined {
  if (operation === undefined || !/^receive.*Event/.test(operation)) return undefined
  const title = eventTitle(tryParseJson(body))
  return title === undefined ? undefined : displayText(title)
}

export function trafficRow(exchange: Exchange): TrafficRow {
  const { request, failure, operation, orderId, fault, resendOf, note } = exchange
  const advice =
    exchange.advice === undefined ? undefined : displayText(exchange.advice, request.url)
  return {
    seq: exchange.seq,
    startedAt: exchange.startedAt,
    endedAt: exchange.startedAt + exchange.tookMs,
    tookMs: wallDurationMs(exchange),
    from: exchange.from.role,
    to: exchange.to.role,
    subject: exchange.from.party === 'subject' || exchange.to.party === 'subject',
    method: request.method,
    path: displayPath(request.url),
    status: exchange.reply?.status ?? 0,
    ...compact({ operation }),
    ...(failure ? { failure: failure.code } : {}),
    ...failureOf(exchange),
    ...compact({ advice, note, event: eventOf(exchange), orderId, fault, resendOf }),
    ...(isIdle(exchange) && advice === undefined && note === undefined
      ? { idle: true as const }
      : {}),
  }
}

/** Maximum exchanges scanned per view, for filters without matches. */
const maxScanned = 2000

export interface TrafficRows {
  /** Oldest first. */
  readonly rows: readonly TrafficRow[]
  readonly hidden: number
  readonly problem?: string
}

export function trafficRows(
  log: DerivedLog<TrafficRow>,
  view: NonNullable<View['traffic']>,
  orderOfSlot: OrderOfSlot,
): TrafficRows {
  const { limit, before, after, orderId, filter = '' } = view
  const test = trafficFilter(filter, orderOfSlot)
  if (!test.ok) return { rows: [], hidden: 0, problem: test.error }
  const rows: TrafficRow[] = []
  let scanned = 0
  let hidden = 0
  const source =
    after === undefined ? log.before(before ?? Number.MAX_SAFE_INTEGER) : log.after(after)
  for (const row of source) {
    if (rows.length >= limit || scanned++ >= maxScanned) break
    if (orderId !== undefined && row.orderId !== orderId) continue
    if (test.value(row)) rows.push(row)
    else hidden++
  }
  return { rows: after === undefined ? rows.toReversed() : rows, hidden }
}
