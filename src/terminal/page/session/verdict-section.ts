/** Verdicts: each rule with what was found, the exchanges that show it, what to do, and what its clauses say. */
import { outcomeLabel, type VerdictOutcome } from '../../../core/rules/invariants/verdict.ts'
import { htmlText } from '../html-text.ts'
import { exchangeLinks } from './exchange-links.ts'
import type { PreparedReport } from './prepare-report.ts'
import type { ReportedFinding, ReportedVerdict } from './report-content.ts'

/** In the order of the page. */
const shownOutcomes: readonly VerdictOutcome[] = [
  'failed',
  'inconclusive',
  'open',
  'passed',
  'not-exercised',
]

const classOf: Readonly<Record<VerdictOutcome, string>> = {
  failed: 'failed',
  inconclusive: 'warning',
  open: 'warning',
  passed: 'passed',
  'not-exercised': 'skipped',
}

function findingHtml(finding: ReportedFinding, prepared: PreparedReport): string {
  const { because, orderId, slot, advice, lagMs, evidence } = finding
  const order = slot ?? orderId
  const about = order === undefined || because.includes(order) ? '' : `${order}: `
  const kind = advice
    ? ' (advice)'
    : lagMs === undefined
      ? ''
      : ` (inconclusive: Sparring itself was ${Math.round(lagMs)} ms late)`
  return `<p>${htmlText(`${about}${because}${kind}`)}</p>${exchangeLinks(evidence, prepared)}`
}

function verdictItem(verdict: ReportedVerdict, prepared: PreparedReport): string {
  const { id, sentence, remedy, outcome, premises, violations, findings, clauses } = verdict
  const more = violations - findings.length
  const hasFindings = findings.length > 0
  const parts = [
    ...(verdict.follows === undefined
      ? []
      : [`<p class="facts">with ${htmlText(verdict.follows)}, which failed first</p>`]),
    ...(verdict.adviceMeaning === undefined
      ? []
      : [`<p class="facts">advice: ${htmlText(verdict.adviceMeaning)}</p>`]),
    ...findings.map((each) => findingHtml(each, prepared)),
    ...(more > 0 ? [`<p>and ${more} more</p>`] : []),
    ...(hasFindings ? [`<p class="fix">${htmlText(remedy)}</p>`] : []),
    `<p class="facts">checked ${premises === 1 ? 'once' : `${premises} times`}</p>`,
    clauses.length === 0
      ? ''
      : `<ul class="facts">${clauses.map((clause) => `<li><span class="clause">${htmlText(clause.id)}</span>${htmlText(clause.text)}</li>`).join('')}</ul>`,
  ]
  const isOpen = outcome === 'failed' && verdict.adviceMeaning === undefined ? ' open' : ''
  return `<details id="${prepared.prefix}v-${htmlText(id)}"${isOpen}><summary><span class="outcome ${classOf[outcome]}">${outcomeLabel(outcome)}</span><span class="clause">${htmlText(id)}</span>${htmlText(sentence)}</summary>${parts.join('')}</details>`
}

export function verdictSection(prepared: PreparedReport): string {
  const { verdicts, whyNoVerdicts } = prepared.report
  if (verdicts === undefined || verdicts.length === 0)
    return whyNoVerdicts === undefined
      ? ''
      : `<h2>Verdicts</h2><p class="facts">${htmlText(whyNoVerdicts)}</p>`
  const counts = shownOutcomes.flatMap((outcome) => {
    const count = verdicts.filter((each) => each.outcome === outcome).length
    return count === 0
      ? []
      : [`<li class="${classOf[outcome]}">${count} ${outcomeLabel(outcome)}</li>`]
  })
  const sorted = shownOutcomes.flatMap((outcome) =>
    verdicts.filter((each) => each.outcome === outcome),
  )
  const isLoud = ({ outcome }: ReportedVerdict): boolean =>
    outcome === 'failed' || outcome === 'inconclusive' || outcome === 'open'
  const quiet = sorted.filter((each) => !isLoud(each))
  const quietHtml =
    quiet.length === 0
      ? ''
      : `<details><summary>${quiet.length} rules that did not fail</summary><div>${quiet.map((each) => verdictItem(each, prepared)).join('')}</div></details>`
  return `<h2>Verdicts</h2><ul class="badges">${counts.join('')}</ul>${sorted
    .filter(isLoud)
    .map((each) => verdictItem(each, prepared))
    .join('\n')}${quietHtml}`
}
