/** Timelines of the HTML report: the exchanges of each order along time, drawn as SVG. */
import { htmlText } from '../../terminal/page/html-text.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { tracedExchangeLine } from '../judge/exchange-line.ts'

/** Orders that are drawn at most: those with the most exchanges. */
const maxOrders = 40
/** Dots of one order at most. */
const maxDots = 200
const [left, width, laneHeight] = [10, 1000, 22]

interface Dot {
  readonly exchange: Exchange
  readonly x: number
  readonly lane: number
}

const laneOf = ({ operation }: Exchange, lanes: readonly string[]): number =>
  lanes.indexOf(operation ?? 'other')

function dotsOf(exchanges: readonly Exchange[], lanes: readonly string[]): readonly Dot[] {
  const begin = exchanges[0]?.startedAt ?? 0
  const end = Math.max(begin + 1, ...exchanges.map(({ startedAt }) => startedAt))
  return exchanges.slice(0, maxDots).map((exchange) => ({
    exchange,
    x: Math.round(left + ((exchange.startedAt - begin) / (end - begin)) * width),
    lane: laneOf(exchange, lanes),
  }))
}

/** By direction, and whether it failed. */
const dotClass = ({ from, reply }: Exchange): string =>
  (reply?.status ?? 599) >= 400 ? 'wrong' : from.party === 'subject' ? 'from' : 'to'

function orderTimeline(
  orderId: string,
  exchanges: readonly Exchange[],
  isShown: (seq: number) => boolean,
): string {
  const lanes = [...new Set(exchanges.map(({ operation }) => operation ?? 'other'))]
  const height = lanes.length * laneHeight + 8
  const seconds = (
    ((exchanges.at(-1)?.startedAt ?? 0) - (exchanges[0]?.startedAt ?? 0)) /
    1000
  ).toFixed(1)
  const rows = lanes.map((lane, index) => {
    const y = index * laneHeight + 18
    return `<line x1="${left}" x2="${left + width}" y1="${y}" y2="${y}"/><text x="${left + width + 12}" y="${y + 4}">${htmlText(lane)}</text>`
  })
  const dots = dotsOf(exchanges, lanes).map(({ exchange, x, lane }) => {
    const circle = `<circle class="${dotClass(exchange)}" cx="${x}" cy="${lane * laneHeight + 18}" r="5"><title>${htmlText(tracedExchangeLine(exchange))}</title></circle>`
    return isShown(exchange.seq) ? `<a href="#x${exchange.seq}">${circle}</a>` : circle
  })
  return `<details><summary>order <code>${htmlText(orderId)}</code>: ${exchanges.length} exchanges in ${seconds} s</summary><div class="scroll"><svg width="${left + width + 260}" height="${height}" role="img" aria-label="timeline of order ${htmlText(orderId)}">${rows.join('')}${dots.join('')}</svg></div></details>`
}

/** The timelines of orders; an empty text when there are none. Exchanges that are on the page are links to them. */
export function htmlTimelines(
  exchanges: readonly Exchange[],
  isShown: (seq: number) => boolean,
): string {
  const byOrder = new Map<string, Exchange[]>()
  for (const each of exchanges)
    if (each.orderId !== undefined)
      byOrder.set(each.orderId, [...(byOrder.get(each.orderId) ?? []), each])
  return [...byOrder]
    .filter(([, all]) => all.length > 1)
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, maxOrders)
    .map(([orderId, all]) => orderTimeline(orderId, all, isShown))
    .join('\n')
}
