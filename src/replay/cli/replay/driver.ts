/**
 * Interface of replay drivers: one module each, one row of driversByName in play-recording.ts; the session that each of them
 * plays in, and the service of `--start`, on a reserved port.
 */
import type { Playback, PlaybackPorts } from '../../playback/replay/replay.ts'
import type { EditRecorded } from '../../difference/edit-recording.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import type { DriverName, ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import type { SubjectControl } from '../../../core/session-api/session.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { sessionPorts } from '../../../terminal/cli/losses.ts'
import type { ReplayFlags } from './flags.ts'
import type { ReplayTrial } from '../../playback/replay/minimise.ts'
import { compact } from '../../../core/base/compact.ts'
import { problem } from '../../../core/base/problem.ts'
import { roles } from '../../../core/protocol/role.ts'
import { abortableSleep } from '../../../core/runtime/clock/clock.ts'
import { exitCode } from '../../../terminal/cli/exit-code.ts'
import { reservePorts } from '../../../terminal/cli/ports.ts'
import {
  readConfigurationAndFlags,
  readSessionOptions,
} from '../../../terminal/cli/session-options.ts'
import { createCommandFiller } from '../../../terminal/service/subject-environment.ts'
import { createSubjectProcess } from '../../../terminal/service/subject-process.ts'
import { unreachableReason } from '../../../terminal/service/subject-requests.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import { decisionsOf } from '../../from-recording/decisions.ts'
import { isCrash } from '../../from-recording/history.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'

/**
 * Reads the session options of a replay from its flags and the configuration. `subject` of the configuration is
 * returned separately; `recording` is dropped, because replays have their own flag. The ports are those of `sparring
 * up`, where the service looks for us.
 */
export async function readReplaySession({ flags, io, seed, service }: DriverInput) {
  const { config, contract, dialect, fault, port } = flags
  const { input, configuration } = await readSessionOptions(
    { ...compact({ config, contract, dialect, fault, port }), seed },
    io.cwd,
  )
  const { subject: configured, recording: _recording, ...session } = input
  const own = { ...compact({ service: service?.control }), ...sessionPorts(io) }
  return { configured, session: { ...session, ...own }, configuration }
}

/** A service that is started for one replay. */
export interface TrialService {
  /** By which a fault ends it. */
  readonly control: SubjectControl
  readonly start: () => void
  /** Resolves when it answers at its URL; throws a problem when it does not in time, or ends. */
  readonly answers: (signal: AbortSignal) => Promise<void>
  /** Exit code or signal as a sentence; undefined while it runs. */
  readonly endReason: () => string | undefined
  readonly lastLine: () => string | undefined
}

/** Input of a driver. */
export interface DriverInput extends Pick<
  ReplayTrial,
  'content' | 'seed' | 'isEnough' | 'orderId' | 'invariant'
> {
  readonly flags: ReplayFlags
  readonly io: Io
  /** The user's difference rules; they take precedence over those of the protocol. */
  readonly rules: readonly Rule[]
  /** The exchanges as they are played; as recorded when absent. */
  readonly edited?: EditRecorded
  /** Aborts the replay; the report then covers the exchanges so far. */
  readonly signal: AbortSignal
  /** How long the service is waited for, in milliseconds, where no flag says it. */
  readonly settleMs?: number
  /** Started when we listen; without it the service runs already. */
  readonly service?: TrialService
  /** The dashboard that controls playback; without it the recording plays by itself. */
  readonly screen?: ReplayScreen
}

/** The dashboard of a replay. */
export interface ReplayScreen {
  readonly ports: PlaybackPorts
  /** Runs the dashboard until it is closed; resolves to the report so far. */
  readonly show: (playback: Playback) => Promise<ReplayReport>
}

export interface ReplayDriver {
  /** Runs until interrupted, which is its normal end. */
  readonly isServing?: true
  /** Validates the flags before anything starts; throws a problem. */
  readonly check: (flags: ReplayFlags) => void
  readonly run: (drive: DriverInput) => Promise<ReplayReport>
}

/** The speed at which the clock of the recorded session ran; undefined where it was virtual, or is not known. */
export const recordedSpeedOf = ({ header: { _rec } }: Pick<RecordingContent, 'header'>) =>
  _rec.clock?.mode === 'real' ? _rec.clock.speed : undefined

export const defineDriver = (driver: ReplayDriver): ReplayDriver => driver

const host = '127.0.0.1'
const maxWaitMs = 30_000
const pauseMs = 100

export interface OwnServiceOptions {
  readonly command: string
  /** The flag that says the command. */
  readonly flag: '--start' | '--fixed'
  readonly config?: string | undefined
  readonly content: RecordingContent
  readonly io: Io
}

export interface OwnService extends TrialService, AsyncDisposable {
  /** Where it is to listen, and the first of our ports. */
  readonly target: { readonly to: string; readonly port: number }
}

/** Chooses the ports; the service runs after `start`, and its processes end with the disposal. */
export async function prepareOwnService(options: OwnServiceOptions): Promise<OwnService> {
  const { command, flag, config, content, io } = options
  const attempted = `starting the service of ${flag}`
  const read = await readConfigurationAndFlags(compact({ config }), io.cwd)
  const ports = await reservePorts(attempted, host)
  const url = `http://${host}:${ports.service}`
  const configuration = {
    ...read.configuration,
    subject: { ...read.configuration.subject, url },
  }
  const ours = roles.map(
    (role, index) => [role, `http://${host}:${ports.first + 1 + index}`] as const,
  )
  const service = createSubjectProcess({
    configuration,
    channel: decisionsOf(content).channel,
    session: () => ({ urls: new Map(ours) }),
    start: command,
    fill: createCommandFiller(
      flag,
      (sentence) => void printLine(io.stderr, `sparring: ${sentence}`),
    ),
    io,
    onEnd: () => undefined,
  })
  const lastLine = (): string | undefined => service.output.lines().at(-1)

  return {
    target: { to: url, port: ports.first },
    control: service,
    endReason: () => service.current()?.endReason(),
    lastLine,
    start() {
      if (!service.current()) service.start()
    },
    answers: waitUntilAnswered,
    async [Symbol.asyncDispose]() {
      await service.stop()
      service.output.discard()
      ports[Symbol.dispose]()
    },
  }

  async function waitUntilAnswered(signal: AbortSignal): Promise<void> {
    const began = performance.now()
    while (!signal.aborted && (await unreachableReason(url, configuration, signal)) !== undefined) {
      const ended = service.current()?.endReason()
      if (ended !== undefined || performance.now() - began > maxWaitMs) {
        const last = lastLine()
        throw problem(
          attempted,
          `${ended ?? `it does not answer at ${url}`}${last === undefined ? '' : ` (${last})`}`,
          'Have it listen on the port that PORT or {port} says.',
          exitCode.unreachable,
        )
      }
      await abortableSleep(pauseMs, signal)
    }
  }
}

/** What a replay does not repeat of a recording in which the service was ended; undefined where it does. */
export function unrepeatedCrashes(
  { exchanges }: RecordingContent,
  { driver, start }: { readonly driver: DriverName; readonly start?: string | undefined },
): string | undefined {
  const crashes = exchanges.filter(isCrash).length
  if (crashes === 0 || (driver === 'partner' && start !== undefined)) return undefined
  const remedy = start === undefined ? '--start <command>' : '--driver partner'
  return `the recording ends your service at ${pluralise(crashes, 'message')}, and this replay does not: say ${remedy}`
}
