/** Links to exchanges and to their arrows in the sequence. */
import { exchangeTitle } from './exchange-text.ts'
import { htmlText } from '../html-text.ts'
import type { PreparedReport } from './prepare-report.ts'

/** Exchanges that are named in one place at most. */
const maxLinks = 12

/** A list of exchanges, each with a link to it and to its place in the sequence. */
export function exchangeLinks(
  seqs: readonly number[],
  { hrefOf, arrowIdOf, exchangeOf }: Pick<PreparedReport, 'hrefOf' | 'arrowIdOf' | 'exchangeOf'>,
): string {
  if (seqs.length === 0) return ''
  const items = seqs.slice(0, maxLinks).map((seq) => {
    const exchange = exchangeOf(seq)
    const href = hrefOf(seq)
    const text = `<code>${exchange ? htmlText(exchangeTitle(exchange)) : `#${seq}`}</code>`
    return href === undefined
      ? `<li>${text} (not on this page)</li>`
      : `<li><a href="#${href}">${text}</a> <a href="#${arrowIdOf(seq)}">in the sequence</a></li>`
  })
  const more = seqs.length > maxLinks ? `<li>and ${seqs.length - maxLinks} more</li>` : ''
  return `<ul>${items.join('')}${more}</ul>`
}
