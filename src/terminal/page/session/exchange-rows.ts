/** The exchanges of a page, each with request and reply side by side. */
import { htmlText } from '../html-text.ts'
import { htmlMessages, maxShownBodyChars } from '../message-text.ts'
import { exchangeNotes, exchangeTitle, hasFailed } from './exchange-text.ts'
import { type FoldedExchange, idlePollsText } from './fold-polls.ts'
import type { PreparedReport } from './prepare-report.ts'

function rowHtml(folded: FoldedExchange, prepared: PreparedReport): string {
  const { exchange, times } = folded
  const { seq, from, to, operation } = exchange
  const orders = prepared.ordersOf(seq)
  const notes = exchangeNotes(exchange)
  const isFailed = hasFailed(exchange)
  const attributes = [
    `id="${prepared.hrefOf(seq)}"`,
    'data-item data-searched',
    `data-order="${orders.map(({ key }) => key).join(' ')}"`,
    `data-role="${from.role} ${to.role}"`,
    `data-operation="${operation ?? ''}"`,
    ...(isFailed ? ['data-failed'] : []),
  ]
  const title = times > 1 ? idlePollsText(folded) : exchangeTitle(exchange)
  const tone = isFailed ? ' class="failed"' : notes.length > 0 ? ' class="warning"' : ''
  const about = orders
    .slice(0, 3)
    .map(
      ({ order: { slot, orderId }, key }) => `<a href="#${key}">${htmlText(slot ?? orderId)}</a>`,
    )
  const noteHtml = notes.length === 0 ? '' : `<p class="notes">${htmlText(notes.join('; '))}</p>`
  return `<details ${attributes.join(' ')}><summary><code${tone}>${htmlText(title)}</code></summary><div>${noteHtml}<p class="facts">${[...(operation === undefined ? [] : [operation]), ...about, `<a href="#${prepared.arrowIdOf(seq)}">in the sequence</a>`].join(', ')}</p>${htmlMessages(exchange, prepared.maxBodyChars)}</div></details>`
}

export function exchangeSection(prepared: PreparedReport): string {
  const { rows, maxBodyChars: maxChars } = prepared
  const note =
    maxChars < maxShownBodyChars
      ? `<p class="facts">Of each body, the first ${maxChars} characters.</p>`
      : ''
  return `<h2>Exchanges</h2>${note}<div class="rows">${rows.map((each) => rowHtml(each, prepared)).join('\n')}</div>`
}
