/** Faults with the exchanges that they distorted, and failures that the traffic shows by itself. */
import { timesText } from '../../../core/protocol/count-text.ts'
import { htmlText } from '../html-text.ts'
import { exchangeLinks } from './exchange-links.ts'
import type { PreparedReport } from './prepare-report.ts'

/** Faults and failures that are listed at most. */
const maxListed = 100

/** The list with a sentence about those that are too many. */
const listHtml = (items: readonly string[], what: string): string =>
  [
    ...items.slice(0, maxListed),
    ...(items.length > maxListed
      ? [`<p class="facts">and ${items.length - maxListed} more ${what}</p>`]
      : []),
  ].join('\n')

export function faultSection(prepared: PreparedReport): string {
  const { faults } = prepared.report
  if (faults.length === 0) return ''
  const items = faults.map(({ text, fired, isOver, exchanges }) => {
    const how = `fired ${timesText(fired)}${isOver ? ', over' : ''}`
    const summary = `<code>${htmlText(text)}</code> <span class="facts">${how}</span>`
    return exchanges.length === 0
      ? `<p>${summary}</p>`
      : `<details><summary>${summary}</summary>${exchangeLinks(exchanges, prepared)}</details>`
  })
  return `<h2>Faults</h2>${listHtml(items, 'faults')}`
}

export function failureSection(prepared: PreparedReport): string {
  const { failures } = prepared.report
  if (failures.length === 0) return ''
  const items = failures.map(
    ({ text, count, exchanges }) =>
      `<details><summary><span class="failed">${htmlText(text)}</span>${count > 1 ? ` <span class="facts">${timesText(count)}</span>` : ''}</summary>${exchangeLinks(exchanges, prepared)}</details>`,
  )
  return `<h2>Failures in the traffic</h2>${listHtml(items, 'failures')}`
}
