/** The report of a recording: its header as facts, the failures that it shows, and what the session told at its end. */
import { isoOf } from '../../core/engine/instant.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { fullRoleName } from '../../core/protocol/role.ts'
import { elapsedText } from '../../terminal/page/session/exchange-text.ts'
import { namedExchanges } from '../../terminal/page/session/select-exchanges.ts'
import type { ReportedFailure, SessionReport } from '../../terminal/page/session/report-content.ts'
import { endOf } from '../../core/traffic/exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { listFailures } from '../../replay/minimise/failure-list.ts'
import { recordedReport } from '../../core/traffic/recording/replay-report.ts'
import { chooseExchanges } from '../../terminal/cli/report/choose-exchanges.ts'
import { reportedFaults, reportedVerdicts } from '../../terminal/cli/report/report-parts.ts'
import type { ReportOptions } from '../../terminal/cli/report/report-flags.ts'

const playerOf: Readonly<Record<string, string>> = {
  subject: 'your service',
  sparring: 'Sparring',
}

function factsOf({ header, exchanges, closed }: RecordingContent): SessionReport['facts'] {
  const { name, tool, created, protocol, parties, seed, clock, redaction, source } = header._rec
  const begin = exchanges[0]?.startedAt
  const end = exchanges.reduce((last, each) => Math.max(last, endOf(each)), begin ?? 0)
  return [
    ['recording', `${name}${closed ? '' : ' (without an end: its recorder was interrupted)'}`],
    ...parties.map(
      ({ party, role, base }) =>
        [
          fullRoleName[role],
          `${playerOf[party] ?? 'the partner'}${base === undefined ? '' : `, ${base}`}`,
        ] as const,
    ),
    ['recorded', created],
    ...(begin === undefined
      ? []
      : ([
          [
            'traffic',
            `${pluralise(exchanges.length, 'exchange')} in ${elapsedText(end - begin)}, from ${isoOf(Math.floor(begin))}`,
          ],
        ] as const)),
    ...(clock === undefined ? [] : ([['clock', `${clock.mode}, speed ${clock.speed}`]] as const)),
    ...(seed === undefined ? [] : ([['seed', String(seed)]] as const)),
    ['versions', `${tool}, ${protocol.name} ${protocol.version}`],
    ...(source === undefined
      ? []
      : ([['imported from', `${source.file} (${source.kind})`]] as const)),
    [
      'redaction',
      redaction.mode === 'none' ? 'none: it holds secrets and people as they were' : redaction.mode,
    ],
  ]
}

/** Failures of a recording at most. */
const maxFailures = 200

const failuresOf = (content: RecordingContent): readonly ReportedFailure[] =>
  listFailures(recordedReport(content))
    .slice(0, maxFailures)
    .map(({ text, count, places }) => ({
      text,
      count,
      exchanges: [...new Set(places.map(({ number }) => number))],
    }))

export async function reportOfRecording(
  content: RecordingContent,
  options: ReportOptions,
  limit: number,
): Promise<SessionReport> {
  const { exchanges, end } = content
  const clauses = await loadClauses()
  const seen = new Set(exchanges.map(({ orderId }) => orderId))
  const orders = (end?.orders ?? []).filter(({ orderId }) => seen.has(orderId))
  const parts = {
    verdicts: end && end.verdicts.length > 0 ? reportedVerdicts(end.verdicts, clauses) : undefined,
    failures: failuresOf(content),
    faults: reportedFaults(end?.faults ?? [], exchanges),
  }
  const chosen = chooseExchanges(
    {
      exchanges,
      named: namedExchanges(parts),
      slots: new Map(orders.map(({ slot, orderId }) => [slot, orderId])),
      all: exchanges.length,
      remedies: [],
    },
    options,
    limit,
  )
  return {
    ...parts,
    ...chosen,
    facts: factsOf(content),
    orders,
    whyNoVerdicts:
      'The recording has no verdicts: only a session that knows the role of your service (up --as … --record …) and ends by itself writes them at its end. Replay it to have it judged: sparring replay <recording> --to <url of your service> --driver partner.',
  }
}
