/** A way to play a recording: one module each, one row in the catalogue. */
import type { Playback, PlaybackPorts } from '../../session/replay/replay.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { Rule } from '../../traffic/difference/difference.ts'
import type { ReplayReport } from '../../traffic/replay/replay-report.ts'
import type { Io } from '../io.ts'
import type { ReplayFlags } from './flags.ts'

/** What every driver is given. */
export interface Drive {
  readonly flags: ReplayFlags
  readonly io: Io
  readonly content: RecordingContent
  readonly seed: number
  /** What may differ, before what the protocol says. */
  readonly rules: readonly Rule[]
  /** Somebody wants it to stop: what there is by then is the report. */
  readonly signal: AbortSignal
  /** A person at a terminal, who lets it play; it plays by itself when absent. */
  readonly screen?: ReplayScreen
}

/** The dashboard over a recording that is played. */
export interface ReplayScreen {
  readonly ports: PlaybackPorts
  /** Shows it until somebody closes it; answers what came of it by then. */
  readonly show: (playback: Playback) => Promise<ReplayReport>
}

export interface ReplayDriver {
  /** It goes on until somebody stops it: that is its normal end. */
  readonly isServing?: true
  /** What it cannot do without, told before anything begins: throws a problem. */
  readonly check: (flags: ReplayFlags) => void
  readonly run: (drive: Drive) => Promise<ReplayReport>
}

export const defineDriver = (driver: ReplayDriver): ReplayDriver => driver
