/** Orders: the timeline of the two views of each, its conclusions, and the sequence of its calls. */
import { clockOf, type Instant } from '../../../core/engine/instant.ts'
import { pluralise, shortened } from '../../../core/protocol/count-text.ts'
import { fullRoleName, type Role } from '../../../core/protocol/role.ts'
import { htmlText } from '../html-text.ts'
import { elapsedText, hasFailed } from './exchange-text.ts'
import type { PreparedOrder, PreparedReport } from './prepare-report.ts'
import { namedExchanges } from './select-exchanges.ts'
import { sequenceDiagram } from './sequence-diagram.ts'
import { type OrderStatus, orderStatuses } from '../../../core/protocol/orders/order.ts'
import type { StoryStep } from '../../../core/session-api/session-api.ts'
import type { CallArrow, EventArrow, OrderViewPair } from './order-views.ts'

// The timeline of an order, drawn as SVG: time runs downwards, the originator's view stands left
// and the receiver's right, events go across, and one that was long in transit is slanted. Gaps are
// shortened: only their order and rough length show.

/** Events and calls of one order that are drawn at most. */
const maxArrows = 120

const [leftX, rightX, barWidth, top, width] = [260, 660, 10, 52, 860]
/** Pixels between two instants at least and at most. */
const [minGap, maxGap] = [14, 64]

/** Place of each instant: a gap takes more room the longer it is, by its logarithm. */
export function placesOfInstants(instants: readonly Instant[]): ReadonlyMap<Instant, number> {
  const places = new Map<Instant, number>()
  let y = top
  let last: Instant | undefined
  for (const at of [...new Set(instants)].toSorted((one, other) => one - other)) {
    if (last !== undefined)
      y += Math.min(maxGap, minGap + 12 * Math.log10(1 + Math.max(0, at - last) / 50))
    places.set(at, Math.round(y))
    last = at
  }
  return places
}

/** A colour of its own for each status; its name stands beside it. */
const hueOf = (status: OrderStatus): number =>
  Math.round((orderStatuses.indexOf(status) * 360) / orderStatuses.length)

interface Sheet {
  readonly yOf: (at: Instant) => number
  readonly bottom: number
  readonly link: (seq: number, content: string) => string
  /** Statuses of the events that came. */
  readonly announced: ReadonlySet<OrderStatus>
}

/** The statuses of one side as coloured pieces of a bar, each until the next, with their names outside. */
function statusBar(
  steps: readonly StoryStep[],
  side: 'left' | 'right',
  { yOf, bottom, link, announced }: Sheet,
): string {
  const x = side === 'left' ? leftX : rightX
  const [textX, anchor] = side === 'left' ? [x - 12, 'end'] : [x + barWidth + 12, 'start']
  let labelY = 0
  const pieces = steps.map(({ status, at, exchange }, index) => {
    const y = yOf(at)
    const next = steps[index + 1]
    const end = next ? yOf(next.at) : bottom
    labelY = Math.max(y + 4, labelY + 13)
    const isSilent = side === 'left' && announced.size > 0 && !announced.has(status)
    const label = isSilent ? `${status}, no event came` : status
    const text = `<text${isSilent ? ' class="silent"' : ''} x="${textX}" y="${labelY}" text-anchor="${anchor}">${label}<title>${status} since ${clockOf(at)}</title></text>`
    const linked = exchange === undefined ? text : link(exchange, text)
    return `<rect x="${x}" y="${y}" width="${barWidth}" height="${Math.max(2, end - y)}" fill="hsl(${hueOf(status)} 55% 55%)"/>${linked}`
  })
  return `<line x1="${x + barWidth / 2}" x2="${x + barWidth / 2}" y1="${top - 14}" y2="${bottom}"/>${pieces.join('')}`
}

