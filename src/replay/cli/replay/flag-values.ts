/**
 * Checks and parses the values of replay flags: the driver that they are for, pace, filter, target, and how the
 * subject is answered.
 */
import { compact } from '../../../core/base/compact.ts'
import type { PlaybackPace } from '../../../core/engine/playback/pace.ts'
import { problem } from '../../../core/base/problem.ts'
import type { RecordedExchange } from '../../../core/traffic/recording/recorded-exchange.ts'
import type { DriverName } from '../../../core/traffic/recording/replay-report.ts'
import { trafficFilter } from '../../../core/views/traffic-filter.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { extractHandedOverEvents } from '../../../core/traffic/entities/entities.ts'
import { trafficRow } from '../../../core/views/traffic-rows.ts'
import { checkAllowedTarget, httpUrl } from '../../../terminal/cli/allowed-target.ts'
import { parseDurationArgument } from '../../../terminal/cli/parse-duration-argument.ts'
import type { ReplayFlags } from './flags.ts'
import { resolve } from 'node:path'
import type { OutgoingReply } from '../../../core/runtime/server/messages.ts'
import { type AnswerOptions, recordedSubjectRole } from '../../playback/replay/options.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { defaultRecordingFile } from '../../../terminal/cli/default-recording-file.ts'
import { type Io, isCi, printLine } from '../../../terminal/cli/io.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'

/** Parses the flags for answering the subject from the recording. */
type OnMiss = NonNullable<AnswerOptions['onMiss']>

const json = { 'content-type': 'application/json; charset=utf-8' } as const

/** The fixed reply to calls that the recording does not contain. */
const fixedReply = (status: number): OutgoingReply =>
  status === 204
    ? { status, headers: {} }
    : {
        status,
        headers: json,
        body: JSON.stringify({ error: { code: 'NOT_RECORDED', message: 'not in the recording' } }),
      }

/** Parses `--on-miss`; undefined is the default, a 501 with the reason. */
function parseOnMiss(
  text: string | undefined,
  allowed: readonly string[] | undefined,
): OnMiss | undefined {
  if (text === undefined || text === 'fail') return undefined
  if (text === 'synth') return 'synth'
  if (text.startsWith('forward='))
    return { forward: allowedTarget(text.slice('forward='.length), allowed, '--on-miss') }
  const status = /^[1-5]\d\d$/.test(text) ? Number(text) : 0
  if (status >= 200) {
    const answer = fixedReply(status)
    return () => answer
  }
  throw problem(
    'reading --on-miss',
    `"${text}" is no way to answer`,
    'Write fail, synth, forward=<url>, or a status such as 404.',
  )
}

/** The file of the replay: what is passed on is recorded in any case. */
export async function recordFileOf(
  { record, quiet, as: role }: ReplayFlags,
  { onMiss }: AnswerOptions,
  content: RecordingContent,
  io: Io,
): Promise<string | undefined> {
  if (typeof onMiss !== 'object') return record
  const file = record ?? defaultRecordingFile(role ?? recordedSubjectRole(content))
  if (!quiet)
    await printLine(
      io.stderr,
      escapeControls(
        `what the recording does not know is passed on to ${onMiss.forward}, and all is recorded: ${file}`,
      ),
    )
  return resolve(io.cwd, file)
}

/** On an interactive terminal misses are synthesised, elsewhere they fail. */
const isInteractive = ({ isTTY, env }: Io): boolean => isTTY && !isCi(env)

export function parseAnswerFlags(flags: ReplayFlags, io: Io): AnswerOptions {
  const { synth, 'call-timeout': callTimeout } = flags
  const explicit = parseOnMiss(flags['on-miss'], flags['allow-target'])
  if (synth && flags['on-miss'] !== undefined && explicit !== 'synth')
    throw problem('reading --synth', 'it and --on-miss exclude each other', 'Leave out one.')
  const onMiss =
    explicit ??
    (synth || (flags['on-miss'] === undefined && isInteractive(io)) ? 'synth' : undefined)
  return {
    ...compact({ onMiss }),
    faithfulFailures: flags['faithful-failures'] === true,
    requireAll: flags['require-all'] === true,
    ...(callTimeout === undefined
      ? {}
      : { callTimeoutMs: parseDurationArgument(callTimeout, 'reading --call-timeout') }),
  }
}

/** The drivers that each flag applies to; a flag without effect is rejected instead of ignored. */
const sending = ['client', 'server'] as const

/** Flags that are not listed apply to every driver. */
const driversByFlag = {
  rate: sending,
  timing: sending,
  'same-ids': sending,
  only: sending,
  from: sending,
  set: sending,
  'on-miss': sending,
  synth: sending,
  'faithful-failures': sending,
  step: ['client'],
  repeat: ['client'],
  'no-answers': ['client'],
  'call-timeout': ['client'],
  twice: ['client', 'partner'],
  'write-rules': ['client', 'partner'],
  subject: ['server'],
  until: ['server'],
  idle: ['server'],
  'require-all': ['server'],
  'ready-file': ['server'],
} as const satisfies Partial<Record<keyof ReplayFlags, readonly DriverName[]>>

