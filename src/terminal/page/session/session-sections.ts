/** The sections of a session's report: what it was, verdicts, failures, faults, orders, sequence and exchanges. */
import { pluralise } from '../../../core/protocol/count-text.ts'
import { htmlText } from '../html-text.ts'
import { exchangeSection } from './exchange-rows.ts'
import { faultSection, failureSection } from './fault-sections.ts'
import { orderSections } from './order-sections.ts'
import type { PreparedReport } from './prepare-report.ts'
import { sequenceSections } from './sequence-sections.ts'
import { verdictSection } from './verdict-section.ts'

function amountText({ report: { amount }, leftOut, rows }: PreparedReport): string {
  const { all, chosen, remedies } = amount
  if (chosen === all && leftOut === 0) return ''
  const parts = [
    ...(chosen < all ? [`${chosen} of ${pluralise(all, 'exchange')} were chosen`] : []),
    ...(leftOut > 0
      ? [
          `${pluralise(leftOut, 'exchange')} of ${chosen} are left out of the page, which shows ${rows.length}: failed ones, those with faults and those that verdicts name come first, with the orders that they are about`,
        ]
      : []),
    ...remedies,
  ]
  return `<p class="warning">${parts.map((each) => `${htmlText(each)}.`).join(' ')}</p>`
}

export function sessionSections(prepared: PreparedReport, filters: string): string {
  const { report } = prepared
  const facts = report.facts.map(
    ([name, text]) => `<dt>${htmlText(name)}</dt><dd>${htmlText(text)}</dd>`,
  )
  return [
    `<dl class="about">${facts.join('')}</dl>`,
    amountText(prepared),
    verdictSection(prepared),
    failureSection(prepared),
    faultSection(prepared),
    filters,
    orderSections(prepared),
    sequenceSections(prepared),
    exchangeSection(prepared),
  ].join('\n')
}
