/** Runs `sparring drift`: sends the recorded calls of a service to the sandbox of its partner, and prints what has changed. */
import { resolve } from 'node:path'
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { readConfigurationFile } from '../../../core/runtime/files/configuration-file.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import { httpUrl } from '../../../terminal/cli/allowed-target.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printJson, printLine } from '../../../terminal/cli/io.ts'
import { parseDurationArgument } from '../../../terminal/cli/parse-duration-argument.ts'
import { readConfigurationAndFlags } from '../../../terminal/cli/session-options.ts'
import { type DriftReport, type DriftRow, driftOf } from '../../difference/drift.ts'
import { replayRecording } from '../../playback/replay/library.ts'
import { parseOnlyFilter } from '../replay/flag-values.ts'
import { readRecordingContent } from '../replay/recording-content.ts'
import { loadUserRules } from '../compare/rules.ts'
import type { DriftFlags } from './drift-flags.ts'

const attempted = 'looking for drift'

/** The role of the partner whom the service calls most, and that of the service. */
function partiesOf({ exchanges, file }: RecordingContent) {
  const calls = exchanges.filter(({ from }) => from.party === 'subject')
  const byPartner = [...Map.groupBy(calls, ({ to }) => to.role).values()]
  const [call] = byPartner.toSorted((one, other) => other.length - one.length)[0] ?? []
  if (call) return { partner: call.to.role, service: call.from.role }
  throw problem(
    `${attempted} by ${file}`,
    'no call of your service is in it',
    'Name a recording in which it calls its partner.',
  )
}

interface Target {
  readonly url: string
  /** The configuration that names it. */
  readonly file?: string
}

/** The URL of `--to`, or that of the partner in the configuration that it names. */
async function targetOf(to: string | undefined, partner: Role, io: Io): Promise<Target> {
  if (to === undefined) throw problem(attempted, 'no partner is given', 'Say it with --to <url>.')
  if (/^https?:/.test(to) || !/\.(ya?ml|json)$/.test(to))
    return { url: httpUrl(to, '--to').href.replace(/\/+$/, '') }
  const url = (await readConfigurationFile(io.cwd, to))?.value.counterparts?.[partner]?.url
  if (typeof url === 'string') return { url, file: to }
  throw problem(`reading ${to}`, `it has no counterparts.${partner}.url`, 'Write it there.')
}

const columns = ['OPERATION', 'WHAT', 'WHERE', 'RECORDED', 'NOW', 'EXCHANGES'] as const

const cellsOf = (row: DriftRow): readonly string[] => [
  row.operation,
  row.documented === undefined ? row.kind : `${row.kind}, ${row.documented ? '' : 'un'}documented`,
  row.where || '-',
  row.recorded,
  row.live,
  row.exchanges.map((seq) => `#${seq}`).join(' ') || '-',
]

function tableOf(rows: readonly DriftRow[]): readonly string[] {
  const cells = [columns, ...rows.map((row) => cellsOf(row).map((cell) => escapeControls(cell)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  return cells.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const summaryOf = ({ rows, answered, notSent }: DriftReport, url: string): string =>
  `${rows.length === 0 ? 'no drift' : pluralise(rows.length, 'difference')}: ${answered} calls were answered by ${url}${notSent === 0 ? '' : `, ${notSent} need what did not come and were not sent`}`

/** Throws where nothing was answered, or our credentials are refused. */
function checkReached({ exchanges }: ReplayReport, url: string): void {
  const refused = exchanges.find(({ standing }) => standing === 'auth')
  const silent = exchanges.every(({ live }) => !live?.reply)
  if (!refused && !silent) return
  const { because } = refused ?? exchanges.find((each) => each.because !== undefined) ?? {}
  throw problem(
    `${attempted} at ${url}`,
    because ?? 'it does not answer',
    refused
      ? 'Write the credentials of your service there into subject.credentials.'
      : 'Start it, or correct --to.',
    exitCode.unreachable,
  )
}

export async function runDrift(flags: DriftFlags, io: Io): Promise<ExitCode> {
  const { recording: file, config, contract, dialect, only } = flags
  const content = await readRecordingContent(file, io.cwd)
  const { partner, service } = partiesOf(content)
  const { url, file: named } = await targetOf(flags.to, partner, io)
  const isChosen = parseOnlyFilter(only)
  const slower = flags['slower-than']
  const slowerThanMs =
    slower === undefined ? undefined : parseDurationArgument(slower, 'reading --slower-than')
  const { input, configuration } = await readConfigurationAndFlags(
    compact({ config: config ?? named, contract, dialect }),
    io.cwd,
  )
  const { subject: _subject, recording: _recording, merchants: _merchants, ...session } = input
  const { clientId, clientSecret } = configuration.subject.credentials
  const own = session.counterparts?.[service]?.credentials ?? { clientId, clientSecret }
  const report = await replayRecording({
    ...session,
    // The service of the recording is ours here, and the partner is what is called.
    counterparts: {
      ...session.counterparts,
      [service]: { ...session.counterparts?.[service], credentials: own },
    },
    recording: content,
    to: url,
    role: partner,
    port: 0,
    clock: 'real',
    pace: { mode: 'asap' },
    replayHeaders: false,
    sameIds: flags['same-ids'] === true,
    rules: await loadUserRules(resolve(io.cwd, file), flags.rules, io.cwd),
    only: (recorded) => recorded.from.role === service && isChosen(recorded),
  })
  checkReached(report, url)
  const drift = driftOf(report, { conduct: configuration.conduct, slowerThanMs })
  if (flags.json) await printJson(io, drift)
  else {
    if (drift.rows.length > 0)
      for (const line of tableOf(drift.rows)) await printLine(io.stdout, line)
    await printLine(io.stdout, summaryOf(drift, url))
  }
  return drift.rows.length === 0 ? exitCode.done : exitCode.failed
}
