/** Orders: the timeline of the two views of each, its conclusions, and the sequence of its calls. */
import { clockOf } from '../../../core/engine/instant.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { fullRoleName, type Role } from '../../../core/protocol/role.ts'
import { htmlText } from '../html-text.ts'
import { hasFailed } from './exchange-text.ts'
import type { PreparedOrder, PreparedReport } from './prepare-report.ts'
import { namedExchanges } from './select-exchanges.ts'
import { sequenceDiagram } from './sequence-diagram.ts'
import { timelineDiagram } from './timeline-diagram.ts'

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
      ({ from, text, because }) => `${clockOf(Math.floor(from))} ${text}: ${because}.`,
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
