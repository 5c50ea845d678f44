/** The HTML report of a session, and that of scenario runs, each with the session that was played. */
import { htmlPage } from '../html-page.ts'
import { htmlText } from '../html-text.ts'
import { type PreparedReport, prepareReport } from './prepare-report.ts'
import type { ReportedFinding, ReportedVerdict, SessionReport } from './report-content.ts'
import { diagramMarkers, sequenceDiagram } from './sequence-diagram.ts'
import { fullRoleName } from '../../../core/protocol/role.ts'
import { exchangeNotes, exchangeTitle, hasFailed } from './exchange-text.ts'
import { pluralise, shortened, timesText } from '../../../core/protocol/count-text.ts'
import { orderSections } from './order-sections.ts'
import { clockOf } from '../../../core/engine/instant.ts'
import { type FoldedExchange, idlePollsText } from './fold-polls.ts'
import { htmlMessages, maxShownBodyChars } from '../message-text.ts'
import { outcomeLabel, type VerdictOutcome } from '../../../core/rules/invariants/verdict.ts'

// The sections of a session's report: what it was, verdicts, failures, faults, orders, sequence and
// exchanges.

// Links to exchanges and to their arrows in the sequence.

/** Exchanges that are named in one place at most. */
const maxLinks = 12

/** A list of exchanges, each with a link to it and to its place in the sequence. */
function exchangeLinks(
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

// Verdicts: each rule with what was found, the exchanges that show it, what to do, and what its
// clauses say.

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
  const { because, orderId, slot, advice, lagMs, setting, evidence } = finding
  const order = slot ?? orderId
  const about = order === undefined || because.includes(order) ? '' : `${order}: `
  const kind = advice
    ? ' (advice)'
    : lagMs === undefined
      ? setting
        ? ' (inconclusive: the setting cannot be used)'
        : ''
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

function verdictSection(prepared: PreparedReport): string {
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

// Faults with the exchanges that they distorted, and failures that the traffic shows by itself.

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

function faultSection(prepared: PreparedReport): string {
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

function failureSection(prepared: PreparedReport): string {
  const { failures } = prepared.report
  if (failures.length === 0) return ''
  const items = failures.map(
    ({ text, count, exchanges }) =>
      `<details><summary><span class="failed">${htmlText(text)}</span>${count > 1 ? ` <span class="facts">${timesText(count)}</span>` : ''}</summary>${exchangeLinks(exchanges, prepared)}</details>`,
  )
  return `<h2>Failures in the traffic</h2>${listHtml(items, 'failures')}`
}

/** The exchanges of a page, each with request and reply side by side. */
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

function exchangeSection(prepared: PreparedReport): string {
  const { rows, maxBodyChars: maxChars } = prepared
  const note =
    maxChars < maxShownBodyChars
      ? `<p class="facts">Of each body, the first ${maxChars} characters.</p>`
      : ''
  return `<h2>Exchanges</h2>${note}<div class="rows">${rows.map((each) => rowHtml(each, prepared)).join('\n')}</div>`
}

// The sequence of a session: one diagram, or several one below the other that are folded by time.

/** Calls of one diagram at most. */
const maxCalls = 100

function chunksOf(rows: readonly FoldedExchange[]): readonly (readonly FoldedExchange[])[] {
  const chunks: (readonly FoldedExchange[])[] = []
  for (let from = 0; from < rows.length; from += maxCalls)
    chunks.push(rows.slice(from, from + maxCalls))
  return chunks
}

function sequenceSections({ rows, hrefOf, arrowIdOf, slotOf }: PreparedReport): string {
  const chunks = chunksOf(rows)
  const diagrams = chunks.map((chunk) => {
    const [first, last] = [chunk[0], chunk.at(-1)]
    if (!first || !last) return ''
    const span = `${clockOf(first.exchange.startedAt)} to ${clockOf(last.last.startedAt)}`
    const range = `#${first.exchange.seq} to #${last.last.seq}`
    const diagram = sequenceDiagram(chunk, {
      hrefOf,
      idOf: arrowIdOf,
      labelOf: slotOf,
      about: `sequence of ${range}`,
    })
    const isOpen = chunks.length === 1 && chunk.length <= 40 ? ' open' : ''
    return `<details${isOpen}><summary>${span} <span class="facts">${range}</span></summary>${diagram}</details>`
  })
  return diagrams.length === 0 ? '' : `<h2>Sequence</h2>${diagrams.join('\n')}`
}

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

function sessionSections(prepared: PreparedReport, filters: string): string {
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

// The filters of a report: by order, role, operation, failure and words.

/** Orders that can be chosen at most; words find any. */
const maxOrderChoices = 300

const option = (value: string, text: string): string =>
  `<option value="${htmlText(value)}">${htmlText(text)}</option>`

function filterBar(reports: readonly PreparedReport[]): string {
  const exchanges = reports.flatMap(({ rows }) => rows.map(({ exchange }) => exchange))
  const roles = [...new Set(exchanges.flatMap(({ from, to }) => [from.role, to.role]))]
  const operations = [...new Set(exchanges.flatMap(({ operation }) => operation ?? []))].toSorted()
  const orders = reports.flatMap(({ orders: own }) => own).slice(0, maxOrderChoices)
  const select = (name: string, all: string, options: readonly string[]): string =>
    options.length < 2
      ? ''
      : `<select data-filter="${name}" aria-label="${name}"><option value="">${all}</option>${options.join('')}</select>`
  return [
    '<div class="filters" role="search">',
    '<input type="search" id="search" placeholder="words ( / )" aria-label="words">',
    select(
      'order',
      'all orders',
      orders.map(({ key, name }) => option(key, shortened(name, 60))),
    ),
    select(
      'role',
      'all roles',
      roles.map((role) => option(role, fullRoleName[role])),
    ),
    select(
      'operation',
      'all operations',
      operations.map((each) => option(each, each)),
    ),
    '<label><input type="checkbox" data-only="failed"> failed only</label>',
    '<span id="count" role="status"></span></div>',
  ].join('')
}

/** Style sheet of the report of a session, after that of all pages. */
const reportStyle = `
.about { display: grid; gap: .1rem .75rem; grid-template-columns: minmax(0, max-content) minmax(50%, 1fr); margin: .5rem 0; } .about dt { color: var(--dim); } .about dd { margin: 0; }
.badges { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .5rem 0; padding: 0; }
.order, .rows > details { content-visibility: auto; contain-intrinsic-size: auto 2.2rem; }
.rows summary code { overflow-wrap: anywhere; } .rows summary .failed, .rows summary .warning { font-weight: 600; }
.notes { color: var(--warn); margin: 0; } .conclusion { margin: .25rem 0; }
.failure { border-left: 3px solid var(--bad); margin: .5rem 0; padding-left: .6rem; }
table.runs td { text-align: left; } table.runs td:nth-child(2) { overflow-wrap: normal; } table.runs th { text-align: left; }
details.run { border: 1px solid var(--line); margin: .75rem 0; padding: 0 .75rem; } details.run > :not(summary) { margin-left: 0; }
svg.markers { position: absolute; }
svg.diagram .side { font-weight: 600; } svg.diagram .clock, svg.diagram .note { fill: var(--dim); } svg.diagram .silent { fill: var(--warn); } svg.diagram a { text-decoration: none; }
svg.diagram .arrow line, svg.diagram .arrow path { stroke: var(--tone); stroke-width: 1.4; } svg.diagram .arrow > text { fill: var(--tone); } svg.diagram .arrow > .note { fill: var(--warn); }
svg.diagram .arrow .hit { stroke: transparent; stroke-width: 14; } svg.diagram .back, svg.diagram .read line:not(.hit) { stroke-dasharray: 4 3; }
.arrow { --tone: var(--to); } .arrow.call, .arrow.read { --tone: var(--from); } .arrow.odd { --tone: var(--warn); } .arrow.bad { --tone: var(--bad); } .arrow.bad .mark { font-size: 14px; font-weight: 700; }
svg.diagram a:hover .arrow line:not(.hit), svg.diagram a:focus .arrow line:not(.hit), svg.diagram :target .arrow line:not(.hit) { stroke-width: 3; }
.off { opacity: .12; }
@media (max-width: 700px) { .about { grid-template-columns: 1fr; } .about dd { margin-bottom: .25rem; } }
@media print { .order, .rows > details { content-visibility: visible; } }
`

export interface SessionPageOptions {
  readonly title: string
  /** Exchanges that the page has at most. */
  readonly limit: number
}

/** Exchanges of a page by default. */
export const defaultPageExchanges = 2000

export function sessionPage(report: SessionReport, { title, limit }: SessionPageOptions): string {
  const prepared = prepareReport(report, { limit, sessions: 1, prefix: '' })
  return htmlPage({
    title,
    style: reportStyle,
    body: [diagramMarkers, sessionSections(prepared, filterBar([prepared]))].join('\n'),
  })
}

/** One scenario run of a page. */
export interface ReportedRun {
  readonly title: string
  readonly result: 'passed' | 'failed' | 'inconclusive' | 'skipped' | 'stopped'
  /** Names and values: the file, the seed, how long it took, the command that runs it again. */
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** What failed, each as a text of several lines. */
  readonly failures: readonly string[]
  readonly steps: readonly { readonly text: string; readonly result: string }[]
  /** The session of the run; absent where none was played. */
  readonly session?: SessionReport
}

export interface RunsPage {
  readonly title: string
  /** How many runs passed and failed, in one line. */
  readonly summary: string
  /** What is to be said about all runs, as sentences. */
  readonly notes: readonly string[]
  readonly runs: readonly ReportedRun[]
}

const factsList = (facts: ReportedRun['facts']): string =>
  `<dl class="about">${facts.map(([name, text]) => `<dt>${htmlText(name)}</dt><dd>${htmlText(text)}</dd>`).join('')}</dl>`

function runsTable(runs: readonly ReportedRun[]): string {
  const rows = runs.map(
    ({ title, result, failures }, index) =>
      `<tr><td><a href="#run${index + 1}">${htmlText(title)}</a></td><td class="${classOfResult[result]}">${result}</td><td>${failures.length === 0 ? '' : htmlText(failures[0]?.split('\n')[0] ?? '')}</td></tr>`,
  )
  return `<div class="scroll"><table class="runs"><thead><tr><th>run</th><th>result</th><th>why</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

const classOfResult: Readonly<Record<ReportedRun['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  inconclusive: 'warning',
  skipped: 'skipped',
  stopped: 'warning',
}

function runSection(run: ReportedRun, index: number, prepared: PreparedReport | undefined): string {
  const { title, result, facts, failures, steps } = run
  const failed = failures.map((each) => `<pre class="failure">${htmlText(each)}</pre>`).join('')
  const done = steps.map(
    (step) =>
      `<li class="${step.result === 'done' ? '' : step.result}">${htmlText(step.text)}</li>`,
  )
  const stepList =
    done.length === 0
      ? ''
      : `<details><summary>${done.length} steps</summary><ol>${done.join('')}</ol></details>`
  return `<details class="run" id="run${index + 1}"${result === 'failed' ? ' open' : ''}><summary><span class="outcome ${classOfResult[result]}">${result}</span>${htmlText(title)}</summary><div>${factsList(facts)}${failed}${stepList}${prepared === undefined ? '' : sessionSections(prepared, '')}</div></details>`
}

export function runsPage(
  { title, summary, notes, runs }: RunsPage,
  limit = defaultPageExchanges,
): string {
  const played = runs.filter(({ session }) => session !== undefined).length
  // Failed runs get what they need; the others share the rest.
  const share = Math.max(50, Math.floor(limit / Math.max(1, played)))
  const prepared = runs.map(
    ({ session }, index) =>
      session &&
      prepareReport(session, { limit: share, sessions: played, prefix: `r${index + 1}-` }),
  )
  const bar = filterBar(prepared.filter((each) => each !== undefined))
  return htmlPage({
    title,
    style: reportStyle,
    body: [
      diagramMarkers,
      `<p class="facts">${htmlText(summary)}</p>`,
      ...notes.map((each) => `<p class="failed">${htmlText(each)}</p>`),
      runsTable(runs),
      bar,
      ...runs.map((run, index) => runSection(run, index, prepared[index])),
    ].join('\n'),
  })
}
