/**
 * The report as one self-contained HTML page: a matrix by area, filters, each result with its exchanges side by side, and
 * timelines of orders. It loads nothing, and opens from a file.
 */
import { fullRoleName } from '../../core/protocol/role.ts'
import { htmlPage } from '../../terminal/page/html-page.ts'
import { htmlText } from '../../terminal/page/html-text.ts'
import { htmlMessages } from '../../terminal/page/message-text.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { tracedExchangeLine } from '../judge/exchange-line.ts'
import { type CheckOutcome, checkOutcomes, type CheckProblem } from '../judge/judge-checks.ts'
import { htmlTimelines } from './html-timeline.ts'
import {
  areaOf,
  byAttention,
  type CertificationReport,
  countOutcomes,
  isCertified,
  outcomeCountsText,
  relatedClauseText,
  type ReportedContract,
  type ReportedResult,
  resultsByArea,
  verdictText,
  wrongFirst,
} from './report.ts'

const areaNames: Readonly<Record<string, string>> = {
  AUT: 'Authentication',
  CONTRACT: 'Your OpenAPI documents',
  CUS: 'Customer',
  DIS: 'Discovery',
  IND: 'Indoor',
  LIM: 'Limits',
  LOG: 'Logistics',
  LOY: 'Loyalty',
  MIG: 'Migration from V1',
  ORD: 'Orders',
  REV: 'Reviews',
  TRN: 'Transport and errors',
}

const outcomeNames: Readonly<Record<CheckOutcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  warning: 'warning',
  skipped: 'skipped',
  attestation: 'to attest',
}

function matrix(results: readonly ReportedResult[]): string {
  const head = checkOutcomes
    .map((each) => `<th class="${each}">${outcomeNames[each]}</th>`)
    .join('')
  const rows = Array.from(resultsByArea(results), ([area, ofArea]) => {
    const counts = countOutcomes(ofArea)
    const cells = checkOutcomes
      .map((each) => `<td${counts[each] > 0 ? ` class="${each}"` : ''}>${counts[each] || ''}</td>`)
      .join('')
    return `<tr><td>${area} ${areaNames[area] ?? ''}</td>${cells}</tr>`
  })
  return `<div class="scroll"><table><thead><tr><th>area</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function filters(results: readonly ReportedResult[]): string {
  const areas = [...resultsByArea(results).keys()].map(
    (area) => `<option value="${area}">${area} ${areaNames[area] ?? ''}</option>`,
  )
  const boxes = checkOutcomes.map(
    (each) =>
      `<label class="${each}"><input type="checkbox" data-filter="outcome" value="${each}" checked> ${outcomeNames[each]}</label>`,
  )
  return `<div class="filters"><input type="search" id="search" placeholder="words" aria-label="words"><select id="area" data-filter="area" aria-label="area"><option value="">all areas</option>${areas.join('')}</select>${boxes.join('')}<span id="count"></span></div>`
}

/** What links of the page lead to. */
interface LinkTargets {
  readonly exchanges: ReadonlyMap<number, Exchange>
  /** The first clauses of all results. */
  readonly clauses: ReadonlySet<string>
}

const link = (seq: number, { exchanges }: LinkTargets): string => {
  const exchange = exchanges.get(seq)
  return exchange
    ? `<a href="#x${seq}"><code>${htmlText(tracedExchangeLine(exchange))}</code></a>`
    : `<code>#${seq}</code>`
}

const links = (all: readonly number[], targets: LinkTargets): string =>
  all.length === 0 ? '' : `<ul>${all.map((seq) => `<li>${link(seq, targets)}</li>`).join('')}</ul>`

function relatedClauses({ clauses = [] }: CheckProblem, targets: LinkTargets): string {
  if (clauses.length === 0) return ''
  const texts = clauses.map((each) => {
    const text = htmlText(relatedClauseText(each))
    return targets.clauses.has(each.clause) ? `<a href="#${each.clause}">${text}</a>` : text
  })
  return `<p class="facts">the clauses about it: ${texts.join(', ')}</p>`
}

function problemItem(problem: CheckProblem, targets: LinkTargets): string {
  const { text, times, isNotice } = problem
  const said = `${isNotice ? 'notice: ' : ''}${htmlText(text)}${times === undefined ? '' : ` (${times} times)`}`
  return `<p>${said}</p>${links(wrongFirst(problem), targets)}${relatedClauses(problem, targets)}`
}