const names = Object.keys(driversByFlag) as readonly (keyof typeof driversByFlag)[]

const driverDescriptions: Readonly<Record<DriverName, string>> = {
  client: 'here what was recorded is sent to your service',
  server: 'here your service calls, and is answered',
  partner: 'here the partner decides again',
}

type ServiceFlags = Partial<Record<'start' | 'to', string | undefined>>

export function checkStart({ start, to }: ServiceFlags): void {
  if (start === undefined || to === undefined) return
  throw problem(
    'reading --to',
    'each service of --start listens on a port of its own',
    'Leave out --to, or --start.',
  )
}

/** Throws a problem on the first flag that does not apply to the driver, or not without another. */
export function rejectForeignFlags(flags: ReplayFlags, driver: DriverName): void {
  if (flags['write-rules'] && !flags.twice)
    throw problem(
      'reading --write-rules',
      'what changes by itself is known after two replays',
      'Say --twice too.',
    )
  for (const name of names) {
    const drivers: readonly DriverName[] = driversByFlag[name]
    if (flags[name] === undefined || drivers.includes(driver)) continue
    throw problem(
      `reading --${name}`,
      `it is for --driver ${drivers.join(' or --driver ')}, and ${driverDescriptions[driver]}`,
      `Leave it out, or say --driver ${drivers[0]}.`,
    )
  }
}

function speedOf(text: string): Pick<PlaybackPace, 'mode' | 'speed'> {
  if (text === 'original' || text === 'asap') return { mode: text }
  const [, number = ''] = /^(\d+(?:\.\d+)?)x?$/.exec(text) ?? []
  const speed = Number(number)
  if (speed > 0 && speed <= 1_000_000) return { mode: 'original', speed }
  throw problem('reading --speed', `"${text}" is no speed`, 'Write original, asap, 2x or 0.5x.')
}

/** The pace of a replay, from `--speed`, `--rate`, `--max-gap` and `--timing`. */
export function parseReplayPace(flags: ReplayFlags): PlaybackPace {
  const { speed, rate, timing } = flags
  if (speed !== undefined && rate !== undefined)
    throw problem('reading --rate', 'a rate and a speed exclude each other', 'Leave out one.')
  const gap = flags['max-gap']
  return {
    ...(rate === undefined ? speedOf(speed ?? 'original') : { mode: 'rate', perSecond: rate }),
    ...(gap === undefined ? {} : { maxGapMs: parseDurationArgument(gap, 'reading --max-gap') }),
    ...compact({ timing }),
  }
}

/** The longest pause of a part, in ms: that of `--max-gap` where it is shorter. */
export function shorterGapMs(
  flags: ReplayFlags,
  { maxGapMs = Infinity }: Pick<PlaybackPace, 'maxGapMs'>,
): number | undefined {
  const gapMs = Math.min(maxGapMs, parseReplayPace(flags).maxGapMs ?? Infinity)
  return gapMs === Infinity ? undefined : gapMs
}

/** The orders of an exchange: also those of the events of a poll, and of an acknowledgment of such. */
function createOrderFinder(): (exchange: Exchange) => string {
  const ordersOf = new Map<string, readonly string[]>()
  return (exchange) => {
    for (const { id = '', about } of extractHandedOverEvents(exchange))
      ordersOf.set(
        id,
        about.map((each) => each.replace(/^order /, '')),
      )
    const { orderId = '', eventIds = [] } = exchange
    return [orderId, ...eventIds.flatMap((id) => ordersOf.get(id) ?? [])].join(' ')
  }
}

/** `--only`: the same filter language as the dashboard's traffic pane. */
export function parseOnlyFilter(text: string | undefined): (recorded: RecordedExchange) => boolean {
  if (text === undefined) return () => true
  const test = trafficFilter(text)
  if (!test.ok)
    throw problem(
      'reading --only',
      test.error,
      'Write words that all hold, such as "confirmOrder !failed".',
    )
  const findOrders = createOrderFinder()
  return (recorded) => test.value({ ...trafficRow(recorded), orderId: findOrders(recorded) })
}

/** The URL without trailing slashes. Throws a problem on an invalid URL or a host that is not allowed. */
export function allowedTarget(
  text: string,
  allowed: readonly string[] = [],
  flag = '--to',
): string {
  checkAllowedTarget(httpUrl(text, flag), allowed, {
    attempted: `replaying to ${text}`,
    does: 'a replay confirms, cancels and pays whatever it says',
  })
  return text.replace(/\/+$/, '')
}
