/** Library API for replays; the drivers are loaded lazily. */
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import { problem } from '../../../core/base/problem.ts'
import type { PlaybackOptions } from './options.ts'
import type { RedriveOptions } from './redrive.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { ReplayReport } from '../../../core/traffic/recording/replay-report.ts'

/** Client replay: requests that others sent to the service are sent again. */
export interface ClientReplay extends Omit<PlaybackOptions, 'recording'> {
  readonly driver?: 'client'
  /** A file, or its content. */
  readonly recording: string | RecordingContent
}

/** Replay by decisions: our counterparts repeat the decisions of the recorded partner. */
export interface DecisionsReplay extends Omit<RedriveOptions, 'recording'> {
  readonly driver: 'partner'
  /** A file, or its content. */
  readonly recording: string | RecordingContent
}

export type ReplayOptions = ClientReplay | DecisionsReplay

async function contentOf(recording: string | RecordingContent): Promise<RecordingContent> {
  if (typeof recording !== 'string') return recording
  const read = await readRecording(recording)
  if (read.ok) return read.value
  throw problem(`replaying ${recording}`, read.error, 'Name a file that sparring recorded.')
}

/**
 * Replays a recording against a service and reports the result of each exchange.
 *
 * With the driver `client`, the default, requests that others sent to the service are sent again with new ids, tokens
 * and signatures, at their recorded times or faster, and each reply is compared with the recorded one. With `partner` our
 * counterparts repeat the decisions of the recorded partner in a fresh world: the service's behaviour is compared with
 * the recording, and its calls are answered by the state machine. With a fetch-style handler either runs on the
 * virtual clock, without sockets and without waiting.
 *
 * Throws a `Problem` when the recording cannot be read or has nothing for this service.
 *
 * @example
 * const report = await replayRecording({ recording: 'bug.rec.ndjson', to: app.fetch })
 * expect(report.counts).toEqual({ same: 12, noise: 3 })
 *
 * @example
 * const report = await replayRecording({
 *   driver: 'partner',
 *   recording: 'bug.rec.ndjson',
 *   to: app.fetch,
 *   connect: (session) => app.start(session.urls.get('ordering-application'), session.fetch),
 * })
 * expect(report.first).toBeUndefined()
 */
export async function replayRecording(options: ReplayOptions): Promise<ReplayReport> {
  const recording = await contentOf(options.recording)
  if (options.driver === 'partner') {
    const { driver: _driver, ...rest } = options
    const { replayByDecisions } = await import('./redrive.ts')
    return replayByDecisions({ ...rest, recording })
  }
  const { driver: _driver, ...rest } = options
  const { openPlayback } = await import('./replay.ts')
  await using playback = await openPlayback({ ...rest, recording })
  // Await before returning: `await using` closes the session at the end of this scope.
  return await playback.run()
}
