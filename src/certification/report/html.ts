/**
 * The report as one self-contained HTML page: a matrix by area, filters, each result with its exchanges side by side, and
 * timelines of orders. It loads nothing, and opens from a file.
 */
import { fullRoleName } from '../../protocol/role.ts'
import type { Exchange, ExchangeReply, ExchangeRequest } from '../../traffic/exchange.ts'
import { tracedExchangeLine } from '../exchange-line.ts'
import { type CheckOutcome, checkOutcomes, type CheckProblem } from '../judge-checks.ts'
import { htmlScript } from './html-script.ts'
import { htmlStyle } from './html-style.ts'
import { htmlText } from './html-text.ts'
import { htmlTimelines } from './html-timeline.ts'
import {
  areaOf,
  type CertificationReport,
  countOutcomes,
  relatedClauseText,
  type ReportedContract,
  type ReportedResult,
  resultsByArea,
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
      `<label class="${each}"><input type="checkbox" value="${each}" checked> ${outcomeNames[each]}</label>`,
  )
  return `<div class="filters"><input type="search" id="search" placeholder="words" aria-label="words"><select id="area" aria-label="area"><option value="">all areas</option>${areas.join('')}</select>${boxes.join('')}<span id="count"></span></div>`
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
  const { text, times, exchanges, isNotice } = problem
  const said = `${isNotice ? 'notice: ' : ''}${htmlText(text)}${times === undefined ? '' : ` (${times} times)`}`
  return `<p>${said}</p>${links(exchanges, targets)}${relatedClauses(problem, targets)}`
}

function resultItem(result: ReportedResult, targets: LinkTargets): string {
  const { clauses, clause, outcome, level, says, places, problems, evidence, why, remedy } = result
  const parts = [
    `<p class="facts">${level}, document ${htmlText(places.join('; '))}${result.occasions > 0 ? `, seen ${result.occasions} times` : ''}</p>`,
    ...problems.map((each) => problemItem(each, targets)),
    ...(why === undefined ? [] : [`<p>${htmlText(why)}</p>`]),
    ...(remedy === undefined ? [] : [`<p class="fix">${htmlText(remedy)}</p>`]),
    ...(evidence.length > 0 ? [`<p>shown by</p>${links(evidence, targets)}`] : []),
  ]
  const isOpen = outcome === 'failed' ? ' open' : ''
  return `<details id="${clause}" data-outcome="${outcome}" data-area="${areaOf(result)}"${isOpen}><summary><span class="outcome ${outcome}">${outcomeNames[outcome]}</span><span class="clause">${clauses.join(', ')}</span>${htmlText(says)}</summary>${parts.join('')}</details>`
}

/** Characters of a body that are shown; the recording has all. */
const maxBodyChars = 20_000

function bodyText(body: string | undefined): string {
  if (body === undefined) return ''
  let shown = body
  try {
    shown = JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // It is shown as it is.
  }
  return shown.length > maxBodyChars
    ? `${shown.slice(0, maxBodyChars)}… (${shown.length} characters)`
    : shown
}

const messageText = (
  head: string,
  { headers, body }: Pick<ExchangeRequest | ExchangeReply, 'headers' | 'body'>,
): string =>
  htmlText(
    [head, ...headers.map(([name, value]) => `${name}: ${value}`), '', bodyText(body)]
      .join('\n')
      .trimEnd(),
  )

function exchangeItem(exchange: Exchange, step: string | undefined): string {
  const { seq, request, reply, failure, tookMs } = exchange
  const answer = reply
    ? messageText(String(reply.status), reply)
    : htmlText(`no reply: ${failure?.code ?? ''} ${failure?.message ?? ''}`)
  const about = step === undefined ? '' : ` <span class="facts">${htmlText(step)}</span>`
  return `<details id="x${seq}"><summary><code>${htmlText(tracedExchangeLine(exchange))}</code>${about}</summary><div class="sides"><div><h4>request</h4><pre>${messageText(`${request.method} ${request.url}`, request)}</pre></div><div><h4>reply after ${Math.round(tookMs)} ms</h4><pre>${answer}</pre></div></div></details>`
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
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(title)}</title><style>${htmlStyle}</style></head><body>
<h1>${htmlText(title)}</h1>
<p class="facts">${htmlText(startedAt)}, ${(tookMs / 1000).toFixed(0)} s, sparring ${htmlText(product.version)}, capabilities ${report.capabilities.join(', ')}, seed ${report.seed}</p>
${report.halted === undefined ? '' : `<p class="failed">It ended before its time: ${htmlText(report.halted)}</p>`}
${matrix(results)}
<h2>On the way to V2</h2>
${report.speaks === 'v1' ? '<p class="facts">Met in V1.</p>' : ''}
${migrationTable(report.migration)}
<h2>Clauses</h2>
${filters(results)}
<div id="results">
${results.map((each) => resultItem(each, targets)).join('\n')}
</div>
${contractsText(report.contracts ?? [])}
<h2>Procedures</h2>
${list(procedures.map(({ name, about, skipped }) => `<code>${htmlText(name)}</code> ${htmlText(about)}${skipped === undefined ? '' : `: skipped, ${htmlText(skipped)}`}`))}
${leftovers.length === 0 ? '' : `<h2>Stays at the service</h2>${list(leftovers.map(htmlText))}`}
${timelines === '' ? '' : `<h2>Orders along time</h2><p class="facts">calls to the service blue, of the service purple, refused or failed red</p>${timelines}`}
<h2>Exchanges</h2>
<div id="exchanges">
${shown.map((each) => exchangeItem(each, steps[each.seq])).join('\n')}
</div>
<script>${htmlScript}</script>
</body></html>
`
}