function resultItem(result: ReportedResult, targets: LinkTargets): string {
  const { clauses, clause, outcome, level, says, places, problems, evidence, why, remedy, under } =
    result
  const parts = [
    `<p class="facts">${level}${places.length > 0 ? `, document ${htmlText(places.join('; '))}` : ''}${result.occasions > 0 ? `, seen ${result.occasions} times` : ''}</p>`,
    ...(under === undefined
      ? []
      : [`<p>the same mistake as under <a href="#${under}">${under}</a></p>`]),
    ...problems.map((each) => problemItem(each, targets)),
    ...(why === undefined ? [] : [`<p>${htmlText(why)}</p>`]),
    ...(remedy === undefined ? [] : [`<p class="fix">${htmlText(remedy)}</p>`]),
    ...(evidence.length > 0 ? [`<p>shown by</p>${links(evidence, targets)}`] : []),
  ]
  const isOpen = outcome === 'failed' && under === undefined ? ' open' : ''
  return `<details id="${clause}" data-item data-searched data-outcome="${outcome}" data-area="${areaOf(result)}"${isOpen}><summary><span class="outcome ${outcome}">${outcomeNames[outcome]}</span><span class="clause">${clauses.join(', ')}</span>${htmlText(says)}</summary>${parts.join('')}</details>`
}

function exchangeItem(exchange: Exchange, step: string | undefined): string {
  const about = step === undefined ? '' : ` <span class="facts">${htmlText(step)}</span>`
  return `<details id="x${exchange.seq}"><summary><code>${htmlText(tracedExchangeLine(exchange))}</code>${about}</summary>${htmlMessages(exchange)}</details>`
}

/** The steps of a migration, each with what is left to do. */
function migrationTable(steps: CertificationReport['migration']): string {
  const rows = steps.map(
    ({ name, about, state, left }, index) =>
      `<tr><td>${index + 1} ${name}: ${about}</td><td${state === 'to do' ? ' class="warning"' : state === 'done' ? ' class="passed"' : ''}>${state}</td><td>${left.map((clause) => `<a href="#${clause}">${clause}</a>`).join(' ')}</td></tr>`,
  )
  return `<div class="scroll"><table><thead><tr><th>step</th><th>state</th><th>left to do</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function contractsText(contracts: readonly ReportedContract[]): string {
  const files = contracts.flatMap((each) =>
    each.files.map(
      ({ name, sha256 }) =>
        `<li><code>${htmlText(name)}</code> ${fullRoleName[each.role]}, SHA-256 <code>${sha256}</code></li>`,
    ),
  )
  return files.length === 0 ? '' : `<h2>Contracts</h2><ul>${files.join('')}</ul>`
}

export interface HtmlReportParts {
  readonly report: CertificationReport
  readonly exchanges: ReadonlyMap<number, Exchange>
  readonly steps: Readonly<Record<number, string>>
}

export function htmlReport({ report, exchanges, steps }: HtmlReportParts): string {
  const { role, service, startedAt, tookMs, product, results, leftovers, procedures } = report
  const title = `Certification of ${service} as ${fullRoleName[role]}`
  const named = new Set(
    results.flatMap(({ evidence, problems }) => [
      ...evidence,
      ...problems.flatMap((each) => each.exchanges),
    ]),
  )
  const isShown = (seq: number): boolean => named.has(seq) || steps[seq] !== undefined
  const shown = [...exchanges.values()].filter(({ seq }) => isShown(seq))
  const targets = { exchanges, clauses: new Set(results.map(({ clause }) => clause)) }
  const timelines = htmlTimelines([...exchanges.values()], isShown)
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((each) => `<li>${each}</li>`).join('')}</ul>`
  const outcome = isCertified(report) ? 'passed' : 'failed'
  const body = `<p class="outcome ${outcome}">${verdictText(report)}: ${outcomeCountsText(report.counts)}</p>
<p class="facts">${htmlText(startedAt)}, ${(tookMs / 1000).toFixed(0)} s, sparring ${htmlText(product.version)}, capabilities ${report.capabilities.join(', ')}, seed ${report.seed}</p>
${report.halted === undefined ? '' : `<p class="failed">It ended before its time: ${htmlText(report.halted)}</p>`}
${matrix(results)}
<h2>Clauses</h2>
${filters(results)}
<div id="results">
${byAttention(results)
  .map((each) => resultItem(each, targets))
  .join('\n')}
</div>
<h2>On the way to V2</h2>
${report.speaks === 'v1' ? '<p class="facts">Met in V1.</p>' : ''}
${migrationTable(report.migration)}
${contractsText(report.contracts ?? [])}
<h2>Procedures</h2>
${list(procedures.map(({ name, about, skipped }) => `<code>${htmlText(name)}</code> ${htmlText(about)}${skipped === undefined ? '' : `: skipped, ${htmlText(skipped)}`}`))}
${leftovers.length === 0 ? '' : `<h2>Stays at the service</h2>${list(leftovers.map(htmlText))}`}
${timelines === '' ? '' : `<h2>Orders along time</h2><p class="facts">calls to the service blue, of the service purple, refused or failed red</p>${timelines}`}
<h2>Exchanges</h2>
<div id="exchanges">
${shown.map((each) => exchangeItem(each, steps[each.seq])).join('\n')}
</div>`
  return htmlPage({ title, body })
}