function eventArrow(
  { eventType, createdAt, at, exchange, isLost, isLate, time }: EventArrow,
  { yOf, link }: Sheet,
): string {
  const [x1, x2] = [leftX + barWidth, isLost ? (leftX + rightX) / 2 : rightX]
  // Come again, it is drawn from where it went out again: only its first way is slanted.
  const [y1, y2] = [yOf(time > 1 || createdAt === undefined ? at : createdAt), yOf(at)]
  const lag = createdAt === undefined ? undefined : at - createdAt
  const notes = [
    ...(time > 1 ? [`time ${time}`] : []),
    ...(isLost ? ['lost'] : []),
    ...(isLate && lag !== undefined ? [`late, ${elapsedText(Math.max(0, lag))}`] : []),
  ]
  const label = [eventType || 'event', ...(notes.length > 0 ? [`(${notes.join(', ')})`] : [])]
  const style = isLost ? 'bad' : isLate || time > 1 ? 'odd' : 'event'
  const [labelX, labelY] = [x1 + (x2 - x1) * 0.3, y1 + (y2 - y1) * 0.3 - 4]
  const title = `#${exchange} ${label.join(' ')}${lag === undefined ? '' : `, ${elapsedText(Math.max(0, lag))} under way`}`
  const end = isLost
    ? `<text class="mark" x="${x2}" y="${y2 + 4}" text-anchor="middle">✕</text>`
    : ''
  return link(
    exchange,
    `<g class="arrow ${style}"><title>${htmlText(title)}</title><line class="hit" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/><line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"${isLost ? '' : ' marker-end="url(#head)"'}/>${end}<text x="${Math.round(labelX)}" y="${Math.round(labelY)}">${htmlText(shortened(label.join(' '), 52))}</text></g>`,
  )
}

function callArrow({ kind, name, began, exchange, end, isFailed }: CallArrow, sheet: Sheet) {
  const y = sheet.yOf(began)
  const [x1, x2] = [rightX, leftX + barWidth]
  const style = isFailed ? 'bad' : kind
  const text = `${name} ${end}`
  return sheet.link(
    exchange,
    `<g class="arrow ${style}"><title>${htmlText(`#${exchange} ${text}`)}</title><line class="hit" x1="${x1}" y1="${y}" x2="${x2}" y2="${y}"/><line x1="${x1}" y1="${y}" x2="${x2}" y2="${y}" marker-end="url(#head)"/><text x="${x1 - 16}" y="${y - 4}" text-anchor="end">${htmlText(shortened(text, 44))}</text></g>`,
  )
}

/** Names of the two sides: who they are, and who plays them. */
interface SideNames {
  readonly host: string
  readonly other: string
}

/**
 * `hrefOf` gives the address of an exchange on the page; undefined for one that is not on it. The arrow head is a marker of
 * the page, `diagramMarkers`.
 */
export function timelineDiagram(
  { orderId, host, known, events, calls }: OrderViewPair,
  names: SideNames,
  hrefOf: (seq: number) => string | undefined,
): string {
  const drawn = [
    ...events.map((event) => ({ at: event.createdAt ?? event.at, event })),
    ...calls.map((call) => ({ at: call.began, call })),
  ].toSorted((one, other) => one.at - other.at)
  const shown = drawn.slice(0, maxArrows)
  const instants = [
    ...[...host, ...known].map(({ at }) => at),
    ...shown.flatMap((each) =>
      'event' in each
        ? [each.event.at, ...(each.event.createdAt === undefined ? [] : [each.event.createdAt])]
        : [each.call.began],
    ),
  ]
  if (instants.length === 0) return ''
  const places = placesOfInstants(instants)
  const bottom = Math.max(...places.values()) + 30
  const announced = new Set(
    events.flatMap(({ isLost, status }) => (isLost || status === undefined ? [] : [status])),
  )
  const sheet: Sheet = {
    announced,
    yOf: (at) => places.get(at) ?? top,
    bottom,
    link(seq, content) {
      const href = hrefOf(seq)
      return href === undefined ? content : `<a href="#${href}" data-of="${href}">${content}</a>`
    },
  }
  const clocks: string[] = []
  let clockY = Number.NEGATIVE_INFINITY
  for (const [at, y] of places) {
    if (y < clockY + 13) continue
    clockY = y
    clocks.push(`<text class="clock" x="4" y="${y + 4}">${clockOf(at)}</text>`)
  }
  const left = drawn.length - shown.length
  const more = left > 0 ? `<p class="facts">${left} later events and calls are not drawn</p>` : ''
  const arrows = shown.map((each) =>
    'event' in each ? eventArrow(each.event, sheet) : callArrow(each.call, sheet),
  )
  return `<div class="scroll"><svg class="diagram" width="${width}" height="${bottom + 10}" viewBox="0 0 ${width} ${bottom + 10}" role="group" aria-label="two views of order ${htmlText(orderId)}"><text class="side" x="${leftX + barWidth}" y="16" text-anchor="end">${htmlText(names.host)}</text><text class="side" x="${rightX}" y="16">${htmlText(names.other)}</text>${clocks.join('')}${statusBar(host, 'left', sheet)}${statusBar(known, 'right', sheet)}${arrows.join('')}</svg></div>${more}`
}

