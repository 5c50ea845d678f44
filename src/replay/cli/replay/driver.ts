/** Interface of replay drivers: one module each, one row of driversByName in play-recording.ts; and the session that each of them plays in. */
import type { Playback, PlaybackPorts } from '../../playback/replay/replay.ts'
import type { EditRecorded } from '../../difference/edit-recording.ts'
import type { Rule } from '../../../core/traffic/recording/difference.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'
import type { SubjectControl } from '../../../core/session-api/session.ts'
import type { Io } from '../../../terminal/cli/io.ts'
import { sessionPorts } from '../../../terminal/cli/losses.ts'
import type { ReplayFlags } from './flags.ts'
import type { ReplayTrial } from '../../playback/replay/minimise.ts'
import { compact } from '../../../core/base/compact.ts'
import { readSessionOptions } from '../../../terminal/cli/session-options.ts'

/**
 * Reads the session options of a replay from its flags and the configuration. `subject` of the configuration is
 * returned separately; `recording` is dropped, because replays have their own flag. The ports are those of `sparring
 * up`, where the service looks for us.
 */
export async function readReplaySession({ flags, io, seed, service }: DriverInput) {
  const { config, contract, fault, port } = flags
  const { input, configuration } = await readSessionOptions(
    { ...compact({ config, contract, fault, port }), seed },
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

export const defineDriver = (driver: ReplayDriver): ReplayDriver => driver
