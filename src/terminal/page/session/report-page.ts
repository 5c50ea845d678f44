/** The HTML report of a session, and that of scenario runs, each with the session that was played. */
import { htmlPage } from '../html-page.ts'
import { htmlText } from '../html-text.ts'
import { filterBar } from './filter-bar.ts'
import { reportStyle } from './report-style.ts'
import { type PreparedReport, prepareReport } from './prepare-report.ts'
import type { SessionReport } from './report-content.ts'
import { diagramMarkers } from './sequence-diagram.ts'
import { sessionSections } from './session-sections.ts'

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