/** Orders that are drawn at most: those with trouble, then those with the most exchanges. */
const maxDrawnOrders = 60
/** Orders that are open when the page opens. */
const openOrders = 2
/** Arrows of the sequence of one order at most; that of the session has them all. */
const maxOrderArrows = 120

function sideName(role: Role, { report: { exchanges } }: PreparedReport): string {
  const isSubject = exchanges.some(({ from, to }) =>
    [from, to].some((each) => each.role === role && each.party === 'subject'),
  )
  return `${fullRoleName[role]}${isSubject ? ' (your service)' : ''}`
}

function orderHtml(prepared: PreparedReport, each: PreparedOrder, isOpen: boolean): string {
  const { key, name, order, views } = each
  const { explanation, title } = order
  const own = new Set(views.exchanges)
  const rows = prepared.rows.filter(({ exchange }) => own.has(exchange.seq))
  const names = {
    host: sideName('ordering-application', prepared),
    other: sideName('software-service', prepared),
  }
  const hasViews = views.host.length + views.known.length + views.events.length > 0
  const timeline = hasViews ? timelineDiagram(views, names, prepared.hrefOf) : ''
  const hasSequence = prepared.orders.length > 1 || prepared.rows.length > 100
  const sequence = hasSequence
    ? sequenceDiagram(rows.slice(0, maxOrderArrows), {
        hrefOf: prepared.hrefOf,
        about: `sequence of order ${views.orderId}`,
      })
    : ''
  const left = rows.length - maxOrderArrows
  const sentences = [
    ...(explanation?.conclusion ?? []),
    ...(explanation?.splits ?? []).map(
      ({ from, text, because }) => `${clockOf(from)} ${text}: ${because}.`,
    ),
  ].map((sentence) => `<p class="conclusion">${htmlText(sentence)}</p>`)
  const parts = [
    ...sentences,
    timeline,
    sequence === '' ? '' : `<h3>Its calls</h3>${sequence}`,
    sequence !== '' && left > 0
      ? `<p class="facts">${left} later calls are in the sequence of the session</p>`
      : '',
  ]
  const status = views.host.at(-1)?.status
  const about = title === undefined ? (status ?? '') : title
  return `<details class="order" data-item data-order="${key}" id="${key}"${isOpen ? ' open' : ''}><summary><code>${htmlText(name)}</code> ${htmlText(about)} <span class="facts">${pluralise(views.exchanges.length, 'exchange')}</span></summary><div>${parts.join('')}</div></details>`
}

export function orderSections(prepared: PreparedReport): string {
  const { orders } = prepared
  if (orders.length === 0) return ''
  const named = namedExchanges(prepared.report)
  const isTroubled = (seq: number): boolean => {
    const exchange = prepared.exchangeOf(seq)
    return named.has(seq) || (exchange !== undefined && hasFailed(exchange))
  }
  const ranked = orders
    .map((each, index) => ({
      each,
      index,
      trouble: each.views.exchanges.filter(isTroubled).length,
      size: each.views.exchanges.length,
    }))
    .toSorted((one, other) => other.trouble - one.trouble || other.size - one.size)
  const open = new Set(ranked.slice(0, openOrders).map(({ each }) => each.key))
  const drawn = ranked.slice(0, maxDrawnOrders).toSorted((one, other) => one.index - other.index)
  const left = orders.length - drawn.length
  const note =
    left > 0
      ? `<p class="facts">${pluralise(left, 'order')} without trouble, or with fewer exchanges, are not drawn: choose one on the command line with --order</p>`
      : ''
  return `<h2>Orders</h2><p class="facts">time runs downwards; left what the originator had, right what the receiver knew; events go across, slanted when they came late</p>${drawn.map(({ each }) => orderHtml(prepared, each, open.has(each.key))).join('\n')}${note}`
}
